import type { PartCodec, PartValueObject, WriteValue } from '../model/codec';
import type { SimplifiedValue } from '../values/shapes';
import { readInteger } from '../values/decimal';
import { refuse } from '../model/errors';
import { formatDateTime, readMoment } from '../values/moment';
import { asItCame, isBlank, isEmpty, isObject } from '../values/shapes';

const ACCEPTS = 'a date/time as yyyy-MM-ddTHH:mm, an ISO date/time with an offset, or a date object';

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

export const datetime: PartCodec = {
  read,
  write(value, part, context): WriteValue {
    if (isBlank(value)) return { kind: 'text', text: '' };
    const moment = readMoment(value, context.timezone);
    if ('problem' in moment) {
      throw refuse(part, value, {
        reason: `it ${moment.problem}`,
        accepts: ACCEPTS,
        suggestion: moment.suggestion,
      });
    }
    const text = formatDateTime(moment.wall);
    return moment.converted ? { kind: 'text', text, converted: true } : { kind: 'text', text };
  },
  accepts: ACCEPTS,
  editor: 'string',
  sortable: true,
  searchable: false,
  filterable: true,
};
