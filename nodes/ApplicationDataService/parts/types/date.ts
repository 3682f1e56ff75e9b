import type { PartCodec, PartValueObject, WriteValue } from '../model/codec';
import type { SimplifiedValue } from '../values/shapes';
import { readInteger } from '../values/decimal';
import { refuse } from '../model/errors';
import { formatDate, readMoment } from '../values/moment';
import { asItCame, isBlank, isEmpty, isObject } from '../values/shapes';

const ACCEPTS = 'a date as yyyy-MM-dd, an ISO date/time, or a date object';

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

export const date: PartCodec = {
  read,
  write(value, part, context): WriteValue {
    if (isBlank(value)) return { kind: 'text', text: '' };
    const moment = readMoment(value, context.timezone);
    if ('problem' in moment) {
      throw refuse(part, value, {
        reason: `it ${moment.problem}`,
        accepts: ACCEPTS,
        suggestion: moment.suggestion?.slice(0, 'yyyy-MM-dd'.length),
      });
    }
    const text = formatDate(moment.wall);
    return moment.converted ? { kind: 'text', text, converted: true } : { kind: 'text', text };
  },
  accepts: ACCEPTS,
  editor: 'string',
  sortable: true,
  searchable: false,
  filterable: true,
};
