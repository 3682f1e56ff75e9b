import type { Part, Stored } from './part.ts';
import { InvalidValue, type PartKind, type ReadContext, type Traits } from './kind.ts';

/** The stored text; empty if there is none. */
export function textOf(value: Stored | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

type Single = string | number;

/** A part with one value. `check` returns what is stored of a text, or throws {@link InvalidValue}. */
export function single(
  traits: Pick<Traits, 'searchable' | 'sortable'>,
  check: (text: string) => Single,
  render: (value: Stored | undefined, context: ReadContext) => unknown = textOf,
): PartKind {
  return {
    traits: { ...traits, filterable: true, set: false },
    parse: (text) => (text === '' ? undefined : check(text)),
    render: (value, _part, context) => render(value, context),
    keys: (value) => (value === undefined ? [] : [value as Single]),
    texts: (value) => (value === undefined ? [] : [textOf(value)]),
    operand: check,
  };
}

/** @throws {@link InvalidValue} unless the text is an option or the part accepts others. */
export function checkOption(text: string, part: Part): void {
  if (part.allowOther || part.options.includes(text)) return;
  throw new InvalidValue(`does not have the option "${text}"`);
}

export const textbox = single({ searchable: true, sortable: true }, (text) => text);
export const textarea = single({ searchable: true, sortable: false }, (text) => text);
export const choice: PartKind = {
  ...textbox,
  parse(text, part) {
    if (text === '') return undefined;
    checkOption(text, part);
    return text;
  },
};
