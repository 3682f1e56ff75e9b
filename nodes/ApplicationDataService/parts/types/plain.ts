import { refuse } from '../model/errors';
import { EVERY_USE, type PartCodec, type PartValueObject, type ValueKind } from '../model/part';
import { canonicalDecimal, exactNumber, plainDecimal, readInteger } from '../values/decimal';
import { isoText, readMoment } from '../values/moment';
import { asItCame, isBlank, isEmpty, isObject, readText, type SimplifiedValue } from '../values/shapes';

export function readOneText(val: unknown): SimplifiedValue {
  if (isEmpty(val)) return null;
  return typeof val === 'number' || typeof val === 'boolean' ? String(val) : asItCame(val);
}

/** The text of a plain value, and of a date object; `null` for others, and for invalid ones (`NaN`, functions). */
export function plainText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? plainDecimal(String(value)) : null;
  if (typeof value === 'object') return isoText(value);
  return typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : null;
}

const anyText: Omit<PartCodec, 'label'> = {
  read: ({ val }) => readOneText(val),
  write(value, part) {
    const text = isEmpty(value) ? '' : plainText(value);
    if (text !== null) return { kind: 'text', text };
    throw refuse(part, value, 'it is not a text', {
      advice: 'Turn lists and objects into text with an expression, e.g. with .join() or JSON.stringify().',
    });
  },
  accepts: 'a text, a number, or true or false',
  searchable: true,
  filterable: true,
};

export const textarea: PartCodec = { ...anyText, label: 'Text (multi line)', multiline: true };
export const richeditor: PartCodec = { ...anyText, label: 'Rich text', multiline: true };
export const textbox: PartCodec = { ...anyText, label: 'Text (one line)', sortable: true, maxLength: 255 };
export const number = ofKind('number', 'Number', 'a number, e.g. 1200 or 12.5');

export const date = ofKind(
  'date',
  'Date',
  'a date as yyyy-MM-dd, an ISO date/time, or a date object',
  'date',
);

export const datetime = ofKind(
  'datetime',
  'Date/time',
  'a date/time as yyyy-MM-ddTHH:mm, an ISO date/time with an offset, or a date object',
  'date, time',
);

export const time = ofKind(
  'time',
  'Time',
  'a time as HH:mm or HH:mm:ss, or whole seconds since 00:00:00',
  'time',
);

export const expression: PartCodec = {
  label: 'Auto calculation',
  read: (value) => READERS[resultKind(value)](value.val),
  accepts: 'nothing: the service calculates it',
  ...EVERY_USE,
  compares: 'result',
};

/** The kind of a result. interface.md does not list the types: what resembles a part type code is understood, too. */
export function resultKind({ type }: PartValueObject): ValueKind {
  const text = readText(type).toLowerCase();
  if (/^(num|int|dec|float|double)/.test(text)) return 'number';
  if (text.startsWith('date')) return text.includes('time') ? 'datetime' : 'date';
  return text.startsWith('time') ? 'time' : 'text';
}

export const ORDERED_KINDS = ['number', 'date', 'time', 'datetime'] as const;
type FormedKind = (typeof ORDERED_KINDS)[number];

function ofKind(kind: FormedKind, label: string, accepts: string, form?: string): PartCodec {
  return {
    label,
    read: ({ val }) => READERS[kind](val),
    write(value, part, { timezone, onMovedDay }) {
      const formed: Formed = isBlank(value) ? { text: '' } : FORMS[kind](value, timezone);
      if (!('text' in formed)) throw refuse(part, value, formed.reason, { advice: formed.advice });
      if (formed.isMoved === true) onMovedDay?.(part);
      return { kind: 'text', text: formed.text };
    },
    accepts,
    ...(form !== undefined && { form }),
    sortable: true,
    filterable: true,
    compares: kind,
  };
}

