import { attempt } from '../../util/concurrently';

/** A local date and time, without a time zone. */
export interface WallTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** A date/time, or why the text is not one (follows "it ..."). */
type MomentReading = WallTime | { readonly problem: string };

const ISO =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?:\s?(Z|[+-]\d{2}(?::?\d{2})?)(?:\[[^\]]*\])?)?)?$/i;
const MAX_OFFSET_MINUTES = 14 * 60;

/**
 * Reads the accepted values of a date or date/time part: `yyyy-MM-dd` and `yyyy-MM-ddTHH:mm[:ss]` are used as they are,
 * also without leading zeros in month and day. Values with an offset or `Z`, and Date or Luxon objects, are points in
 * time and are converted to `timezone`. Never throws.
 */
export function readMoment(value: unknown, timezone: string): MomentReading {
  if (typeof value === 'string') return readIso(value.trim(), timezone);
  const millis = millisOf(value);
  if (millis === null) return { problem: 'is not a date' };
  return Number.isNaN(millis) ? { problem: 'is not a valid date' } : inZone(millis, timezone);
}

function readIso(text: string, timezone: string): MomentReading {
  const match = ISO.exec(text);
  if (match === null) return { problem: 'is not a date in the form yyyy-MM-dd' };
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const problem = calendarProblem(year, month, day) ?? clockProblem(hour, minute, second);
  if (problem !== null) return { problem };
  const wall = { year, month, day, hour, minute };
  const offset = match[7];
  if (offset === undefined) return wall;
  const minutes = offsetMinutes(offset);
  if (minutes === null) return { problem: `has an offset that does not exist (${offset})` };
  return inZone(utcMillis(wall) + second * 1000 - minutes * 60_000, timezone);
}

function calendarProblem(year: number, month: number, day: number): string | null {
  if (year === 0) return 'names the year 0, which does not exist';
  if (month < 1 || month > 12) return `names month ${month}`;
  const days = new Date(utcMillis({ year, month: month + 1, day: 0, hour: 0, minute: 0 })).getUTCDate();
  return day < 1 || day > days ? `names day ${day} of a month that has ${days} days` : null;
}

function clockProblem(hour: number, minute: number, second: number): string | null {
  return hour > 23 || minute > 59 || second > 59 ? 'names a time of day that does not exist' : null;
}

function utcMillis(wall: WallTime): number {
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(wall.year, wall.month - 1, wall.day);
  return date.setUTCHours(wall.hour, wall.minute);
}

function offsetMinutes(offset: string): number | null {
  if (offset.toUpperCase() === 'Z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', '') || 0);
  const total = hours * 60 + minutes;
  if (minutes > 59 || total > MAX_OFFSET_MINUTES) return null;
  return offset.startsWith('-') ? -total : total;
}

/**
 * The point in time of a Date or a Luxon DateTime. They are known by their methods: n8n evaluates expressions in
 * another realm, where `instanceof` fails. `NaN` for an invalid one, `null` for anything else.
 */
function millisOf(value: unknown): number | null {
  if (typeof value !== 'object' || value === null) return null;
  try {
    const { toMillis, getTime } = value as Partial<Record<string, unknown>>;
    const method = typeof toMillis === 'function' ? toMillis : getTime;
    if (typeof method !== 'function') return null;
    const millis: unknown = method.call(value);
    return typeof millis === 'number' ? millis : NaN;
  } catch {
    // An object that only looks like a date is refused as an invalid date.
    return NaN;
  }
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError for a name that no time zone has. */
function formatterOf(timezone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timezone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    formatters.set(timezone, formatter);
  }
  return formatter;
}

/**
 * Whether a time zone has this name in the IANA list, as `Area/City` or `UTC` (parameters.md, Settled questions). "BST"
 * is London in summer to a person, and Dhaka to the engine.
 */
export function isTimeZone(name: string): boolean {
  return /^UTC$|\//i.test(name) && 'value' in attempt(() => formatterOf(name));
}

function inZone(instant: number, timezone: string): MomentReading {
  if (!isTimeZone(timezone))
    return { problem: `cannot be converted to the time zone "${timezone}", which is not known` };
  const parts = formatterOf(timezone).formatToParts(instant);
  const field = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = FIELDS.map((type) => Number(field(type)));
  if (field('era') !== 'AD' || year > 9999) return { problem: 'lies outside the years 1 to 9999' };
  return { year, month, day, hour, minute };
}

const FIELDS = ['year', 'month', 'day', 'hour', 'minute'] as const;

/** `yyyy-MM-dd` */
export function formatDate(date: Pick<WallTime, 'year' | 'month' | 'day'>): string {
  return `${String(date.year).padStart(4, '0')}-${twoDigits(date.month)}-${twoDigits(date.day)}`;
}

/** `yyyy-MM-ddTHH:mm` */
export function formatDateTime(wall: WallTime): string {
  return `${formatDate(wall)}T${twoDigits(wall.hour)}:${twoDigits(wall.minute)}`;
}

/** `7` as `07`. */
export function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
