import { settle } from '../../util/concurrently';
import type { TriggerState } from '../state/triggerState';
import type { Budget, Deliver, PollSettings, RecordSource, Warn } from './contract';

/** A page must overlap the previous one and continue from it. */
const LEAST = 2;
/** So many polls do without a length that was too long. Then it is tried again. */
const POLLS_BEFORE_LONGER = 3;
/** Shorter pages are not worth waiting for their time-out. */
const LEAST_MS = 200;
/** If a call waited this long for its turn, or for another call, its duration says nothing about its page. */
const LEAST_SHARE = 0.5;

/** How many records a page may have so that it arrives in time: half as many after a late one, twice as many after any other. */
export class PageSize {
  private length: number;
  private tooLong = Infinity;
  private shorter = 0;
  /** The duration of the last page in milliseconds. */
  private lastMs = 0;
  /** Shorter pages were late, too, so the length may not be the reason: pages get more of the time. */
  private late = 0;

  /** @param most how many records a page may have at most. */
  constructor(private readonly most: number) {
    this.length = most;
  }

  /** A poll begins. */
  begin(): void {
    if (this.shorter > 0) this.shorter -= 1;
    else this.tooLong = Infinity;
  }

  /** The length of the next page, and the milliseconds for it: half of the time left, so that a shorter one can follow. */
  next(budget: Budget, atMost = this.most): { readonly limit: number; readonly withinMs: number } {
    const limit = Math.min(this.length, atMost);
    const share = limit > LEAST ? (this.late > 1 ? 0.75 : 0.5) : 1;
    return { limit, withinMs: Math.max(1, budget.left() * share) };
  }

  /** @param isQuick whether it took less than half of the time that was left. */
  arrived(limit: number, milliseconds: number, isQuick: boolean): void {
    if (isQuick) this.late = 0;
    this.lastMs = milliseconds;
    if (limit >= this.length && limit * 2 < this.tooLong) this.length = Math.min(this.most, limit * 2);
  }

  /**
   * A page did not arrive in time. If it had less time than the last one took, that says nothing about its length, unless
   * it happens again.
   * @returns whether a shorter page is worth a try.
   */
  wasLate(limit: number, withinMs: number, budget: Budget): boolean {
    this.late += 1;
    const isShort = withinMs < this.lastMs;
    this.lastMs = 0;
    if (isShort) return false;
    this.tooLong = limit;
    this.shorter = POLLS_BEFORE_LONGER;
    this.length = Math.max(LEAST, Math.floor(limit / 2));
    return limit > LEAST && budget.left() > LEAST_MS;
  }
}

/** What this process remembers between polls. Losing it only costs requests. */
export interface PollMemory {
  /** Page sizes of the two kinds of lists: of what is compared, and of whole records. */
  readonly heads: PageSize;
  readonly whole: PageSize;
  /** Full scans and quick passes so far, to see which of them proves where the list ends. */
  readonly passes: { scan: number; quick: number };
  /** Where in the list the open scan continues after an ID; `null` if that is not known. */
  place: { readonly after: string | null; readonly offset: number } | null;
  /** Records that the last quick pass found to be changed within the period that it looks back on. */
  recent: number;
  /** Missing records whose reading failed. */
  readonly unreadable: Set<string>;
  /** Which of the records that left the filter were checked last, and when, in milliseconds since 1970. */
  readonly away: { at: number; ids: readonly string[] };
  /** How many polls tried each record that could not be output, by ID. */
  readonly tries: Map<string, number>;
}

/** A memory that holds nothing yet. @param most how many records a page may have at most. */
export function newPollMemory(most: number): PollMemory {
  return {
    heads: new PageSize(most),
    whole: new PageSize(most),
    passes: { scan: 0, quick: 0 },
    place: null,
    recent: 0,
    unreadable: new Set(),
    away: { at: 0, ids: [] },
    tries: new Map(),
  };
}

/** The source and settings of a poll. `R` is a record of the service. */
export interface ReadContext<R = unknown> {
  readonly state: TriggerState;
  readonly source: RecordSource<R>;
  readonly settings: PollSettings;
  readonly budget: Budget;
  readonly memory: PollMemory;
  readonly warn: Warn;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What a poll works with. `T` is an item. */
export interface PollContext<R, T> extends ReadContext<R> {
  readonly deliver: Deliver<R, T>;
}

/**
 * Reads a page with as many records as arrive in time. The first one is always asked for.
 * @param ask requests this many records.
 * @param sent a page that was requested before, if there is one.
 * @returns also how many were requested.
 * @throws the failure of `ask`; a time-out only if a shorter page is not worth a try.
 */
export async function readPage<T>(
  size: PageSize,
  budget: Budget,
  source: Pick<RecordSource<unknown>, 'troubleOf' | 'waitedMs'>,
  ask: (slice: { readonly limit: number; readonly withinMs: number }) => Promise<T[]>,
  most?: number,
): Promise<{ readonly page: T[]; readonly limit: number }> {
  for (;;) {
    const slice = size.next(budget, most);
    const [left, waited] = [budget.left(), source.waitedMs()];
    const outcome = await settle(async () => await ask(slice));
    const costMs = Math.max(0, left - budget.left() - (source.waitedMs() - waited));
    if ('value' in outcome) {
      size.arrived(slice.limit, costMs, costMs < left / 2);
      return { page: outcome.value, limit: slice.limit };
    }
    const isTooLong = source.troubleOf(outcome.error) === 'late' && costMs >= slice.withinMs * LEAST_SHARE;
    if (!isTooLong || !size.wasLate(slice.limit, slice.withinMs, budget)) throw outcome.error;
  }
}
