import type { Part, Stored } from './part.ts';
import { InvalidValue, type PartKind, type Traits } from './kind.ts';

/** The stored text; empty if there is none. */
export function textOf(value: Stored | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function textKind(traits: Omit<Traits, 'filterable' | 'set'>, check?: (text: string, part: Part) => void) {
  const kind: PartKind = {
    traits: { ...traits, filterable: true, set: false },
    parse(text, part) {
      if (text === '') return undefined;
      check?.(text, part);
      return text;
    },
    render: textOf,
    keys: (value) => (value === undefined ? [] : [textOf(value)]),
    texts: (value) => (value === undefined ? [] : [textOf(value)]),
    operand: (text) => text,
  };
  return kind;
}

/** @throws {@link InvalidValue} unless the text is an option or the part accepts others. */
export function checkOption(text: string, part: Part): void {
  if (part.allowOther || part.options.includes(text)) return;
  throw new InvalidValue(`does not have the option "${text}"`);
}

export const textbox = textKind({ searchable: true, sortable: true });
export const textarea = textKind({ searchable: true, sortable: false });
export const choice = textKind({ searchable: true, sortable: true }, checkOption);
