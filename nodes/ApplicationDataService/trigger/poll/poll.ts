import { settle, unless } from '../../util/concurrently';
import { compareIds, idNumber } from '../state/ids';
import { RecordTable } from '../state/recordTable';
import type { TriggerState } from '../state/triggerState';
import type { Budget, Given, PartOfPoll, Trouble } from './contract';
import type { PollContext, ReadContext } from './memory';
import { settleMissing } from './deletions';
import { give, waitingCandidates } from './give';
import { countRecent, newestOf, quickPass } from './quickPass';
import { continueScan } from './scan';

/** If less than this share of its time is left, a poll begins nothing new. */
const LEAST_SHARE = 0.1;
/** How many of the highest IDs are checked to see whether IDs grow. */
const HIGHEST_IDS = 50;

/** The parts of a poll, each in its turn, so that none can block another forever. */
const PARTS = ['retry', 'quick', 'scan', 'settle'] as const;
type Part = (typeof PARTS)[number];

/** The result of one poll. */
export interface PollOutcome<T> {
  readonly state: TriggerState;
  readonly given: readonly Given<T>[];
  /** Something was done that need not be done again. */
  readonly hasProgressed: boolean;
  /** The failure that ended the poll early. State and items contain the earlier progress. */
  readonly failure?: unknown;
}

/**
 * One poll, from top to bottom: it continues from the state, or begins a new one; learns what must be known before anything
 * is compared; then does its four parts in turn, as long as there is time and room:
 *
 * 1. `retry`: records that were found but could not be output yet (give.ts);
 * 2. `quick`: the last changed records, where a part shows when they were changed (quickPass.ts);
 * 3. `scan`: IDs and revisions of all records, compared with the state (scan.ts);
 * 4. `settle`: what happened to records that the scan did not meet (deletions.ts).
 *
 * What is new or changed is read whole (readWhole.ts) and made into items (give.ts). A record that is not output keeps its
 * old revision in the state, so a poll that is cut short loses nothing.
 * @throws the source's failure if nothing can be begun.
 */
export async function poll<R, T>(
  previous: TriggerState | null,
  base: Omit<PollContext<R, T>, 'state'>,
): Promise<PollOutcome<T>> {
  const { settings, memory } = base;
  memory.heads.begin();
  memory.whole.begin();
  const state = previous ?? (await begin(base));
  const running = new Poll<R, T>({ ...base, state });
  const failure = await running.run();
  const given = settings.quick === undefined ? [...running.given].sort(inOrder) : running.given;
  const hasProgressed = previous === null || running.hasProgressed();
  return { state, given, hasProgressed, ...(failure !== undefined && { failure }) };
}

/** In order of IDs, deletions last. */
function inOrder<T>(one: Given<T>, other: Given<T>): number {
  const last = Number(one.event === 'deleted') - Number(other.event === 'deleted');
  return last !== 0 ? last : compareIds(one.id, other.id);
}

/** Whether it would be in vain to go on. */
function isService(trouble: Trouble): boolean {
  return trouble === 'service' || trouble === 'busy';
}

/** An empty state, except for what distinguishes new records from old ones. */
async function begin(context: Omit<ReadContext, 'state'>): Promise<TriggerState> {
  const { fingerprint, credential, emitExisting, watched, columns } = context.settings;
  const highestId = emitExisting ? -1 : await highestOf(context);
  return {
    fingerprint,
    credential,
    records: new RecordTable(watched.length),
    watched,
    columns: [columns],
    baseline: { highestId, emitExisting, adopts: false },
    scan: null,
    waiting: new Map(),
    settling: false,
    heldBack: false,
    quick: null,
    lastFullScan: 0,
    turn: 0,
    failing: 0,
    isFull: false,
  };
}

/** The highest ID if IDs grow; -1 if there are no records, `null` if IDs do not grow. */
async function highestOf({ source, warn, budget }: Omit<ReadContext, 'state'>): Promise<number | null> {
  const last = await source.list({ order: 'lastId', offset: 0, limit: HIGHEST_IDS, withinMs: budget.left() });
  // An application that is not running may list nothing, and all its records would then count as new.
  if (last.length === 0) await source.assertRunning();
  const numbers = last.map(({ id }) => idNumber(id));
  if (numbers.every((number, index) => index === 0 || number < numbers[index - 1]!)) return numbers[0] ?? -1;
  warn(
    'Record IDs do not increase: records created during the first scan cannot be distinguished from older ones',
  );
  return null;
}

