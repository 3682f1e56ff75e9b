import { concurrently } from '../../service/concurrently';
import type { TriggerState } from '../state/triggerState';
import type { Budget, Change, PollSettings, Warn } from './settings';
import type { RecordSource } from './source';

/** Losses below this are checked at once: a small application may well lose most of its records. */
const SUDDEN_LOSS = 10;
const READS_AT_ONCE = 4;

/** What came of records that the scan did not meet. */
export interface MissingOutcome<R> {
  readonly changes: Change<R>[];
  /** Everything is settled: the scan may be closed. */
  readonly done: boolean;
  readonly failure?: unknown;
}

/**
 * Settles what became of the records that a whole scan did not meet. One is deleted only once the service refuses to
 * read it while it answers well otherwise; under a filter it may have left the filter.
 */
export async function settleMissing<R>(
  state: TriggerState,
  source: RecordSource<R>,
  settings: PollSettings,
  budget: Budget,
  limit: number,
  warn: Warn,
): Promise<MissingOutcome<R>> {
  const { records } = state;
  const count = records.countMissing();
  if (count === 0) {
    state.heldBack = false;
    return { changes: [], done: true };
  }
  if (!settings.events.has('deleted')) {
    // Nobody asks whether they still exist; should they come back, they are not new.
    for (const id of records.missing(count)) records.markAway(id);
    return { changes: [], done: true };
  }
  if (!state.heldBack && count >= SUDDEN_LOSS && count * 2 > records.presentSize) {
    state.heldBack = true;
    state.lastFullScan = 0;
    warn(
      `${count} of ${records.presentSize} records are missing at once. It may be a withdrawn right, a changed filter or maintenance, so their deletion is held back for one poll`,
    );
    return { changes: [], done: true };
  }
  return await checkMissing(state, source, settings, budget, records.missing(limit), warn);
}

async function checkMissing<R>(
  state: TriggerState,
  source: RecordSource<R>,
  settings: PollSettings,
  budget: Budget,
  ids: readonly string[],
  warn: Warn,
): Promise<MissingOutcome<R>> {
  const { records } = state;
  const refused = new Set<string>();
  const outcomes = await concurrently(
    ids.map((id) => async () => {
      if (!budget.mayRead()) return;
      if ((await source.read(id)) === null) refused.add(id);
      else if (settings.narrowed) records.markAway(id);
      // It moved from page to page while these were read. It is met next time.
      else records.markSeen(id);
    }),
    { limit: READS_AT_ONCE, stopOnError: true },
  );
  const failed = outcomes.find((outcome) => outcome !== undefined && 'error' in outcome);
  const failure = failed !== undefined && 'error' in failed ? { failure: failed.error } : {};
  const changes: Change<R>[] = [];
  if (refused.size > 0) {
    try {
      if (!(await source.answersWell())) {
        state.lastFullScan = 0;
        warn(
          `${refused.size} missing records cannot be read, but neither can others: nothing is taken for deleted`,
        );
        return { changes, done: true, ...failure };
      }
    } catch (error) {
      return { changes, done: false, failure: error };
    }
    for (const id of ids.filter((each) => refused.has(each))) {
      changes.push({ event: 'deleted', id, previousRevision: records.get(id)?.revision ?? 0 });
      records.remove(id);
    }
  }
  const done = records.countMissing() === 0;
  if (done) state.heldBack = false;
  return { changes, done, ...failure };
}
