import { settle } from '../../util/concurrently';
import { compareIds } from '../state/idOrder';
import { adopt, markQuick } from './begin';
import type { PartOfPoll, PollContext } from './context';
import { give } from './give';
import { quickPass } from './quickPass';
import { beginScan, continueScan } from './scan';
import type { Budget, Given } from './settings';
import { settleMissing } from './settleMissing';
import { waitingCandidates } from './waiting';

/** If less than this share of its time is left, a poll begins nothing new. */
const LEAST_SHARE = 0.1;

/** The parts of a poll, each in its turn, so that none can block another forever. */
const PARTS = ['retry', 'quick', 'scan', 'settle'] as const;
type Part = (typeof PARTS)[number];

/** The parts of one poll, their shares of its time and room, and their results. */
export class Schedule<R, T> {
  readonly given: Given<T>[] = [];
  private readonly total: number;
  private readonly before: {
    readonly after: string | null;
    readonly waiting: number;
    readonly missing: number;
  };
  private hasBegun = false;
  private hasClosed = false;
  private hasScanned = false;
  private learned = false;
  private readonly done = new Set<Part>();
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
    return this.context.source.isLate(this.failure) && this.hasProgressed() ? undefined : this.failure;
  }

  /** Learns what must be known before anything is compared. */
  private async prepare(): Promise<void> {
    const { state, settings } = this.context;
    if (state.credential !== settings.credential) {
      await adopt(this.context);
      this.learned = true;
    }
    await markQuick(this.context);
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
      if (failure !== undefined && source.concernsAll(failure)) return false;
      const isStuck = failure !== undefined || this.progress() === before;
      if (isStuck) this.stuck.add(part);
      else hasWorked = true;
    }
    return hasWorked;
  }

  /** Parts that made no progress in this poll. */
  private readonly stuck = new Set<Part>();

  /** A text that changes with each step of progress. */
  private progress(): string {
    const { scan, records, settling } = this.context.state;
    return JSON.stringify([this.given.length, scan, records.missingSize, settling, this.hasBegun]);
  }

  /** Whether something was output, found out or settled. */
  hasProgressed(): boolean {
    const { state } = this.context;
    const { after, waiting, missing } = this.before;
    const now = state.scan?.after ?? null;
    return (
      this.given.length > 0 ||
      this.learned ||
      this.hasClosed ||
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
    const { memory, budget } = this.context;
    if (this.hasScanned && !memory.heads.fits(budget.left() / 2)) return false;
    return state.scan !== null || this.isScanDue();
  }

  /** A scan may find records that must then be settled. */
  private mayHaveWork(other: Part, part: Part): boolean {
    return this.hasWork(other) || (part === 'scan' && other === 'settle');
  }

  /** A scan is begun once in a poll; after the end of an earlier one only if nothing was found in that. */
  private isScanDue(): boolean {
    const { state, settings, now } = this.context;
    if (this.hasBegun || (this.hasClosed && this.given.length > 0)) return false;
    if (state.quick === null || state.baseline !== null || state.lastFullScan === 0) return true;
    if (this.done.has('quick') && !this.isComplete) return true;
    // A clock that was set back must not postpone full scans.
    return now < state.lastFullScan || now - state.lastFullScan >= (settings.quick?.fullScanEveryMs ?? 0);
  }

  private async do(part: Part, room: number, budget: Budget): Promise<PartOfPoll<T>> {
    const { context } = this;
    const { state } = context;
    if (part === 'retry') return await give(waitingCandidates(context), room, budget, context);
    if (part === 'settle') return await settleMissing(room, budget, context);
    if (part === 'quick') {
      const pass = await quickPass(room, budget, context);
      this.isComplete = pass.complete;
      this.newest = pass.newest;
      return pass;
    }
    this.hasScanned = true;
    this.hasBegun ||= state.scan === null;
    const scan = state.scan ?? beginScan(context, this.newest || (state.quick?.boundary ?? ''));
    const scanned = await continueScan(scan, room, budget, context);
    this.hasClosed ||= state.scan === null;
    return scanned;
  }

  private share(parts: number): Budget {
    const { budget } = this.context;
    const reserve = budget.left() * (1 - 1 / parts);
    return { left: () => budget.left() - reserve };
  }
}