/** The parts of one poll, their shares of its time and room, and their results. */
class Poll<R, T> {
  readonly given: Given<T>[] = [];
  private readonly total: number;
  private readonly before: {
    readonly after: string | null;
    readonly waiting: number;
    readonly missing: number;
  };
  private hasBegunScan = false;
  private hasEndedScan = false;
  private hasLearned = false;
  private readonly done = new Set<Part>();
  /** Parts that made no progress in this poll. */
  private readonly stuck = new Set<Part>();
  /** Whether a quick pass of this poll left nothing out. */
  private isComplete = false;
  /** The newest value that the quick pass found. The scan after an incomplete pass covers everything older. */
  private newest = '';
  private failure: unknown;

  constructor(private readonly context: PollContext<R, T>) {
    const { state, budget } = context;
    this.total = budget.left();
    this.before = {
      after: state.scan?.after ?? null,
      waiting: state.waiting.size,
      missing: state.records.missingSize,
    };
  }

  /** Runs all parts in turn, and repeats unfinished ones as long as there is time. @returns the failure that ended it early. */
  async run(): Promise<unknown> {
    const { state } = this.context;
    const prepared = await settle(async () => await this.prepare());
    if ('error' in prepared) return prepared.error;
    const order = PARTS.map((_, index) => PARTS[(index + state.turn) % PARTS.length]!);
    while (await this.round(order));
    const { scan, settling, waiting } = state;
    const isLeft = scan !== null || settling || waiting.size > 0 || this.isScanDue();
    state.turn = isLeft ? (state.turn + 1) % PARTS.length : 0;
    // Running out of time is not a failure if progress was made.
    return this.context.source.troubleOf(this.failure) === 'late' && this.hasProgressed()
      ? undefined
      : this.failure;
  }

  /** Learns what must be known before anything is compared. */
  private async prepare(): Promise<void> {
    const { state, settings } = this.context;
    if (state.credential !== settings.credential) {
      // What was learned with another credential stays. The next scan learns what else this one can see.
      state.baseline = { highestId: await highestOf(this.context), emitExisting: false, adopts: true };
      state.credential = settings.credential;
      state.scan = null;
      this.hasLearned = true;
    }
    await this.markQuick();
  }

  /** Records from where on the list of the last changed records is known. If that fails, full scans are made instead. */
  private async markQuick(): Promise<void> {
    const { state, settings, source, now, budget, memory } = this.context;
    const { quick } = settings;
    if (quick !== undefined && state.quick?.part === quick.part) return;
    state.quick = null;
    if (quick === undefined) return;
    const slice = { offset: 0, ...memory.heads.next(budget) };
    const listed = await unless(
      (failure) => !isService(source.troubleOf(failure)),
      async () => await source.list({ ...slice, order: 'newest' }),
    );
    if (listed === null) return;
    const boundary = newestOf(listed, now);
    state.quick = { part: quick.part, boundary };
    memory.recent = countRecent(listed, boundary);
  }

  /** @returns whether another round is worth it. */
  private async round(order: readonly Part[]): Promise<boolean> {
    const { settings, budget, source } = this.context;
    let hasWorked = false;
    for (const [index, part] of order.entries()) {
      const room = settings.maxRecords - this.given.length;
      if (!this.hasWork(part) || room <= 0) continue;
      if (this.done.size > 0 && budget.left() < this.total * LEAST_SHARE) return false;
      const others = order.slice(index + 1).filter((other) => this.mayHaveWork(other, part)).length;
      const before = this.progress();
      const { given, failure } = await this.do(part, Math.ceil(room / (others + 1)), this.share(others + 1));
      this.given.push(...given);
      this.done.add(part);
      this.failure ??= failure;
      if (failure !== undefined && isService(source.troubleOf(failure))) return false;
      const isStuck = failure !== undefined || this.progress() === before;
      if (isStuck) this.stuck.add(part);
      else hasWorked = true;
    }
    return hasWorked;
  }

