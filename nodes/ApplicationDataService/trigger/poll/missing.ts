import { concurrently } from '../../service/concurrently';
import type { TriggerState } from '../state/triggerState';
import type { Budget, Change, PollSettings, Warn } from './settings';
import type { RecordSource } from './source';

/** Losses below this are checked at once: a small application may well lose most of its records. */
const SUDDEN_LOSS = 10;
const READS_AT_ONCE = 4;
/** Records after which what was found out is kept, whatever happens then. */
const IDS_AT_ONCE = 100;

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
  let look: Look = { deleted: [], there: [], inDoubt: 0 };
  for (let start = 0; start < ids.length && budget.mayRead(); start += IDS_AT_ONCE) {
    look = await lookAt(ids.slice(start, start + IDS_AT_ONCE), source, budget);
    for (const id of look.there) {
      if (settings.narrowed) records.markAway(id);
      // It moved from page to page while these were read. It is met next time.
      else records.markSeen(id);
    }
    for (const id of look.deleted) {
      changes.push({ event: 'deleted', id, previousRevision: records.get(id)?.revision ?? 0 });
      records.remove(id);
    }
    if (look.inDoubt > 0 || 'failure' in look) break;
  }
  if (look.inDoubt > 0) {
    state.lastFullScan = 0;
    warn(
      `${look.inDoubt} missing records cannot be read, but neither can others: nothing is taken for deleted`,
    );
  }
  const isSettled = records.countMissing() === 0;
  if (isSettled) state.heldBack = false;
  const failure = 'failure' in look ? { failure: look.failure } : {};
  return { changes, done: isSettled || look.inDoubt > 0, ...failure };
}

/** What became of some missing records. */
interface Look {
  readonly deleted: readonly string[];
  readonly there: readonly string[];
  /** So many are refused, but others are, too: that says nothing about these. */
  readonly inDoubt: number;
  readonly failure?: unknown;
}

async function lookAt<R>(ids: readonly string[], source: RecordSource<R>, budget: Budget): Promise<Look> {
  const first = await readMissing(ids, source, () => budget.mayRead());
  const found = { ...first, deleted: [], inDoubt: 0 };
  if (first.refused.length === 0 || 'failure' in first) return found;
  try {
    if (!(await source.answersWell())) return { ...found, inDoubt: first.refused.length };
  } catch (failure) {
    return { ...found, failure };
  }
  // No number tells why the service refuses: it may have been in trouble just when these were read.
  const second = await readMissing(first.refused, source, () => true);
  return { ...second, deleted: second.refused, there: [...first.there, ...second.there], inDoubt: 0 };
}

/** What reading some missing records one by one came to, in the order in which they were asked for. */
interface Reads {
  readonly refused: readonly string[];
  readonly there: readonly string[];
  readonly failure?: unknown;
}

async function readMissing<R>(
  ids: readonly string[],
  source: RecordSource<R>,
  mayRead: () => boolean,
): Promise<Reads> {
  const isThere = new Map<string, boolean>();
  const outcomes = await concurrently(
    ids.map((id) => async () => {
      if (mayRead()) isThere.set(id, (await source.read(id)) !== null);
    }),
    { limit: READS_AT_ONCE, stopOnError: true },
  );
  const failed = outcomes.find((outcome) => outcome !== undefined && 'error' in outcome);
  return {
    refused: ids.filter((id) => isThere.get(id) === false),
    there: ids.filter((id) => isThere.get(id) === true),
    ...(failed !== undefined && 'error' in failed && { failure: failed.error }),
  };
}