const READERS: Readonly<Record<ValueKind, (val: unknown) => SimplifiedValue>> = {
  text: readOneText,
  /** A number if JavaScript can represent it exactly, else its text, without separators (design.md, Output). */
  number(val) {
    if (isEmpty(val)) return null;
    if (typeof val !== 'string') return asItCame(val);
    return exactNumber(val) ?? (plainDecimal(val) === null ? val : val.replaceAll(',', ''));
  },
  /** Seconds since 00:00:00 as `HH:mm:ss`; a day and more counts on (`25:00:00`). */
  time(val) {
    if (isEmpty(val)) return null;
    const seconds = readInteger(val);
    if (seconds === null || seconds < 0) return asItCame(val);
    const minutes = Math.floor(seconds / 60);
    return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  },
  date: fieldsReader(['year', 'month', 'day']),
  datetime: fieldsReader(['year', 'month', 'day', 'hour', 'minute']),
};

/** A date may come as an object of its fields (service-facts, "Responses"). */
function fieldsReader(fields: readonly string[]) {
  return (val: unknown): SimplifiedValue => {
    if (isEmpty(val) || (isObject(val) && Object.values(val).every(isEmpty))) return null;
    const numbers = isObject(val) ? fields.map((field) => readInteger(val[field])) : [null];
    if (numbers.includes(null)) return asItCame(val);
    const [year = '', month, day, hour, minute] = numbers.map(twoDigits);
    return `${year.padStart(4, '0')}-${month}-${day}${hour === undefined ? '' : `T${hour}:${minute}`}`;
  };
}

function twoDigits(number: number | null): string {
  return String(number).padStart(2, '0');
}

type Formed =
  | { readonly text: string; readonly isMoved?: boolean }
  | { readonly reason: string; readonly advice?: string };

const FORMS: Readonly<Record<FormedKind, (value: unknown, timezone: string) => Formed>> = {
  /** In its shortest form: a part without decimal places refuses `10000.0` (service-facts). */
  number(value) {
    const decimal = plainDecimal(plainText(value) ?? '');
    return decimal === null ? { reason: 'it is not a number' } : { text: canonicalDecimal(decimal) };
  },
  time(value) {
    const seconds = secondsOf(value);
    if (seconds !== null) return { text: String(seconds) };
    const advice = 'Of a date object, take the time with an expression, e.g. .toFormat("HH:mm").';
    return { reason: 'it is not a time', advice };
  },
  date(value, timezone) {
    const moment = readMoment(value, timezone);
    return 'text' in moment ? { ...moment, text: moment.text.slice(0, 'yyyy-MM-dd'.length) } : moment;
  },
  datetime(value, timezone) {
    const moment = readMoment(value, timezone);
    return 'text' in moment ? { text: moment.text } : moment;
  },
};

/** The text by which values of a kind are compared, with offsets converted to a zone; `null` for another value. */
export function canonicalIn(kind: ValueKind, value: unknown, timezone: string): string | null {
  if (kind === 'text') return readText(value).replaceAll('\r\n', '\n');
  const formed = FORMS[kind](value, timezone);
  return 'text' in formed ? formed.text : null;
}

/** What may be part of a value of a kind, as values are shown. Of a date/time, a day is a part, not its midnight. */
export function partialIn(kind: FormedKind, value: unknown, timezone: string): string | null {
  if (typeof value !== 'string') return canonicalIn(kind, value, timezone);
  const text = value.trim();
  if (kind === 'number') return plainDecimal(text) ?? text;
  if (kind === 'time') return text.replace(/^\d:/, '0$&');
  const isDay = kind === 'date' || !/[T ]/i.test(text);
  return canonicalIn(isDay ? 'date' : kind, text, timezone) ?? monthIn(text) ?? text;
}

/** A year, or a month of one, as dates that are shown begin. */
function monthIn(text: string): string | null {
  const [, year, , plain, japanese] = /^(\d{4})(?:([-/.])(\d\d?)?\2?|年(?:(\d\d?)月?)?)$/.exec(text) ?? [];
  return year === undefined ? null : `${year}-${(plain ?? japanese)?.padStart(2, '0') ?? ''}`;
}

const CLOCK = /^(\d{1,9}):([0-5]\d)(?::([0-5]\d))?$/;

function secondsOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  const [, hours, minutes = '0', seconds = '0'] = CLOCK.exec(text) ?? [];
  if (hours !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const whole = /^\d+$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(whole) ? whole : null;
}
