import type { Calculated, Stored } from './part.ts';
import type { PartKind } from './kind.ts';
import { number, writeNumber } from './number.ts';

/** The stored result of an auto calculation; empty if it was never calculated. */
export function calculatedOf(value: Stored | undefined): Calculated {
  return typeof value === 'object' && 'result' in value ? value : { result: '' };
}

const textsOf = (value: Stored | undefined): string[] =>
  [calculatedOf(value).result].filter((result) => result !== '');

/** Auto calculation: its result is a number, and keywords find it as text. */
export const calculation: PartKind = {
  traits: { searchable: true, sortable: true, filterable: true, set: false },
  render: (value, _part, { dialect }) => writeNumber(calculatedOf(value).result, dialect),
  keys: (value) => textsOf(value).map(Number),
  texts: textsOf,
  operand: (text) => number.operand(text),
};
