import type { PartCodec } from '../model/part';
import { refuse } from '../model/errors';
import { readInteger } from '../values/decimal';
import { formatDate, formatDateTime, readMoment, type WallTime } from '../values/moment';
import { asItCame, isBlank, isEmpty, isObject } from '../values/shapes';

interface MomentForm extends Pick<PartCodec, 'label' | 'compares' | 'accepts' | 'forms'> {
  readonly format: (wall: WallTime) => string;
  readonly fields: readonly (keyof WallTime)[];
}

/** The codec of a part with a date, or a date and time, in the time zone of the credential, else the workflow. */
function momentCodec({ format, fields, ...form }: MomentForm): PartCodec {
  return {
    ...form,
    // Whether it came as text or as an object of its fields (service-facts, "Responses").
    read({ val }) {
      if (isEmpty(val)) return null;
      if (!isObject(val)) return asItCame(val);
      if (Object.values(val).every(isEmpty)) return null;
      const numbers = fields.map((field) => readInteger(val[field]));
      if (numbers.includes(null)) return asItCame(val);
      const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = numbers as number[];
      return format({ year, month, day, hour, minute });
    },
    write(value, part, context) {
      if (isBlank(value)) return { kind: 'text', text: '' };
      const moment = readMoment(value, context.timezone);
      if ('problem' in moment)
        throw refuse(part, value, { reason: `it ${moment.problem}`, accepts: form.accepts });
      const text = format(moment.wall);
      if (!moment.converted) return { kind: 'text', text };
      // A date/time says when: it may well be on another day here. A date that was another day may be a mistake.
      const isInDoubt = moment.shifted === true && form.compares === 'date';
      return { kind: 'text', text, converted: true, ...(isInDoubt && { doubt: 'day' }) };
    },
    sortable: true,
    searchable: false,
    filterable: true,
  };
}

export const date = momentCodec({
  label: 'Date',
  compares: 'date',
  accepts: 'a date as yyyy-MM-dd, an ISO date/time, or a date object',
  format: formatDate,
  fields: ['year', 'month', 'day'],
  forms: ['yyyy-MM-dd', 'y-M-d'],
});

export const datetime = momentCodec({
  label: 'Date/time',
  compares: 'datetime',
  accepts: 'a date/time as yyyy-MM-ddTHH:mm, an ISO date/time with an offset, or a date object',
  format: formatDateTime,
  fields: ['year', 'month', 'day', 'hour', 'minute'],
  forms: ['yyyy-MM-ddTHH:mm', 'y-M-dTHH:mm'],
});
