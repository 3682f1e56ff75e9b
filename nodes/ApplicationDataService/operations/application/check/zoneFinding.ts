import { formatDateTime, readMoment } from '../../../parts/values/moment';
import { handled, limited, ok, unknown, type Finding } from './finding';

/** Difference between two times that is tolerated, in minutes: the service counts in minutes, and clocks differ. */
const TOLERANCE = 5;

interface Terms {
  readonly timezone: string;
  readonly now: () => number;
}

/**
 * Whether the service's own times are in the workflow's time zone.
 * @param texts what the service wrote as its own time a moment ago.
 */
export function zoneFinding({ timezone, now }: Terms, texts: readonly string[]): Finding {
  const [minutes] = texts.map(minutesOf).filter((each) => each !== null);
  const here = readMoment(new Date(now()), timezone);
  if (minutes === undefined || 'problem' in here) {
    return unknown(
      'The service shows no time of its own',
      'Compare a time in the application with the clock.',
    );
  }
  const difference = minutes - (minutesOf(formatDateTime(here.wall)) ?? 0);
  if (Math.abs(difference) <= TOLERANCE) return ok("In the workflow's time zone", 'Nothing to do.');
  // Time zones differ by quarters of an hour. The rest is the difference between the clocks.
  const quarters = Math.round(difference / 15) * 15;
  if (Math.abs(difference - quarters) > TOLERANCE) {
    return handled('The clocks differ too much to tell', 'Set the clocks of the service and of n8n right.');
  }
  const hours = Math.abs(quarters) / 60;
  const way = quarters > 0 ? 'ahead of' : 'behind';
  return limited(
    `${hours} hours ${way} the workflow's time zone`,
    "Set the option Time Zone, or the workflow's time zone, to that of the service. Otherwise times are wrong by this much.",
  );
}

/** Minutes since the epoch of a wall time, as if it were UTC. */
function minutesOf(text: string): number | null {
  const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text) ? Date.parse(`${text}Z`) : NaN;
  return Number.isNaN(time) ? null : Math.round(time / 60_000);
}
