import { attempt } from '../../util/concurrently';

type MomentReading = { readonly text: string } | { readonly reason: string };

const ISO =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[T ](\d\d):(\d\d)(?::([0-5]\d)(?:[.,]\d+)?)?(?:\s?(Z|([+-](?:0\d|1[0-4])):?([0-5]\d)?)(?:\[[^\]]*\])?)?)?$/i;

/** A date or date/time as a person gives it: a local one as it is, one with an offset, or an object, in `timezone`. */
export function readMoment(value: unknown, timezone: string): MomentReading {
  if (typeof value === 'string') return readIso(value.trim(), timezone);
  // A Date or Luxon object is known by its methods: expressions make them in another realm.
  const { toMillis, getTime } = (value ?? {}) as Partial<Record<string, unknown>>;
  const method = typeof toMillis === 'function' ? toMillis : getTime;
  if (typeof method !== 'function') return { reason: 'it is not a date' };
  const instant = Number(method.call(value));
  return Number.isNaN(instant) ? { reason: 'it is not a valid date' } : inZone(instant, timezone);
}

function readIso(text: string, timezone: string): MomentReading {
  const [whole, year, month = '', day = '', hour = '00', minute = '00', ...zoned] = ISO.exec(text) ?? [];
  if (whole === undefined) return { reason: 'it is not a date in the form yyyy-MM-dd' };
  const local = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${hour}:${minute}`;
  if (!exists(local)) return { reason: 'it names a day or a time of day that does not exist' };
  const [second = '00', offset, hours, minutes = '00'] = zoned;
  if (offset === undefined) return { text: local };
  return inZone(
    Date.parse(`${local}:${second}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`),
    timezone,
  );
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
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const fields = Object.fromEntries(FIELDS.map((field) => [field, 'numeric'])) as Intl.DateTimeFormatOptions;
  const formatter = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', era: 'short', ...fields });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** Whether a name is in the IANA list. "BST" is London in summer to a person, and Dhaka to the engine. */
export function isTimeZone(name: string): boolean {
  return /^UTC$|\//i.test(name) && 'value' in attempt(() => formatterOf(name));
}

function inZone(instant: number, timezone: string): MomentReading {
  if (!isTimeZone(timezone))
    return { reason: `it cannot be converted to the time zone "${timezone}", which is not known` };
  const parts = formatterOf(timezone).formatToParts(instant);
  const field = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  const [year = '', month, day, hour, minute] = FIELDS.map((type) => field(type).padStart(2, '0'));
  if (field('era') !== 'AD' || year.length > 4) return { reason: 'it lies outside the years 1 to 9999' };
  return { text: `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}` };
}
