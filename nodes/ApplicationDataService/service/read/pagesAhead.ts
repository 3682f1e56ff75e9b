import { MAX_LIST_LENGTH } from '../http/listItems';

/** What is read page by page. */
export interface PageSource<T> {
  fetchPage(offset: number, limit: number): Promise<T[]>;
  /** The record id; `null` if the list carries none: then pages cannot be compared. */
  idOf(record: T): string | null;
  /** Whether no other list is read meanwhile. Only then is more than one page asked for at once: the queue is short. */
  isAlone?(): boolean;
  /** About how long the list is, so that no page beyond it is asked for; `null` if that is not known. Never rejects. */
  length?(): Promise<number | null>;
  /**
   * Counts the list; `null` if the service does not. If it is given, the list must be known to be whole: a service may
   * give fewer records at a time than the interface says, so a page shorter than asked for is the last one only if the count
   * is that of the records read, or nothing follows.
   */
  count?(): Promise<number | null>;
  /** Records of the first page, where who reads may stop after it: no further one is asked for before it is wanted. */
  readonly first?: number;
  /** Who reads may stop after any page: each is longer than the one before, and none is asked for before it is wanted. */
  readonly growing?: boolean;
  /** Lets what waits go first: between two slices the process sends requests, takes in answers, and serves others. */
  pause(): Promise<void>;
}

/** A page as it came. */
export interface Page<T> {
  readonly offset: number;
  /** Records that were asked for. */
  readonly asked: number;
  readonly records: readonly T[];
}

/**
 * Records after which the page after the next is asked for as well, so that the service never waits for the reader. That takes
 * knowing where the list ends, one request more, which a short list should not cost.
 */
const LONG_LIST = 20_000;

/** Pages that are requested in advance. */
export class PagesAhead<T> {
  private readonly pages = new Map<number, Promise<Page<T>>>();

  /** Length of the list; `null` before it is asked for, 0 while it is not known. */
  private length: number | null = null;

  constructor(private readonly source: PageSource<T>) {}

  /**
   * Asks for the page at `next`, and for the one after it where nobody else waits.
   * @param left records that are still wanted; a page asks for no more, and for those that it has in common with the one before.
   */
  ask(next: number, left: number, overlap: number, step: number): void {
    this.start(next, left + overlap);
    if (next <= LONG_LIST || left <= step || this.source.isAlone?.() !== true) return;
    if (this.length === null) this.measure();
    else if (next + step < this.length) this.start(next + step, left - step + overlap);
  }

  private measure(): void {
    this.length = 0;
    void this.source.length?.().then((length) => (this.length = length ?? 0));
  }

  /** A failure is judged when the page is wanted: at the end of the list it is not. */
  private start(offset: number, wanted: number): void {
    if (this.pages.has(offset)) return;
    const page = this.fetch(offset, wanted);
    page.catch(() => undefined);
    this.pages.set(offset, page);
  }

  /** Lets go of what was asked for: it begins elsewhere now. */
  forget(): void {
    this.pages.clear();
  }

  /** The page at an offset, whether it was asked for before or not. */
  async take(offset: number, wanted = MAX_LIST_LENGTH): Promise<Page<T>> {
    const page = this.pages.get(offset);
    this.pages.delete(offset);
    return await (page ?? this.fetch(offset, wanted));
  }

  private async fetch(offset: number, wanted: number): Promise<Page<T>> {
    const asked = Math.min(wanted, MAX_LIST_LENGTH);
    return { offset, asked, records: await this.source.fetchPage(offset, asked) };
  }
}
