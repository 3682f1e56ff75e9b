import type { Delivery } from '../ledger/line';
import type { Entry } from '../world/journal';
import type { WatcherKind } from './watcherKinds';

/**
 * Polls besides those that return what is pending: the last ones without an event, deletions that are held back, and
 * records that a trigger learned when it began and has never reported.
 */
const SPARE_POLLS = 20;

/**
 * How many polls a trigger needs at most until it has reported everything: in ten minutes, far more can pile up than
 * it returns, because the service has little time for polls. A trigger that repeats itself needs more, and so does one
 * whose polls return less than they may.
 */
export function mostPolls(
  { name, most = Infinity }: WatcherKind,
  deliveries: readonly Delivery[],
  journal: readonly Entry[],
): number {
  const reported = new Map<string, number | null>();
  for (const { watcher, events } of deliveries)
    if (watcher === name) for (const { id, revision } of events) reported.set(id, revision);
  const last = new Map(journal.map((entry) => [entry.record, entry]));
  const pending = [...last.values()].filter(({ event, record, revision }) =>
    event === 'delete' ? (reported.get(record) ?? null) !== null : reported.get(record) !== revision,
  );
  return Math.ceil(pending.length / most) + SPARE_POLLS;
}
