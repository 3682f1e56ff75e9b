import type { PartCodec, PartValueObject } from '../model/codec';
import { readText, type SimplifiedValue } from '../values/shapes';
import { date, datetime } from './dates';
import { readNumber } from './number';
import { readOneText } from './text';
import { readTime } from './time';

/**
 * The type of a result; `null` for text. interface.md does not list the result types, so spellings similar to
 * the part type codes are also understood.
 */
export function resultKind({ type }: PartValueObject): 'number' | 'date' | 'time' | 'datetime' | null {
  const text = readText(type).toLowerCase();
  if (/^(num|int|dec|float|double)/.test(text)) return 'number';
  if (text.startsWith('date')) return text.includes('time') ? 'datetime' : 'date';
  return text.startsWith('time') ? 'time' : null;
}

function read(value: PartValueObject, part: Parameters<PartCodec['read']>[1]): SimplifiedValue {
  switch (resultKind(value)) {
    case 'number':
      return readNumber(value.val);
    case 'datetime':
      return datetime.read(value, part);
    case 'date':
      return date.read(value, part);
    case 'time':
      return readTime(value);
    default:
      return readOneText(value.val);
  }
}

/** expression: calculated by the service, output by its result type. */
export const expression: PartCodec = {
  label: 'Auto calculation',
  read,
  accepts: 'nothing: the service calculates it',
  sortable: true,
  searchable: true,
  filterable: true,
  compares: 'result',
};
