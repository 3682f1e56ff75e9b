import type { PartCodec, PartValueObject } from '../model/codec';
import type { SimplifiedValue } from '../values/shapes';
import { readText } from '../values/wire';
import { date } from './date';
import { datetime } from './datetime';
import { readNumber } from './number';
import { readOneText } from './text';
import { readTime } from './time';

/**
 * The result types that are known to mean more than text. Their set is not shown in interface.md, so spellings near
 * the part type codes are understood too.
 */
function read(value: PartValueObject, part: Parameters<PartCodec['read']>[1]): SimplifiedValue {
  const type = readText(value.type).toLowerCase();
  if (/^(num|int|dec|float|double)/.test(type)) return readNumber(value.val);
  if (/^date[ _/-]?time/.test(type)) return datetime.read(value, part);
  if (type.startsWith('date')) return date.read(value, part);
  if (type.startsWith('time')) return readTime(value);
  return readOneText(value.val);
}

/** expression: calculated by the service, given by its result type. */
export const expression: PartCodec = {
  read,
  accepts: 'nothing: the service calculates it',
  editor: 'string',
  sortable: true,
  searchable: true,
  filterable: true,
};
