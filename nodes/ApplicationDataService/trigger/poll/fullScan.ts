import { idNumber } from '../state/recordId';
import type { Baseline, OpenScan, TriggerState } from '../state/triggerState';
import { Candidates, type Candidate } from './candidates';
import { emit } from './emit';
import { headPages } from './headPages';
import { settleMissing } from './missing';
import type { Budget, Change, PollSettings, Warn } from './settings';
import type { Head, RecordSource } from './recordSource';
import { readWhole } from './wholeRecords';

/** After so long the minute in which a date/time was met is over on any clock. */
export const MINUTE_IS_OVER_MS = 120_000;

/** What a poll works with. */
export interface PollContext<R> {
  readonly source: RecordSource<R>;
  readonly settings: PollSettings;
  readonly budget: Budget;
  readonly warn: Warn;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What part of a poll gave. */
export interface PartOfPoll<R> {
  readonly changes: Change<R>[];
  /** What ended it early; what was done before it stays done. */
  readonly failure?: unknown;
}

/** Begins a full scan. `newest` is the newest date/time met so far, where quick polls are made. */
export function beginScan(
  state: TriggerState,
  newest: string,
  { settings, now }: PollContext<unknown>,
): OpenScan {
  state.records.clearSeen();
  // Without quick polls nobody asks when it was; it would only make the state another one each time.
  state.lastFullScan = settings.quick === undefined ? 0 : now;
  state.scan = { phase: 'pages', offset: 0, tail: [], newest };
  return state.scan;
}

/**
 * Goes on with the open scan until it is done, the budget is used up or `limit` changes were found. Then changes the
 * state accordingly. Never throws.
 */
export async function continueScan<R>(
  state: TriggerState,
  scan: OpenScan,
  limit: number,
  context: PollContext<R>,
): Promise<PartOfPoll<R>> {
  const found: PartOfPoll<R> =
    scan.phase === 'pages' ? await scanPages(state, scan, limit, context) : { changes: [] };
  const { source, settings, budget, warn } = context;
  if (found.failure !== undefined || state.scan?.phase !== 'missing') return found;

  const room = limit - found.changes.length;
  if (room <= 0 || !budget.mayRead()) return found;
  const missing = await settleMissing(state, source, settings, budget, room, warn);
  if (missing.done) closeScan(state, context);
  return { changes: [...found.changes, ...missing.changes], failure: missing.failure };
}

function closeScan(state: TriggerState, { now }: PollContext<unknown>): void {
  const { quick, scan, lastFullScan } = state;
  state.scan = null;
  state.baseline = null;
  state.records.clearSeen();
  if (quick === null || scan === null) return;
  if (scan.newest > quick.boundary)
    state.quick = { ...quick, boundary: scan.newest, since: now, settled: false };
  else if (lastFullScan - quick.since >= MINUTE_IS_OVER_MS) state.quick = { ...quick, settled: true };
}

async function scanPages<R>(
  state: TriggerState,
  scan: OpenScan,
  limit: number,
  { source, settings, budget, warn }: PollContext<R>,
): Promise<PartOfPoll<R>> {
  const candidates = new Candidates(state.records, settings);
  let failure: unknown;
  try {
    const seen = (id: string): boolean => state.records.isSeen(id);
    const pages = headPages(scan, source, settings.paging, seen, () => budget.mayScan());
    for await (const { heads, offset, next, isLast } of pages) {
      if (state.baseline !== null && !isAscending(heads)) distrustOrder(state, candidates, warn);
      for (const head of heads) {
        candidates.consider(head, offset, wasThereBefore(head.id, state.baseline));
        state.records.markSeen(head.id);
      }
      state.scan = { ...scan, ...next, phase: isLast ? 'missing' : 'pages' };
      if (candidates.size >= limit) break;
    }
  } catch (error) {
    failure = error;
  }
  const ordered = candidates.inOrder();
  const chosen = ordered.slice(0, limit);
  const whole = await readWhole(chosen, source, settings.paging, budget);
  const { changes, left } = emit(chosen, whole, state.records);
  // What could not be read is found by the next scan; what was only too much for this poll, by the next poll.
  if (whole.failure !== undefined) state.lastFullScan = 0;
  const waiting = whole.failure === undefined ? [...left, ...ordered.slice(limit)] : ordered.slice(limit);
  if (waiting.length > 0) goBack(state, scan, waiting);
  return { changes, failure: failure ?? whole.failure };
}

/** Goes on, next time, from the first page that holds something still to be emitted. */
function goBack(state: TriggerState, scan: OpenScan, waiting: readonly Candidate[]): void {
  const offset = Math.min(...waiting.slice(0, 1000).map((candidate) => candidate.offset));
  state.scan = { ...scan, phase: 'pages', offset, tail: [] };
}

function isAscending(heads: readonly Head[]): boolean {
  let previous = -1;
  for (const { id } of heads) {
    const number = idNumber(id);
    if (number <= previous) return false;
    previous = number;
  }
  return true;
}

/** Whether a record that is not known counts as one that existed when the trigger began. */
function wasThereBefore(id: string, baseline: Baseline | null): boolean {
  if (baseline === null || baseline.emitExisting) return false;
  const number = idNumber(id);
  return baseline.highestId === null || number < 0 || number <= baseline.highestId;
}

/** Ids do not grow with the list: then the highest one does not tell new records from old ones. */
function distrustOrder(state: TriggerState, candidates: Candidates, warn: Warn): void {
  const { baseline } = state;
  if (baseline === null || baseline.emitExisting || baseline.highestId === null) return;
  state.baseline = { ...baseline, highestId: null };
  candidates.forgetCreated();
  warn(
    'Record IDs are not in ascending order: records created during the first scan cannot be told from older ones',
  );
}
