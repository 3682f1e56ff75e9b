import { settle } from '../../util/concurrently';
import { compareIds, idNumber } from '../state/ids';
import { RecordTable } from '../state/recordTable';
import type { TriggerState } from '../state/triggerState';
import type { Emitted, PollContext, ReadContext } from './context';
import { MissingRecords } from './deletions';
import { emit, waitingCandidates } from './emit';
import { quickPass, type QuickPass } from './quickPass';
import { ScanPart } from './scan';
import { shareOf, type Budget } from './time';

/** If less than this share of its time is left, a poll begins nothing new. */
const LEAST_SHARE = 0.1;
/** How many of the highest IDs are checked to see whether IDs grow. */
const HIGHEST_IDS = 50;

/** The parts of a poll, each in its turn, so that none can block another forever. */
const PARTS = ['retry', 'quick', 'scan', 'settle'] as const;
type Part = (typeof PARTS)[number];

/** The result of one poll. After a failure, state and items contain the earlier progress. */
export interface PollOutcome<T> {
  readonly state: TriggerState;
  readonly emitted: readonly Emitted<T>[];
  /** Something was done that need not be done again. */
  readonly hasProgressed: boolean;
  /** The failure that ended it early; `undefined` if there was none. */
  readonly failure: unknown;
}

/**
 * One poll, from top to bottom: it continues from the state, or begins a new one; then does its four parts in turn, as
 * long as there is time and room:
 *
 * 1. `retry`: records that were found but could not be output yet (emit.ts);
 * 2. `quick`: the last changed records, where a part shows when they were changed (quickPass.ts);
 * 3. `scan`: IDs and revisions of all records, compared with the state (scan.ts);
 * 4. `settle`: what happened to records that the scan did not meet (deletions.ts).
 *
 * What is new or changed is read whole (readWhole.ts) and made into items (emit.ts). A record that is not output keeps
 * its old revision in the state, so a poll that is cut short loses nothing.
 * @throws the source's failure if nothing can be begun.
 */
export async function poll<R, T>(
  previous: TriggerState | null,
  base: Omit<PollContext<R, T>, 'state' | 'emitted'>,
): Promise<PollOutcome<T>> {
  const { settings, memory, source } = base;
  memory.versions.begin();
  memory.whole.begin();
  const state = previous ?? (await begin(base));
  const emitted: Emitted<T>[] = [];
  const running = new Poll<R, T>({ ...base, state, emitted });
  if (state.credential !== settings.credential) await running.adopt();
  if (state.quick?.part !== settings.quick?.part)
    state.quick = settings.quick === undefined ? null : { part: settings.quick.part, boundary: '' };
  await running.run();
  const { failure, hasProgressed } = running;
  if (settings.quick === undefined) emitted.sort(inOrder);
  // Running out of time is not a failure if progress was made.
  const isOver = hasProgressed && source.troubleOf(failure) === 'late';
  return {
    state,
    emitted,
    hasProgressed: hasProgressed || previous === null,
    failure: isOver ? undefined : failure,
  };
}

/** In order of IDs, deletions last. */
function inOrder<T>(one: Emitted<T>, other: Emitted<T>): number {
  const last = Number(one.event === 'deleted') - Number(other.event === 'deleted');
  return last !== 0 ? last : compareIds(one.id, other.id);
}

/** An empty state, except for what distinguishes new records from old ones. */
async function begin(context: Omit<ReadContext, 'state'>): Promise<TriggerState> {
  const { fingerprint, credential, emitExisting, watched } = context.settings;
  const highestId = emitExisting ? -1 : await highestOf(context);
  return {
    fingerprint,
    credential,
    records: new RecordTable(watched.length),
    watched,
    baseline: { highestId, emitExisting, adopts: false },
    scan: null,
    waiting: new Map(),
    settling: false,
    postponed: false,
    quick: null,
    lastFullScan: 0,
    turn: 0,
    failing: 0,
  };
}

/** The highest ID if IDs grow; -1 if there are no records, `null` if IDs do not grow. */
async function highestOf({ source, warn, budget }: Omit<ReadContext, 'state'>): Promise<number | null> {
  const slice = { offset: 0, limit: HIGHEST_IDS, withinMs: budget.left() };
  const numbers = (await source.list({ ...slice, order: 'lastId' })).map(({ id }) => idNumber(id));
  // An application that is not running may list nothing, and all its records would then count as new.
  if (numbers.length === 0) await source.assertRunning();
  if (numbers.every((number, index) => index === 0 || number < numbers[index - 1]!)) return numbers[0] ?? -1;
  warn(
    'Record IDs do not increase: records created during the first scan cannot be distinguished from older ones',
  );
  return null;
}

