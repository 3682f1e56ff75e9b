import type { PartValueObject } from '../model/codec';
import { asItCame, isEmpty, isObject, type SimplifiedValue } from '../values/shapes';
import { readInteger } from '../values/decimal';
import { formatDateTime } from '../values/moment';
import { momentCodec } from './momentCodec';

/** `yyyy-MM-ddTHH:mm`, whether it came as text or as an object of its fields. */
function read({ val }: PartValueObject): SimplifiedValue {
  if (isEmpty(val)) return null;
  if (!isObject(val)) return asItCame(val);
  const [year, month, day] = [readInteger(val.year), readInteger(val.month), readInteger(val.day)];
  const [hour, minute] = [readInteger(val.hour), readInteger(val.minute)];
  if (year === null || month === null || day === null || hour === null || minute === null)
    return asItCame(val);
  return formatDateTime({ year, month, day, hour, minute });
}

export const datetime = momentCodec({
  read,
  accepts: 'a date/time as yyyy-MM-ddTHH:mm, an ISO date/time with an offset, or a date object',
  format: formatDateTime,
  pattern: 'yyyy-MM-ddTHH:mm',
});
