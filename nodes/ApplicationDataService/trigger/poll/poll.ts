import { describeList } from '../../parts/values/describe';
import { isAboutOneRecord } from '../../service/read/notThere';
import { listsLess } from '../../service/read/paging';
import { settle } from '../../util/concurrently';
import { messageOf } from '../../util/userError';
import { LateError } from '../source/time';
import { StalePartsError } from '../source/recordSource';
import type { Watch } from '../source/watch';
import { compareIds } from '../../util/ids';
import { RecordTable } from '../state/recordTable';
import { decodeState, headerOf, type TriggerState } from '../state/stateCodec';
import type { PollContext, PollSettings, PollTools, Told } from './context';
import { resolveMissing } from './deletions';
import { emit } from './emit';
import { fetchNewest, quickPass } from './quickPass';
import { LIST_AGAIN, Scan } from './scan';

/** The share of a poll's time for records that failed before. */
const RETRY_SHARE = 0.25;

/** The result of one poll. After a failure, state and items contain the earlier progress. */
export interface PollOutcome<T> extends Pick<PollContext<T>, 'state' | 'emitted'> {
  /** Something was done that need not be done again. */
  readonly hasProgressed: boolean;
  readonly failure: Error | undefined;
}

/**
 * One poll, from top to bottom: it continues from the state, or begins a new one. What is new or changed is read whole
 * and made into items (emit.ts). A record that is not output keeps its old revision in the state, so a poll that is cut
 * short loses nothing.
 * @param previous `undefined` if there is none; `null` if it is about something else.
 * @throws the source's failure if nothing can be begun; StalePartsError if all must be read again.
 */
export async function poll<T>(
  previous: TriggerState | null | undefined,
  base: PollTools<T>,
): Promise<PollOutcome<T>> {
  const { quick } = base.settings;
  const state = previous ?? (await newState(base, previous === undefined && base.settings.emitExisting));
  state.events = [...base.settings.events].sort();
  const began = base.time.clock.now();
  const context: PollContext<T> = { ...base, state, began, emitted: [], tried: new Set() };
  const before = headerOf(state);
  if (state.quick?.part !== quick?.part)
    state.quick = quick === undefined ? null : { part: quick.part, watermark: '', scanned: 0 };
  const outcome = await settle(async () => await workInOrder(context));
  const failure = 'error' in outcome ? (outcome.error as Error) : undefined;
  // Nothing is kept of what was read by other parts.
  if (failure instanceof StalePartsError) throw failure;
  const hasProgressed =
    !previous || context.emitted.length > 0 || state.records.hasChanged || headerOf(state) !== before;
  if (quick === undefined) context.emitted.sort(byIdDeletedLast);
  // Running out of time is not a failure if progress was made.
  const isOver = hasProgressed && failure instanceof LateError;
  return { ...context, hasProgressed, failure: isOver ? undefined : failure };
}

/**
 * What a poll does after the records that failed before. Each is first in turn, so that none waits for ever where Max
 * Records, or the time, leaves room for one only. What a scan finds missing is looked up after it.
 */
const ORDERS = [
  [quickPass, scanIfDue, resolveMissing],
  [scanIfDue, quickPass, resolveMissing],
  [resolveMissing, quickPass, scanIfDue, resolveMissing],
] as const;

async function workInOrder<T>(context: PollContext<T>): Promise<void> {
  const { state, settings, emitted, source, time, polls } = context;
  // What is remembered of them says nothing about other parts of the same name.
  if (source.watch.watched.length > 0) await source.assertPartsCurrent();
  if (state.waiting.size > 0) await retry(context);
  for (const work of ORDERS[polls % ORDERS.length]!)
    if (emitted.length < settings.maxRecords && time.left() > 0) await work(context);
}

async function scanIfDue<T>(context: PollContext<T>): Promise<void> {
  const { state, began } = context;
  if (!isScanDue(context)) return;
  // Up to the watermark, everything is known, unless a pass did not come to its end.
  const isKnown = state.scan !== null || state.quick?.scanned !== 0;
  const newest = isKnown ? (state.quick?.watermark ?? '') : await fetchNewest(context);
  await new Scan(state.scan ?? { after: -1, offset: 0, newest, began }, context).run();
}

function isScanDue<T>({ state, settings, began }: PollContext<T>): boolean {
  const { quick, scan, learnsUpTo } = state;
  if (quick === null || settings.quick === undefined || scan !== null || learnsUpTo !== null) return true;
  const passed = began - quick.scanned;
  // A clock that was set back must not postpone full scans.
  return quick.scanned === 0 || passed < 0 || passed >= settings.quick.fullScanEveryMs;
}

