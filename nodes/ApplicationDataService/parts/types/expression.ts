import type { PartCodec, PartValueObject, ValueKind } from '../model/part';
import { readText } from '../values/shapes';
import { date, datetime } from './dates';
import { readNumber } from './number';
import { readOneText } from './text';
import { readTime } from './time';

/**
 * The kind of a result. interface.md does not list the result types, so spellings similar to the part type codes are
 * also understood.
 */
export function resultKind({ type }: PartValueObject): ValueKind {
  const text = readText(type).toLowerCase();
  if (/^(num|int|dec|float|double)/.test(text)) return 'number';
  if (text.startsWith('date')) return text.includes('time') ? 'datetime' : 'date';
  return text.startsWith('time') ? 'time' : 'text';
}

const READERS: Readonly<Record<ValueKind, PartCodec['read']>> = {
  text: ({ val }) => readOneText(val),
  number: ({ val }) => readNumber(val),
  time: readTime,
  date: date.read,
  datetime: datetime.read,
};

/** expression: calculated by the service, output by its result type. */
export const expression: PartCodec = {
  label: 'Auto calculation',
  read: (value, part) => READERS[resultKind(value)](value, part),
  accepts: 'nothing: the service calculates it',
  sortable: true,
  searchable: true,
  filterable: true,
  compares: 'result',
};
