import { allOf } from '../../util/concurrently';

/** How long a poll, or a part of it, may go on. */
export interface Budget {
  /** Milliseconds that are left; 0 or less when it is over. */
  left(): number;
}

export function shareOf(budget: Budget, share: number): Budget {
  const reserve = budget.left() * (1 - share);
  return { left: () => budget.left() - reserve };
}

/** They hide the network's latency; more would only wait in the service's queue. */
const AT_ONCE = 4;

/**
 * Does something for each item, several at once: for the first one always, so that every poll makes progress, for the
 * others as long as there is time. @throws the first failure; then nothing more is begun.
 */
export async function eachInTime<T>(
  items: readonly T[],
  budget: Budget,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const tasks = items.map((item, index) => async () => {
    if (index === 0 || budget.left() > 0) await task(item);
  });
  await allOf(tasks, AT_ONCE);
}

/** A page must overlap the previous one and continue from it. */
const LEAST = 2;
/** So many polls do without a length that was too long. Then it is tried again. */
const POLLS_BEFORE_LONGER = 3;
/** Shorter pages are not worth waiting for their time-out. */
const LEAST_MS = 200;

/**
 * How many records a page may have so that it arrives in time: half as many after a late one, twice as many after any
 * other.
 */
export class PageSize {
  private length: number;
  private tooLong = Infinity;
  private shorter = 0;
  private lastMs = 0;
  /** Shorter pages were late, too, so the length may not be the reason: pages get more of the time. */
  private late = 0;

  /** @param most how many records a page may have at most. */
  constructor(private readonly most: number) {
    this.length = most;
  }

  begin(): void {
    if (this.shorter > 0) this.shorter -= 1;
    else this.tooLong = Infinity;
  }

  /**
   * The length of the next page, and the milliseconds for it: half of the time left, so that a shorter one can follow.
   */
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
   * A page did not arrive in time. If it had less time than the last one took, that says nothing about its length,
   * unless it happens again.
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