  /** A text that changes with each step of progress. */
  private progress(): string {
    const { scan, records, settling } = this.context.state;
    return JSON.stringify([this.given.length, scan, records.missingSize, settling, this.hasBegunScan]);
  }

  /** Whether something was output, found out or settled. */
  hasProgressed(): boolean {
    const { state } = this.context;
    const { after, waiting, missing } = this.before;
    const now = state.scan?.after ?? null;
    return (
      this.given.length > 0 ||
      this.hasLearned ||
      this.hasEndedScan ||
      (now !== null && (after === null || compareIds(now, after) > 0)) ||
      state.waiting.size < waiting ||
      state.records.missingSize < missing
    );
  }

  private hasWork(part: Part): boolean {
    const { state } = this.context;
    if (this.stuck.has(part)) return false;
    if (part === 'retry') return state.waiting.size > 0 && !this.done.has(part);
    if (part === 'quick') return state.quick !== null && state.baseline === null && !this.done.has(part);
    if (part === 'settle') return state.settling && state.baseline === null;
    return state.scan !== null || this.isScanDue();
  }

  /** A scan may find records that must then be settled. */
  private mayHaveWork(other: Part, part: Part): boolean {
    return this.hasWork(other) || (part === 'scan' && other === 'settle');
  }

  /** A scan is begun once in a poll; after the end of an earlier one only if nothing was found in that. */
  private isScanDue(): boolean {
    const { state, settings, now } = this.context;
    if (this.hasBegunScan || (this.hasEndedScan && this.given.length > 0)) return false;
    if (state.quick === null || state.baseline !== null || state.lastFullScan === 0) return true;
    if (this.done.has('quick') && !this.isComplete) return true;
    // A clock that was set back must not postpone full scans.
    return now < state.lastFullScan || now - state.lastFullScan >= (settings.quick?.fullScanEveryMs ?? 0);
  }

  private async do(part: Part, room: number, budget: Budget): Promise<PartOfPoll<T>> {
    const { context } = this;
    if (part === 'retry') return await give(waitingCandidates(context), room, budget, context);
    if (part === 'settle') return await settleMissing(room, budget, context);
    if (part === 'scan') return await this.scan(room, budget);
    const pass = await quickPass(room, budget, context);
    this.isComplete = pass.complete;
    // The scan that does the rest has to reach the end of the list for certain.
    if (!pass.complete) context.memory.passes.scan = 0;
    this.newest = pass.newest;
    return pass;
  }

  private async scan(room: number, budget: Budget): Promise<PartOfPoll<T>> {
    const { state, settings, now } = this.context;
    if (state.scan === null) {
      this.hasBegunScan = true;
      // Without quick polls this time is not needed, and it would change the state each time.
      state.lastFullScan = settings.quick === undefined ? 0 : now;
      state.scan = { after: null, newest: this.newest || (state.quick?.boundary ?? '') };
    }
    const scanned = await continueScan(state.scan, room, budget, this.context);
    this.hasEndedScan ||= state.scan === null;
    return scanned;
  }

  private share(parts: number): Budget {
    const { budget } = this.context;
    const reserve = budget.left() * (1 - 1 / parts);
    return { left: () => budget.left() - reserve };
  }
}

/** How many failing polls in a row only warn, as long as each of them made progress. */
const MOST_QUIET = 3;

/**
 * Handles a poll that failed. If it made progress, it warns and returns, because n8n's durable engine drops what
 * was done when a poll throws. But the error workflow must be started if polls keep failing.
 */
export function judgePoll({ state, given, hasProgressed, failure }: PollOutcome<unknown>): {
  readonly failing: number;
  readonly throws: boolean;
} {
  if (failure === undefined) return { failing: 0, throws: false };
  const failing = Math.min(MOST_QUIET + 1, state.failing + 1);
  return { failing, throws: given.length === 0 && (!hasProgressed || failing > MOST_QUIET) };
}
