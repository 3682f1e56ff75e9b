import type { Stored } from './part.ts';
import type { PartKind } from './kind.ts';
import { checkOption } from './text.ts';

/** The chosen values. */
export function choicesOf(value: Stored | undefined): readonly string[] {
  return Array.isArray(value) ? (value as string[]) : [];
}

/** Check boxes and list boxes: several values, separated by tabs (interface.md, "Value formats"). */
export const choices: PartKind = {
  traits: { searchable: true, sortable: false, filterable: true, set: true },
  parse(text, part) {
    const chosen = [...new Set(text.split('\t').filter((value) => value !== ''))];
    for (const value of chosen) checkOption(value, part);
    return chosen.length === 0 ? undefined : chosen;
  },
  render: (value) => choicesOf(value).join('\t'),
  keys: choicesOf,
  texts: choicesOf,
  operand: (text) => text,
};
