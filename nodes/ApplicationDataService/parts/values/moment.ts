import { attempt } from '../../util/concurrently';

type MomentReading =
  /** `isMoved`: converted to the zone, it is on another day than as it was given. */
  { readonly text: string; readonly isMoved?: boolean } | { readonly reason: string };

/** A year, a month and a day, in this order; as in ISO 8601, and as Japanese spreadsheets write it. */
const YEAR_FIRST =
  /^(\d{4})([-/.年])(\d\d?)([-/.月])(\d\d?)(日?)(?:[T ](\d\d?):(\d\d)(?::([0-5]\d)(?:[.,]\d+)?)?(?:\s?(Z|([+-](?:0\d|1[0-4])):?([0-5]\d)?)(?:\[[^\]]*\])?)?)?$/i;
const SEPARATORS: readonly string[] = ['--', '//', '..', '年月日'];

/** A date or date/time as a person gives it: a local one as it is, one with an offset, or an object, in `timezone`. */
export function readMoment(value: unknown, timezone: string): MomentReading {
  if (typeof value === 'string') return readLocal(value.trim(), timezone);
  // A Date or Luxon object is known by its methods: expressions make them in another realm.
  const { toMillis, getTime } = (value ?? {}) as Partial<Record<string, unknown>>;
  const method = typeof toMillis === 'function' ? toMillis : getTime;
  if (typeof method !== 'function') return { reason: 'it is not a date' };
  const instant = Number(method.call(value));
  if (Number.isNaN(instant)) return { reason: 'it is not a valid date' };
  const given = isoText(value) ?? '';
  // A Date object knows no other zone than UTC: it may mean a day only if it is a midnight there.
  return inZone(instant, timezone, given.endsWith('Z') && !given.includes('T00:00:00') ? '' : given);
}

/** The ISO form of a Date or Luxon object; `null` for anything else, and for an invalid date. */
export function isoText(value: unknown): string | null {
  const { toISO, toISOString } = (value ?? {}) as Partial<Record<string, unknown>>;
  const method = typeof toISO === 'function' ? toISO : toISOString;
  if (typeof method !== 'function') return null;
  const text = attempt((): unknown => method.call(value));
  return 'value' in text && typeof text.value === 'string' ? text.value : null;
}

function readLocal(text: string, timezone: string): MomentReading {
  const [whole, year, afterYear = '', month = '', afterMonth = '', day = '', afterDay = '', ...time] =
    YEAR_FIRST.exec(text) ?? [];
  if (whole === undefined || !SEPARATORS.includes(afterYear + afterMonth + afterDay))
    return { reason: 'it is not a date in the form yyyy-MM-dd' };
  const [hour = '00', minute = '00', seconds = '00', offset, ...shift] = time;
  const local = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${hour.padStart(2, '0')}:${minute}`;
  if (!exists(local)) return { reason: 'it names a day or a time of day that does not exist' };
  if (offset === undefined) return { text: local };
  return inZone(Date.parse(`${local}:${seconds}${offsetOf(...shift)}`), timezone, local);
}

function offsetOf(hours?: string, minutes = '00'): string {
  return hours === undefined ? 'Z' : `${hours}:${minutes}`;
}

/** JavaScript takes February 30 for a day of March, and 24:00 for the next day. */
function exists(local: string): boolean {
  const instant = Date.parse(`${local}Z`);
  const isReal = !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(local);
  return isReal && !local.startsWith('0000');
}

const FIELDS = ['year', 'month', 'day', 'hour', 'minute'] as const;
const formatters = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError for a name that no time zone has. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formatters.get(timeZone);
  if (cached !== undefined) return cached;
  const fields = Object.fromEntries(FIELDS.map((field) => [field, 'numeric'])) as Intl.DateTimeFormatOptions;
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', era: 'short', ...fields });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** Whether a name is in the IANA list. "BST" is London in summer to a person, and Dhaka to the engine. */
export function isTimeZone(name: string): boolean {
  return /^UTC$|\//i.test(name) && 'value' in attempt(() => formatterOf(name));
}

/** @param given its local form as it was given, if it has one. */
function inZone(instant: number, timezone: string, given: string): MomentReading {
  const formatter = attempt(() => formatterOf(timezone));
  if ('error' in formatter)
    return { reason: `it cannot be converted to the time zone "${timezone}", which is not known` };
  const parts = formatter.value.formatToParts(instant);
  const field = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  const [year = '', month, day, hour, minute] = FIELDS.map((type) => field(type).padStart(2, '0'));
  if (field('era') !== 'AD' || year.length > 4) return { reason: 'it lies outside the years 1 to 9999' };
  const date = `${year.padStart(4, '0')}-${month}-${day}`;
  return { text: `${date}T${hour}:${minute}`, isMoved: given !== '' && !given.startsWith(date) };
}
