import { PagesById } from './pagesById';
import type { Budget } from './settings';
import { ShortPages } from './shortPages';

/** A page must overlap the previous one and continue from it. */
const LEAST = 2;

/** After this many pages, a length that was too long is tried again, because the service may have been slow only for a while. */
const PAGES_BEFORE_LONGER = 20;

/** Shorter pages are not worth waiting for their time-out. */
const LEAST_MS = 200;

/**
 * How many records a page may have so that it arrives in time: half as many after a time-out, twice as many if pages arrive
 * fast. Kept in memory from poll to poll.
 */
export class PageSize {
  private length: number;
  /** The duration of the last page in milliseconds, and its length. */
  private lastMs = 0;
  private lastLimit = Infinity;
  /** The last length that was too long, and for how many more pages it is not tried. */
  private tooLong = Infinity;
  private shorter = 0;
  /** Late pages in a row: since the length was last reduced, and since a page last arrived. */
  private late = 0;
  private misses = 0;
  /** How many pages of this length arrived. */
  private steady = 0;

  /**
   * @param most how many records a page may have at most.
   * @param isNeeded whether nothing else can be requested instead.
   */
  constructor(
    private readonly most: number,
    private readonly isNeeded = false,
  ) {
    this.length = most;
  }

  /** Whether another page will probably arrive within this many milliseconds. */
  fits(leftMs: number): boolean {
    return leftMs > Math.max(1, this.lastMs * 1.5);
  }

  /**
   * The length of the next page, and the milliseconds for it: half of the time left, so that a smaller one can follow. If
   * a smaller one is late, too, the length may not be the reason: then most of the time, if the page is needed.
   */
  next(budget: Budget, atMost = this.most): { readonly limit: number; readonly withinMs: number } {
    const limit = Math.min(this.length, atMost);
    const left = budget.left();
    const most = this.isNeeded && this.misses > 1 ? 0.75 : 0.5;
    const share = limit > LEAST ? Math.max(left * most, this.lastMs * 1.5) : left;
    return { limit, withinMs: Math.max(1, Math.min(left, share)) };
  }

  /** A page arrived. @param leftMs the time left in the poll when it was requested. */
  took(limit: number, milliseconds: number, leftMs: number): void {
    // Twice as many records would hardly take longer.
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
   * A page did not arrive in time. If it had less time than the last one took, that says nothing about its size,
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

/** What this process learned while polling. Losing it only costs requests. */
export interface PollMemory {
  /** Page sizes of the two kinds of lists: of what is compared, and of whole records. */
  readonly heads: PageSize;
  readonly whole: PageSize;
  /** What happened to pages that were asked for by an id. */
  readonly byId: PagesById;
  /** Whether a short page is the last one. */
  readonly short: ShortPages;
  /** Where the next page of the open scan begins, after an ID; `null` if unknown. */
  place: { readonly after: string | null; readonly offset: number } | null;
  /** Records that were changed within the period that a quick pass looks back on. */
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
    heads: new PageSize(most, true),
    whole: new PageSize(most),
    byId: new PagesById(),
    short: new ShortPages(),
    place: null,
    recent: 0,
    unreadable: new Set(),
    away: { at: 0, ids: [] },
    tries: new Map(),
  };
}
