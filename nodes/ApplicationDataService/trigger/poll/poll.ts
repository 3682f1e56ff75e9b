import { idNumber } from '../state/recordId';
import { RecordTable } from '../state/recordTable';
import type { TriggerState } from '../state/triggerState';
import { beginScan, continueScan, type PartOfPoll, type PollContext } from './fullScan';
import { quickPass, type QuickPass } from './quickPass';
import type { Change } from './settings';

/** So many of the highest ids are looked at to see whether ids grow at all. */
const HIGHEST_IDS = 50;

/** What one poll came to. */
export interface PollOutcome<R> {
  readonly state: TriggerState;
  readonly changes: Change<R>[];
  /** What ended the poll early; state and changes hold what was done before. */
  readonly failure?: unknown;
}

/**
 * One poll: goes on from the state, or begins one, and returns what changed. A record that is not returned keeps its old
 * revision in the state, so whatever is cut short is found again.
 * @throws what the source throws where nothing can be begun at all.
 */
export async function poll<R>(
  previous: TriggerState | null,
  context: PollContext<R>,
): Promise<PollOutcome<R>> {
  const state = previous ?? (await begin(context));
  const { settings, budget } = context;
  const quick = await quickPart(state, context);
  const room = settings.maxRecords - quick.changes.length;
  if (quick.failure !== undefined || room <= 0 || !budget.mayScan()) return { state, ...quick };
  if (quick.complete && !isScanDue(state, context)) return { state, ...quick };

  const wasOpen = state.scan !== null;
  let scanned = await scan(state, room, quick.newest, context);
  // Only the end of an earlier scan, and nothing in it: what happened since is not in there.
  const hasRoom = scanned.changes.length === 0 && scanned.failure === undefined && budget.mayScan();
  if (wasOpen && state.scan === null && hasRoom && isScanDue(state, context))
    scanned = await scan(state, room, quick.newest, context);
  return { state, changes: [...quick.changes, ...scanned.changes], failure: scanned.failure };
}

async function scan<R>(
  state: TriggerState,
  limit: number,
  newest: string,
  context: PollContext<R>,
): Promise<PartOfPoll<R>> {
  return await continueScan(state, state.scan ?? beginScan(state, newest, context), limit, context);
}

/** The quick poll, where it is wanted and the first scan is done. Without one a full scan is due. */
async function quickPart<R>(state: TriggerState, context: PollContext<R>): Promise<QuickPass<R>> {
  const { settings, source, now } = context;
  const none = { changes: [], complete: false, newest: '' };
  if (settings.quick === undefined) {
    state.quick = null;
    return none;
  }
  const { part } = settings.quick;
  if (state.quick?.part !== part) state.quick = null;
  if (state.quick !== null && state.baseline === null)
    return await quickPass(state, state.quick, settings.maxRecords, context);
  if (state.quick === null) {
    try {
      const boundary = (await source.newest(0, 1))[0]?.updated ?? '';
      state.quick = { part, boundary, since: now, settled: false };
    } catch (failure) {
      return { ...none, failure };
    }
  }
  return none;
}

function isScanDue({ scan, baseline, lastFullScan }: TriggerState, context: PollContext<unknown>): boolean {
  const { settings, now } = context;
  if (settings.quick === undefined || scan !== null || baseline !== null || lastFullScan === 0) return true;
  // A clock that was set back must not put full scans off.
  return now < lastFullScan || now - lastFullScan >= settings.quick.fullScanEveryMs;
}

/** An empty state, apart from what distinguishes new records from old ones. */
async function begin({ source, settings, warn }: PollContext<unknown>): Promise<TriggerState> {
  const { fingerprint, emitExisting } = settings;
  const highestId = emitExisting ? -1 : highest(await source.lastIds(HIGHEST_IDS));
  if (highestId === null)
    warn('Record IDs do not grow: records created during the first scan cannot be told from older ones');
  return {
    fingerprint,
    records: new RecordTable(),
    baseline: { highestId, emitExisting },
    scan: null,
    heldBack: false,
    quick: null,
    lastFullScan: 0,
  };
}

/** The first of the ids where they descend; -1 where there are none, `null` where they do not. */
function highest(ids: readonly string[]): number | null {
  let previous = Infinity;
  for (const id of ids) {
    const number = idNumber(id);
    if (number < 0 || number >= previous) return null;
    previous = number;
  }
  return ids[0] === undefined ? -1 : idNumber(ids[0]);
}

export type { Change };
