import { concurrently } from '../../util/concurrently';
import type { TriggerState } from '../state/triggerState';
import type { Budget, Change, PollSettings, Warn } from './settings';
import type { RecordSource } from './recordSource';

/** Losses below this are checked at once: a small application may well lose most of its records. */
const SUDDEN_LOSS = 10;
const READS_AT_ONCE = 4;
/** Records after which what was found out is kept: few, so that a short poll settles some. */
const IDS_AT_ONCE = 20;
/** Looks that may fail before a poll leaves it at that. */
const MOST_FAILED_LOOKS = 10;

/** What came of records that the scan did not meet. */
export interface MissingOutcome<R> {
  readonly changes: Change<R>[];
  /** Everything is settled: the scan may be closed. */
  readonly done: boolean;
  readonly failure?: unknown;
}

/**
 * Settles what became of the records that a whole scan did not meet. One is deleted only once the service refuses twice to
 * read it, and answers well in between; under a filter it may have left the filter.
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

/** In portions, so that a poll whose time is over has settled what it could. */
async function checkMissing<R>(
  state: TriggerState,
  source: RecordSource<R>,
  settings: PollSettings,
  budget: Budget,
  ids: readonly string[],
  warn: Warn,
): Promise<MissingOutcome<R>> {
  const { records } = state;
  const changes: Change<R>[] = [];
  const failures: unknown[] = [];
  let failedLooks = 0;
  let inDoubt = 0;
  let answersWell = true;
  // The first portion is so small that even a slow service gets through with it.
  for (let start = 0, size = READS_AT_ONCE; start < ids.length && budget.mayRead(); size = IDS_AT_ONCE) {
    const look = await lookAt(ids.slice(start, start + size), source, budget);
    start += look.tried;
    changes.push(...keep(look, records, settings));
    failures.push(...look.failures);
    if (look.failures.length > 0) failedLooks++;
    ({ inDoubt, answersWell } = look);
    if (!answersWell || failedLooks >= MOST_FAILED_LOOKS) break;
  }
  if (inDoubt > 0) {
    state.lastFullScan = 0;
    warn(`${inDoubt} missing records cannot be read, but neither can others: nothing is taken for deleted`);
  }
  // Where only those are left whose reading fails, the next scan asks for them again: others must not wait for them.
  const isSettled = records.countMissing() <= (answersWell ? failures.length : 0);
  if (isSettled) state.heldBack = false;
  const failure = failures.length > 0 ? { failure: failures[0] } : {};
  return { changes, done: isSettled || inDoubt > 0, ...failure };
}

/** Remembers what became of some missing records, and returns the deletions. */
function keep(
  { there, deleted }: Look,
  records: TriggerState['records'],
  { narrowed }: PollSettings,
): Change<never>[] {
  for (const id of there) {
    if (narrowed) records.markAway(id);
    // It moved from page to page while these were read. The next scan will find it.
    else records.markSeen(id);
  }
  return deleted.map((id) => {
    const previousRevision = records.get(id)?.revision ?? 0;
    records.remove(id);
    return { event: 'deleted', id, previousRevision };
  });
}

/** What became of some missing records. */
interface Look {
  /** So many from the first were looked at. */
  readonly tried: number;
  readonly deleted: readonly string[];
  readonly there: readonly string[];
  /** Number of records that are refused while others are, too: these may still exist. */
  readonly inDoubt: number;
  /** Otherwise it is of no use to go on. */
  readonly answersWell: boolean;
  readonly failures: readonly unknown[];
}

async function lookAt<R>(ids: readonly string[], source: RecordSource<R>, budget: Budget): Promise<Look> {
  const first = await readMissing(ids, source, budget);
  const { tried, refused, there, failures } = first;
  const found = { tried, deleted: [], there, inDoubt: 0, answersWell: true, failures };
  if (refused.length === 0 && failures.length === 0) return found;
  try {
    // A failure may be about its record alone, too.
    if (!(await source.answersWell())) return { ...found, inDoubt: refused.length, answersWell: false };
  } catch (failure) {
    return { ...found, answersWell: false, failures: [...failures, failure] };
  }
  // Error numbers do not say why the service refuses: it may have been in trouble just when these were read.
  const second = await readMissing(refused, source, budget);
  return {
    ...found,
    deleted: second.refused,
    there: [...there, ...second.there],
    failures: [...failures, ...second.failures],
  };
}

/** What reading some missing records one by one came to, in the order in which they were asked for. */
interface Reads {
  /** So many from the first were asked for; the others not, since one failed or the time was over. */
  readonly tried: number;
  readonly refused: readonly string[];
  readonly there: readonly string[];
  readonly failures: readonly unknown[];
}

async function readMissing<R>(
  ids: readonly string[],
  source: RecordSource<R>,
  budget: Budget,
): Promise<Reads> {
  const isThere = new Map<string, boolean>();
  const outcomes = await concurrently(
    ids.map((id) => async () => {
      if (budget.mayRead()) isThere.set(id, (await source.read(id)) !== null);
    }),
    { limit: READS_AT_ONCE, stopOnError: true },
  );
  const failures = outcomes.flatMap((outcome) =>
    outcome !== undefined && 'error' in outcome ? [outcome.error] : [],
  );
  return {
    tried: isThere.size + failures.length,
    refused: ids.filter((id) => isThere.get(id) === false),
    there: ids.filter((id) => isThere.get(id) === true),
    failures,
  };
}