/** The parts of one poll, their shares of its time and room, and their results. */
class Poll<R, T> {
  hasProgressed = false;
  failure: unknown;
  private readonly total: number;
  private readonly done = new Set<Part>();
  /** Parts that made no progress. */
  private readonly stuck = new Set<Part>();
  /** The quick pass of this poll left nothing out, and the newest value that it found. */
  private pass: QuickPass = { complete: false, newest: '', failure: undefined };

  constructor(private readonly context: PollContext<R, T>) {
    this.total = context.budget.left();
  }

  /** What was learned with another credential stays. The next scan learns what else this one can see. */
  async adopt(): Promise<void> {
    const { state, settings } = this.context;
    state.baseline = { highestId: await highestOf(this.context), emitExisting: false, adopts: true };
    state.credential = settings.credential;
    state.scan = null;
    this.hasProgressed = true;
  }

  /** Runs all parts in turn, and repeats unfinished ones as long as there is time. */
  async run(): Promise<void> {
    const { state } = this.context;
    const order = PARTS.map((_, index) => PARTS[(index + state.turn) % PARTS.length]!);
    while (await this.round(order));
    const isLeft = state.scan !== null || state.settling || state.waiting.size > 0 || this.isScanDue();
    state.turn = isLeft ? (state.turn + 1) % PARTS.length : 0;
  }

  /** @returns whether another round is worth it. */
  private async round(order: readonly Part[]): Promise<boolean> {
    const { settings, budget, source, emitted } = this.context;
    let hasWorked = false;
    for (const [index, part] of order.entries()) {
      const room = settings.maxRecords - emitted.length;
      if (this.stuck.has(part) || !this.hasWork(part) || room <= 0) continue;
      if (this.done.size > 0 && budget.left() < this.total * LEAST_SHARE) return false;
      // A scan may find records that must then be settled.
      const mayWork = (other: Part): boolean =>
        (!this.stuck.has(other) && this.hasWork(other)) || (part === 'scan' && other === 'settle');
      const parts = 1 + order.slice(index + 1).filter(mayWork).length;
      if (part === 'scan') this.openScan();
      const before = this.progress();
      const outcome = await settle(
        async () => await this.do(part, Math.ceil(room / parts), shareOf(budget, 1 / parts)),
      );
      const hasProgressed = this.progress() !== before;
      const failure = 'error' in outcome ? outcome.error : undefined;
      this.done.add(part);
      this.hasProgressed ||= hasProgressed;
      this.failure ??= failure;
      if (failure !== undefined && ['service', 'busy'].includes(source.troubleOf(failure))) return false;
      if (failure !== undefined || !hasProgressed) this.stuck.add(part);
      else hasWorked = true;
    }
    return hasWorked;
  }

  private hasWork(part: Part): boolean {
    const { state } = this.context;
    if (part === 'retry') return state.waiting.size > 0 && !this.done.has(part);
    if (part === 'quick') return state.quick !== null && !this.done.has(part);
    if (part === 'settle') return state.settling && state.baseline === null;
    return state.scan !== null || this.isScanDue();
  }

  /** A poll continues one scan, or begins one. */
  private isScanDue(): boolean {
    const { state, settings, now } = this.context;
    if (this.done.has('scan')) return false;
    if (state.baseline !== null || state.lastFullScan === 0) return true;
    if (this.done.has('quick') && !this.pass.complete) return true;
    // A clock that was set back must not postpone full scans.
    return now < state.lastFullScan || now - state.lastFullScan >= (settings.quick?.fullScanEveryMs ?? 0);
  }

  /** Changes with everything that need not be done again. */
  private progress(): string {
    const { state, emitted } = this.context;
    const tries = [...state.waiting.values()].reduce((sum, waiting) => sum + waiting.tries, 0);
    const place = state.scan === null ? 'at the end' : state.scan.after;
    return [emitted.length, state.records.changes, tries, place].join();
  }

  /** @throws the failure that ends the part. */
  private async do(part: Part, room: number, budget: Budget): Promise<void> {
    const { context } = this;
    const { scan } = context.state;
    if (part === 'settle') return await new MissingRecords(budget, context).settle(room);
    if (part === 'scan' && scan !== null) return await new ScanPart(scan, budget, context).run(room);
    if (part === 'quick') this.pass = await quickPass(room, budget, context);
    const { failure } =
      part === 'quick' ? this.pass : await emit(waitingCandidates(context), room, budget, context);
    if (failure !== undefined) throw failure as Error;
  }

  private openScan(): void {
    const { state, settings, now, memory } = this.context;
    if (state.scan !== null) return;
    // Without quick polls this time is not needed, and it would change the state each time.
    state.lastFullScan = settings.quick === undefined ? 0 : now;
    // After an incomplete quick pass, the scan covers everything older than what that found, to the certain end.
    state.scan = { after: null, newest: this.pass.newest || (state.quick?.boundary ?? '') };
    if (this.done.has('quick') && !this.pass.complete) memory.passes.scan = 0;
  }
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
