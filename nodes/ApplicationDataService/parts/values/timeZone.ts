import { nearest } from './suggest';

/** The names that were found to be known: each item may have an option of its own. */
const known = new Set<string>();

/** Whether a text names a time zone that dates and times can be converted to. */
export function isTimeZone(text: string): boolean {
  if (known.has(text)) return true;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text });
  } catch {
    return false;
  }
  known.add(text);
  return true;
}

/** The time zone that a person most likely meant, by its name or its city: "Asia/Tokyo" for "Tokyo". */
export function nearestTimeZone(text: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone');
  const byCity = new Map(zones.map((zone) => [zone.slice(zone.lastIndexOf('/') + 1), zone]));
  const city = nearest(text.replaceAll(' ', '_'), byCity.keys());
  return nearest(text, zones) ?? (city === undefined ? undefined : byCity.get(city));
}
