import type { PartCodec, PartValueObject } from '../model/codec';
import { refuse } from '../model/errors';
import { readInteger } from '../values/decimal';
import { formatDate, formatDateTime, readMoment, type WallTime } from '../values/moment';
import { asItCame, isBlank, isEmpty, isObject, type SimplifiedValue } from '../values/shapes';

/** `yyyy-MM-dd`, whether it came as text or as `{year, month, day}`. */
function readDate({ val }: PartValueObject): SimplifiedValue {
  if (isEmpty(val)) return null;
  if (!isObject(val)) return asItCame(val);
  if (isEmpty(val.year) && isEmpty(val.month) && isEmpty(val.day)) {
    return Object.keys(val).every((key) => isEmpty(val[key])) ? null : asItCame(val);
  }
  const [year, month, day] = [readInteger(val.year), readInteger(val.month), readInteger(val.day)];
  return year === null || month === null || day === null ? asItCame(val) : formatDate({ year, month, day });
}

export const date = momentCodec({
  label: 'Date',
  compares: 'date',
  read: readDate,
  accepts: 'a date as yyyy-MM-dd, an ISO date/time, or a date object',
  format: formatDate,
  forms: ['yyyy-MM-dd', 'y-M-d'],
});

/** `yyyy-MM-ddTHH:mm`, whether it came as text or as an object of its fields. */
function readDateTime({ val }: PartValueObject): SimplifiedValue {
  if (isEmpty(val)) return null;
  if (!isObject(val)) return asItCame(val);
  const [year, month, day] = [readInteger(val.year), readInteger(val.month), readInteger(val.day)];
  const [hour, minute] = [readInteger(val.hour), readInteger(val.minute)];
  if (year === null || month === null || day === null || hour === null || minute === null)
    return asItCame(val);
  return formatDateTime({ year, month, day, hour, minute });
}

export const datetime = momentCodec({
  label: 'Date/time',
  compares: 'datetime',
  read: readDateTime,
  accepts: 'a date/time as yyyy-MM-ddTHH:mm, an ISO date/time with an offset, or a date object',
  format: formatDateTime,
  forms: ['yyyy-MM-ddTHH:mm', 'y-M-dTHH:mm'],
});

interface MomentForm extends Pick<PartCodec, 'label' | 'read' | 'accepts' | 'compares'> {
  readonly format: (wall: WallTime) => string;
  /** The form of a value, to whose length a suggestion is cut; and a shorter text for it. */
  readonly forms: readonly [string, string];
}

/** The codec of a part with a date, or a date and time, in the workflow's time zone. */
function momentCodec({ format, ...form }: MomentForm): PartCodec {
  const { accepts, forms } = form;
  return {
    ...form,
    write(value, part, context) {
      if (isBlank(value)) return { kind: 'text', text: '' };
      const moment = readMoment(value, context.timezone);
      if ('problem' in moment) {
        throw refuse(part, value, {
          reason: `it ${moment.problem}`,
          accepts,
          suggestion: moment.suggestion?.slice(0, forms[0].length),
        });
      }
      const text = format(moment.wall);
      return moment.converted ? { kind: 'text', text, converted: true } : { kind: 'text', text };
    },
    sortable: true,
    searchable: false,
    filterable: true,
  };
}
