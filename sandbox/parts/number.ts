import { InvalidValue, type PartKind } from './kind.ts';
import { single, textOf } from './text.ts';
import type { Dialect } from '../settings/switches.ts';

const pattern = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/** @throws {@link InvalidValue} unless the text is a plain decimal number. */
function checkNumber(text: string): string {
  if (!pattern.test(text)) throw new InvalidValue(`takes a number, not "${text}"`);
  return text;
}

/** A number as the dialect writes it. Text that is not a number is unchanged. */
export function writeNumber(text: string, dialect: Dialect): string | number {
  if (text === '' || dialect.numbers === 'string' || !pattern.test(text)) return text;
  if (dialect.numbers === 'number') return String(Number(text)) === text ? Number(text) : text;
  const [, sign = '', whole = '', rest = ''] = /^([+-]?)(\d*)(.*)$/.exec(text) ?? [];
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}

/** Numbers keep the text in which they were entered, and are read back in it. */
export const number: PartKind = {
  ...single({ searchable: false, sortable: true }, checkNumber, (value, { dialect }) =>
    writeNumber(textOf(value), dialect),
  ),
  keys: (value) => (value === undefined ? [] : [Number(value)]),
  operand: (text) => Number(checkNumber(text)),
};