/** An empty state, except for what distinguishes new records from old ones. */
async function newState<T>({ settings, source }: PollTools<T>, emitExisting: boolean): Promise<TriggerState> {
  const [last] = emitExisting ? [] : await source.listLast('id', 1);
  // Else all records would count as new once the service shows them.
  const count = last === undefined && !emitExisting ? await source.countAtEnd() : 0;
  if (count > 0) throw listsLess(count, 0, LIST_AGAIN);
  return {
    fingerprint: settings.fingerprint,
    records: new RecordTable(source.watch.watched.map(({ id }) => id)),
    learnsUpTo: last?.number ?? -1,
    scan: null,
    pages: null,
    waiting: new Map(),
    quick: null,
    failing: 0,
  };
}

/**
 * Tries the records that failed before, those tried least often first, as far as the service's filter still shows them.
 * The others wait no longer: the next scan finds what happened to them. If the filter cannot be asked for their IDs,
 * all wait until the scan meets them.
 */
async function retry<T>(context: PollContext<T>): Promise<void> {
  const { state, source, time, warn } = context;
  const { waiting } = state;
  const ids = [...waiting.keys()].sort((one, other) => waiting.get(one)!.tries - waiting.get(other)!.tries);
  const budget = time.share(RETRY_SHARE);
  const outcome = await settle(async () => {
    const terms = { isFiltered: true, withinMs: budget.left() };
    const listed = source.isFiltered ? await source.listByIds(ids, terms) : [];
    if (listed === null) return;
    const shown = new Map(listed.map((version) => [version.id, version]));
    if (source.isFiltered) for (const id of ids) if (!shown.has(id)) waiting.delete(id);
    const left = ids.filter((id) => waiting.has(id));
    const candidates = left.map((id) => ({ id, version: shown.get(id) ?? null }));
    const { failure } = await emit(candidates, budget, context);
    if (failure !== undefined) throw failure;
  });
  if (!('error' in outcome)) return;
  if (!isAboutOneRecord(outcome.error)) throw outcome.error;
  // Nothing is known of them, or they are too slow: the scan goes on, and fails by itself if the service is down.
  warn(`Records that failed before are left to the next poll: ${messageOf(outcome.error)}`);
}

function byIdDeletedLast(one: Told<unknown>, other: Told<unknown>): number {
  const last = Number(one.event === 'deleted') - Number(other.event === 'deleted');
  return last || compareIds(one.id, other.id);
}

/**
 * The saved state, as it fits what is watched now; `null` if it is about something else: then records are learned
 * again, with a warning.
 */
export async function fittingState<T>(
  saved: unknown,
  { settings, source, warn }: PollTools<T>,
): Promise<TriggerState | null> {
  const state = await decodeState(saved);
  if (state?.fingerprint === settings.fingerprint && !tellsMore(state, settings, source.watch)) {
    const { watched, keepsValues } = source.watch;
    state.records.rewatch(watched.map(({ id }) => id));
    if (!keepsValues) state.records.keepValues(0);
    return state;
  }
  const reason =
    state === null
      ? 'The memory of the trigger cannot be read or has another version'
      : 'The settings of what to watch have changed';
  warn(
    `${reason}: the trigger learns the records again, and changes since the last poll are not reported${untold(state)}`,
  );
  return null;
}

/** Whether what was not told when the state was written is told now: all of it would come at once. */
function tellsMore(
  { events: before, records }: TriggerState,
  { events }: PollSettings,
  watch: Watch,
): boolean {
  if (records.watched.length > 0 && watch.watched.length === 0) return true;
  if (before === undefined) return false;
  const isAdded = [...events].some((event) => !before.includes(event));
  return isAdded || (before.includes('created') && !events.has('created'));
}

/** What a state that is given up had still to tell, as the rest of a sentence. */
function untold(state: TriggerState | null): string {
  const waiting = [...(state?.waiting.keys() ?? [])];
  const missing = state?.records.missing() ?? [];
  const left = [
    ...(waiting.length > 0 ? [`records ${describeList(waiting)} (not readable so far)`] : []),
    ...(missing.length > 0 ? [`records ${describeList(missing)} (missing, perhaps deleted)`] : []),
    ...(state?.scan ? [`what its scan had not reached, after record ${Math.max(0, state.scan.after)}`] : []),
  ];
  return left.length > 0 ? `. It had still to tell of ${left.join('; ')}` : '';
}

/** How many failing polls in a row only warn, as long as each of them made progress. */
const MAX_QUIET = 3;

/**
 * Handles a poll that failed. If it made progress, it warns and returns, because n8n's durable engine drops what
 * was done when a poll throws. But the error workflow must be started if polls keep failing.
 */
export function judgePoll({ state, emitted, hasProgressed, failure }: PollOutcome<unknown>): {
  readonly failing: number;
  readonly throws: boolean;
} {
  if (failure === undefined) return { failing: 0, throws: false };
  const failing = Math.min(MAX_QUIET + 1, state.failing + 1);
  return { failing, throws: emitted.length === 0 && (!hasProgressed || failing > MAX_QUIET) };
}
