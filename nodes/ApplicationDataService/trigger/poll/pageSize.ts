import { PagesById } from './pagesById';
import type { Budget } from './settings';

/** A page must overlap the one before, and go on from it. */
const LEAST = 2;

/** Pages after which a length that was too long is tried again: the service may have been slow for a while. */
const PAGES_BEFORE_LONGER = 20;

/** Shorter pages are not worth waiting for their time-out. */
const LEAST_MS = 200;

/**
 * How many records a page may have so that it comes in time: half as many after a time-out, twice as many when they come
 * fast. Kept in the process from poll to poll.
 */
export class PageSize {
  private length: number;
  /** Milliseconds that the last page took, and its length. */
  private lastMs = 0;
  private lastLimit = Infinity;
  /** The length that was too long the last time, and how many pages it is not tried again. */
  private tooLong = Infinity;
  private shorter = 0;
  /** Pages in a row that were late; those since it was last shortened, and since one came. */
  private late = 0;
  private misses = 0;
  /** Pages of this length that came. */
  private steady = 0;

  /**
   * @param most records that a page may have at all.
   * @param isNeeded nothing else can be asked for in its place.
   */
  constructor(
    private readonly most: number,
    private readonly isNeeded = false,
  ) {
    this.length = most;
  }

  /** Whether another page is likely to come in so many milliseconds. */
  fits(leftMs: number): boolean {
    return leftMs > Math.max(1, this.lastMs * 1.5);
  }

  /**
   * Records that the next page has, and the milliseconds for it: half of those left, so that a smaller one can follow. Where
   * a smaller one is late, too, it may not be the length that takes the time: then most of them, if it cannot be done without.
   */
  next(budget: Budget, atMost = this.most): { readonly limit: number; readonly withinMs: number } {
    const limit = Math.min(this.length, atMost);
    const left = budget.left();
    const most = this.isNeeded && this.misses > 1 ? 0.75 : 0.5;
    const share = limit > LEAST ? Math.max(left * most, this.lastMs * 1.5) : left;
    return { limit, withinMs: Math.max(1, Math.min(left, share)) };
  }

  /** A page came. @param leftMs what was left of the poll when it was asked for. */
  took(limit: number, milliseconds: number, leftMs: number): void {
    // Twice as many records took hardly longer.
    const isCheap = limit >= this.lastLimit * 2 && milliseconds < this.lastMs * 1.5;
    this.lastMs = milliseconds;
    this.lastLimit = limit;
    this.late = 0;
    this.misses = 0;
    this.steady += 1;
    if (this.shorter > 0) this.shorter -= 1;
    else this.tooLong = Infinity;
    const mayGrow = milliseconds * 4 <= leftMs || isCheap || this.steady > PAGES_BEFORE_LONGER;
    if (limit < this.length || !mayGrow || limit * 2 >= this.tooLong) return;
    this.length = Math.min(this.most, limit * 2);
    this.steady = 0;
  }

  /**
   * A page did not come in time. Where there was less time for it than the last one took, that says nothing of its size,
   * unless it happens again.
   * @returns whether a smaller one is worth a try.
   */
  wasLate(limit: number, withinMs: number, budget: Budget): boolean {
    this.late += 1;
    this.misses += 1;
    if (withinMs < this.lastMs * 1.5 && this.late < 2) return false;
    this.late = 0;
    this.lastMs = 0;
    this.steady = 0;
    this.tooLong = limit;
    this.shorter = PAGES_BEFORE_LONGER;
    this.length = Math.max(LEAST, Math.floor(limit / 2));
    return limit > LEAST && budget.left() > LEAST_MS;
  }
}

/** What this process learned while it polled. Losing it costs requests, nothing else. */
export interface PollMemory {
  /** Page sizes of the two kinds of lists: of what is compared, and of whole records. */
  readonly heads: PageSize;
  readonly whole: PageSize;
  /** What became of pages that were asked for by an id. */
  readonly byId: PagesById;
  /** Where the next page of the open scan begins, behind an id; `null` where that is not known. */
  place: { readonly after: string | null; readonly offset: number } | null;
  /** Records that were changed within the time that a quick pass looks back. */
  recent: number;
  /** Missing records whose reading failed. */
  readonly unreadable: Set<string>;
  /** Which of the records that left the filter were looked at last, and when, in milliseconds since 1970. */
  readonly away: { at: number; ids: readonly string[] };
  /** Polls in which records that could not be given were tried, by id. */
  readonly tries: Map<string, number>;
}

/** A memory that holds nothing yet. @param most records that a page may have at all. */
export function newPollMemory(most: number): PollMemory {
  return {
    heads: new PageSize(most, true),
    whole: new PageSize(most),
    byId: new PagesById(),
    place: null,
    recent: 0,
    unreadable: new Set(),
    away: { at: 0, ids: [] },
    tries: new Map(),
  };
}
