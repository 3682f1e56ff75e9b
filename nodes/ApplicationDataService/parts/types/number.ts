import type { Part, PartCodec, WriteValue } from '../model/part';
import { asItCame, isBlank, isEmpty, type SimplifiedValue } from '../values/shapes';
import { exactNumber, hasLoneComma, plainDecimal } from '../values/decimal';
import { refuse } from '../model/errors';
import { plainText } from './text';

/** A number if JavaScript can represent it exactly, else its text (design.md, Output). */
export function readNumber(val: unknown): SimplifiedValue {
  if (isEmpty(val)) return null;
  return typeof val === 'string' ? (exactNumber(val) ?? val) : asItCame(val);
}

/** The plain decimal text of a number, or of a text of one; `null` for anything else. */
export function decimalOf(value: unknown): string | null {
  const text = plainText(value);
  return text === null ? null : plainDecimal(text);
}

function write(value: unknown, part: Part): WriteValue {
  if (isBlank(value)) return { kind: 'text', text: '' };
  const text = decimalOf(value);
  if (text === null) {
    const suggestion = guess(plainText(value) ?? '');
    throw refuse(part, value, { reason: 'it is not a number', accepts: number.accepts, suggestion });
  }
  return typeof value === 'string' && hasLoneComma(value)
    ? { kind: 'text', text, doubt: 'comma' }
    : { kind: 'text', text };
}

/**
 * The number meant by full-width digits, points or apostrophes between thousands, a decimal comma, or a currency sign.
 */
function guess(text: string): string | undefined {
  const half = text.normalize('NFKC').replace(/[\s\p{Sc}%'’]/gu, '');
  const whole = /^[+-]?\d{1,3}(\.\d{3})+(,|$)/.test(half) ? half.replaceAll('.', '') : half;
  return plainDecimal(half) ?? plainDecimal(whole.replace(/^([+-]?\d+),(\d+)$/, '$1.$2')) ?? undefined;
}

export const number: PartCodec = {
  label: 'Number',
  read: ({ val }) => readNumber(val),
  write,
  accepts: 'a number, e.g. 1200 or 12.5',
  sortable: true,
  searchable: false,
  filterable: true,
  compares: 'number',
};
