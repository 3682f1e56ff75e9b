import type { Stored } from './part.ts';
import { InvalidValue, type ReadContext } from './kind.ts';
import { single, textOf } from './text.ts';

/** @throws {@link InvalidValue} unless the text is a day of the calendar, `yyyy-MM-dd`. */
function checkDate(text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  if (day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text;
  throw new InvalidValue(`takes a date as yyyy-MM-dd, not "${text}"`);
}

/** @throws {@link InvalidValue} unless the text is `yyyy-MM-ddTHH:mm`. */
function checkDateTime(text: string): string {
  const [day = '', time = '', ...rest] = text.split('T');
  if (rest.length === 0 && /^([01]\d|2[0-3]):[0-5]\d$/.test(time)) {
    checkDate(day);
    return text;
  }
  throw new InvalidValue(`takes a date and time as yyyy-MM-ddTHH:mm, not "${text}"`);
}

/** Longest time that a part can contain, in seconds: as long as a duration in hours can be. */
const longestTime = 999 * 3600 + 59 * 60 + 59;

/** @throws {@link InvalidValue} unless the text is a number of seconds. */
function checkTime(text: string): number {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds <= longestTime) return seconds;
  throw new InvalidValue(`takes a time as seconds since 00:00:00, not "${text}"`);
}

function writeDate(value: Stored | undefined, { dialect }: ReadContext): unknown {
  const text = textOf(value);
  if (text === '' || dialect.dates === 'text') return text;
  const [year, month, day] = text.split('-').map(Number);
  return { year, month, day };
}

const traits = { searchable: false, sortable: true };

export const date = single(traits, checkDate, writeDate);
export const datetime = single(traits, checkDateTime);
export const time = single(traits, checkTime, (value) => value ?? '');
