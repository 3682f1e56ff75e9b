import type { Part, PartCodec, PartValueObject, WriteValue } from '../model/part';
import { asItCame, isBlank, isEmpty, type SimplifiedValue } from '../values/shapes';
import { readInteger } from '../values/decimal';
import { refuse } from '../model/errors';
import { twoDigits } from '../values/moment';

const CLOCK = /^(\d{1,9}):([0-5]\d)(?::([0-5]\d))?$/;

/** Seconds since 00:00:00 as `HH:mm:ss`; a day and more counts on (`25:00:00`). */
export function readTime({ val }: PartValueObject): SimplifiedValue {
  if (isEmpty(val)) return null;
  const seconds = readInteger(val);
  if (seconds === null || seconds < 0) return asItCame(val);
  const minutes = Math.floor(seconds / 60);
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

/** The seconds since 00:00:00 of a time or a whole number; `null` for anything else. */
export function secondsOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? value : null;
  if (typeof value !== 'string') return null;
  const text = value.trim();
  const [, hours, minutes = '0', seconds = '0'] = CLOCK.exec(text) ?? [];
  if (hours !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const whole = /^\d+$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(whole) ? whole : null;
}

export const time: PartCodec = {
  label: 'Time',
  read: readTime,
  write(value: unknown, part: Part): WriteValue {
    if (isBlank(value)) return { kind: 'text', text: '' };
    const seconds = secondsOf(value);
    if (seconds !== null) return { kind: 'text', text: String(seconds) };
    throw refuse(part, value, {
      reason: 'it is not a time',
      accepts: time.accepts,
      advice: 'Of a date object, take the time with an expression, e.g. .toFormat("HH:mm").',
    });
  },
  accepts: 'a time as HH:mm or HH:mm:ss, or whole seconds since 00:00:00',
  forms: ['HH:mm'],
  sortable: true,
  searchable: false,
  filterable: true,
  compares: 'time',
};
