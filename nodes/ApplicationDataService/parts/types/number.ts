import type { PartCodec, WriteValue } from '../model/codec';
import { asItCame, isBlank, isEmpty, type SimplifiedValue } from '../values/shapes';
import { exactNumber, plainDecimal } from '../values/decimal';
import { refuse } from '../model/errors';
import type { Part } from '../model/part';
import { plainText } from './text';

const ACCEPTS = 'a number, e.g. 1200 or 12.5';

/** A number if JavaScript can represent it exactly, else its text (design.md, Output). */
export function readNumber(val: unknown): SimplifiedValue {
  if (isEmpty(val)) return null;
  return typeof val === 'string' ? (exactNumber(val) ?? val) : asItCame(val);
}

function write(value: unknown, part: Part): WriteValue {
  if (isBlank(value)) return { kind: 'text', text: '' };
  const text = plainText(value);
  const decimal = text === null ? null : plainDecimal(text);
  if (decimal !== null) return { kind: 'text', text: decimal };
  throw refuse(part, value, {
    reason: 'it is not a number',
    accepts: ACCEPTS,
    suggestion: guess(text ?? ''),
  });
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
  accepts: ACCEPTS,
  sortable: true,
  searchable: false,
  filterable: true,
  compares: 'number',
};
