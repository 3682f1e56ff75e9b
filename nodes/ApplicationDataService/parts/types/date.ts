import type { PartValueObject } from '../model/codec';
import { readInteger } from '../values/decimal';
import { formatDate } from '../values/moment';
import { asItCame, isEmpty, isObject, type SimplifiedValue } from '../values/shapes';
import { momentCodec } from './datetime';

/** `yyyy-MM-dd`, whether it came as text or as `{year, month, day}`. */
function read({ val }: PartValueObject): SimplifiedValue {
  if (isEmpty(val)) return null;
  return isObject(val) ? readDateObject(val) : asItCame(val);
}

function readDateObject(val: Record<string, unknown>): SimplifiedValue {
  if (isEmpty(val.year) && isEmpty(val.month) && isEmpty(val.day)) {
    return Object.keys(val).every((key) => isEmpty(val[key])) ? null : asItCame(val);
  }
  const [year, month, day] = [readInteger(val.year), readInteger(val.month), readInteger(val.day)];
  return year === null || month === null || day === null ? asItCame(val) : formatDate({ year, month, day });
}

export const date = momentCodec({
  label: 'Date',
  compares: 'date',
  read,
  accepts: 'a date as yyyy-MM-dd, an ISO date/time, or a date object',
  format: formatDate,
  forms: ['yyyy-MM-dd', 'y-M-d'],
});
