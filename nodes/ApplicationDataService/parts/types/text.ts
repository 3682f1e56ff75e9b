import { plainDecimal } from '../values/decimal';
import type { Part, PartCodec, WriteValue } from '../model/part';
import { asItCame, isEmpty, type SimplifiedValue } from '../values/shapes';
import { refuse } from '../model/errors';

const ACCEPTS = 'a text, a number, or true or false';

/** A `val` that is one text; `null` when empty. */
export function readOneText(val: unknown): SimplifiedValue {
  if (isEmpty(val)) return null;
  return typeof val === 'number' || typeof val === 'boolean' ? String(val) : asItCame(val);
}

/** The text of a plain value; `null` for objects, arrays and invalid values (`NaN`, functions). */
export function plainText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? plainDecimal(String(value)) : null;
  return typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : null;
}

function write(value: unknown, part: Part): WriteValue {
  if (isEmpty(value)) return { kind: 'text', text: '' };
  const text = plainText(value);
  if (text !== null) return { kind: 'text', text };
  throw refuse(part, value, {
    reason: 'it is not a text',
    accepts: ACCEPTS,
    advice: 'Turn lists and objects into text with an expression, e.g. with .join() or JSON.stringify().',
  });
}

/** Text as it is. */
export const textarea: PartCodec = {
  label: 'Text (multi line)',
  read: ({ val }) => readOneText(val),
  write,
  accepts: ACCEPTS,
  sortable: false,
  searchable: true,
  filterable: true,
};

export const richeditor: PartCodec = { ...textarea, label: 'Rich text' };

export const textbox: PartCodec = { ...textarea, label: 'Text (one line)', sortable: true, maxLength: 255 };
