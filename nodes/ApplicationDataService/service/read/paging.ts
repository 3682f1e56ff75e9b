import { IdSet } from '../../util/idSet';
import { ServiceError } from '../http/errors';
import { MAX_LIST_LENGTH } from '../http/client';

/** What is read page by page. */
export interface PageSource<T> {
  /** An entry that is no record counts for the length of its page. */
  fetchPage(offset: number, limit: number): Promise<readonly (T | null)[]>;
  /** The record id; `null` if the list carries none: then pages cannot be compared. */
  idOf(record: T): string | null;
  /** Whether no other list is read meanwhile. Only then is more than one page asked for at once: the queue is short. */
  isAlone?(): boolean;
  readonly count?: () => Promise<number | null>;
  /** How it is made sure that a page shorter than asked for is the last one; absent: it is believed. */
  readonly proof?: Proof;
  /** Records of the first page, where who reads may stop after it: no further one is asked for before it is wanted. */
  readonly first?: number | undefined;
  /**
   * Who reads may stop after any page: each is longer than the one before, and none is asked for before it is wanted.
   */
  readonly growing?: boolean;
  /** Lets what waits go first: between two slices the process sends requests, takes in answers, and serves others. */
  readonly pause: () => Promise<void>;
}

/**
 * A service may give fewer records at a time than the interface says, so a page shorter than asked for is the last one
 * only if a count is that of the records read, or nothing follows.
 */
export type Proof =
  /**
   * What is not in the list is concluded to be nowhere: counted until it agrees, an empty list too; else an error. What
   * nobody can count is read until a page is empty.
   */
  | 'strict'
  /** Counted once, and not where a page as long has been the last of a list before; what does not agree is told. */
  | {
      readonly known: { longestLast?: number };
      disagrees(counted: number, listed: number): void;
    };

/**
 * By how many records pages overlap. Records move to the front when records are deleted while
 * the list is read; as long as a page begins with a record that was read, none was jumped over.
 */
export const PAGE_OVERLAP = 50;

function stepAfter(length: number): number {
  return Math.max(1, length - Math.ceil((length * PAGE_OVERLAP) / MAX_LIST_LENGTH));
}

const STEP = stepAfter(MAX_LIST_LENGTH);

/** How much longer each page is than the one before where the reader may stop after any. */
const LONGER = 4;

/** Pages in a row that hold nothing new, after which a list has no end. */
const MOST_BARREN = 2;

/**
 * Records yielded at once. Between two such slices the process does what waits: it sends the request for the next page
 * and takes in its answer while this one is worked on, and n8n answers others.
 */
const SLICE_LENGTH = 500;

/**
 * Records after which the page after the next is asked for as well, so that the service never waits for the reader.
 * That takes knowing where the list ends, one request more, which a short list should not cost.
 */
const LONG_LIST = 20_000;

/**
 * Reads a list to its end or to `limit` records: each record once, none left out, even if records are added or
 * deleted meanwhile. While one page is worked on, slice by slice, the next one is on its way.
 * @throws ServiceError if the list must be known to be whole, and that cannot be known; or if it has no end.
 */
export async function* readPages<T>(source: PageSource<T>, limit = Infinity): AsyncGenerator<T[]> {
  const { first = Infinity, growing = false } = source;
  const reading = new Reading(source);
  let left = limit;
  let current = await reading.take(0, Math.min(limit, first));
  for (;;) {
    const { offset, asked, records } = current;
    const found = await reading.newOf(records);
    const page = found.slice(0, left);
    left -= page.length;
    const isShort = records.length < asked;
    const step = reading.stepAfter(records, isShort && found.length === 0);
    const mayStop = growing || (offset === 0 && first !== Infinity);
    if (!isShort && left > 0 && !mayStop) reading.askAhead(offset + step, left, records.length - step, step);
    yield* slicesOf(page, source);
    if (left === 0 || (isShort && (await reading.isAtEnd(records.length)))) return;
    current = await reading.pageAfter(
      offset + step,
      step < records.length,
      growing ? asked * LONGER : undefined,
    );
  }
}

async function* slicesOf<T>(page: T[], { pause }: Pick<PageSource<T>, 'pause'>): AsyncGenerator<T[]> {
  for (let start = 0; start < page.length; start += SLICE_LENGTH) {
    if (start > 0) await pause();
    yield page.slice(start, start + SLICE_LENGTH);
  }
}

interface Page<T> {
  readonly offset: number;
  readonly asked: number;
  readonly records: readonly (T | null)[];
}

class Reading<T> {
  private readonly seen = new IdSet();

  private listed = 0;

  private barren = 0;

  /** The list as it was counted last; `null` if it cannot be. */
  private counted: number | null | undefined;

  /** The text of the last page, where records carry no ids. */
  private last = '';

  private readonly ahead = new Map<number, Promise<Page<T>>>();

  /** About how long the list is; `null` before that is asked for, 0 while it is not known. */
  private length: number | null = null;

  constructor(private readonly source: PageSource<T>) {}

  /**
   * The records of a page that were not in one before.
   * @throws ServiceError if the service gives the same again and again.
   */
  async newOf(records: readonly (T | null)[]): Promise<T[]> {
    const page = records.filter((record) => {
      if (record === null) return false;
      const id = this.source.idOf(record);
      return id === null || this.seen.add(id);
    }) as T[];
    this.listed += page.length;
    const isRepeated = page.length > 0 && this.isRepeated(records);
    this.barren = page.length > 0 && !isRepeated ? 0 : this.barren + 1;
    if (this.barren < MOST_BARREN || records.length === 0) return page;
    // Records without ids may all be alike.
    if (isRepeated && this.listed < ((await this.source.count?.()) ?? 0)) return page;
    throw new ServiceError(
      'badAnswer',
      'The service returns the same records again and again, so its list has no end',
      'It seems to ignore where a page should begin ("offset"). Ask the administrator of the service, or of a proxy in between.',
    );
  }

  /** Without ids, only a page that is the same as a whole shows that it was there before. */
  private isRepeated(records: readonly (T | null)[]): boolean {
    if (this.hasIds(records)) return false;
    const before = this.last;
    this.last = JSON.stringify(records);
    return this.last === before;
  }

  /**
   * How far a page leads. Where records carry no ids, pages cannot be compared, and do not overlap. Nor does what
   * follows the last records, if they were all read before: it should be an empty page.
   */
  stepAfter(records: readonly (T | null)[], isTail: boolean): number {
    return this.hasIds(records) && !isTail ? stepAfter(records.length) : records.length;
  }

  private hasIds(records: readonly (T | null)[]): boolean {
    const first = records.find((record) => record !== null);
    return first !== undefined && first !== null && this.source.idOf(first) !== null;
  }

  /** Whether a page shorter than asked for is the last one. */
  async isAtEnd(length: number): Promise<boolean> {
    const { proof, count } = this.source;
    if (proof === undefined) return true;
    if (count === undefined) return length === 0;
    if (proof === 'strict') return await this.isWhole(length, count);
    if (length === 0) {
      const { counted, listed } = this;
      if (typeof counted === 'number' && counted !== listed) proof.disagrees(counted, listed);
      return true;
    }
    if (this.counted === undefined && length < (proof.known.longestLast ?? 0)) return true;
    if (this.counted === undefined) this.counted = await count();
    if (this.counted !== this.listed) return false;
    proof.known.longestLast = Math.max(proof.known.longestLast ?? 0, length);
    return true;
  }

  private async isWhole(length: number, count: () => Promise<number | null>): Promise<boolean> {
    if (length > 0 && this.listed < (this.counted ?? 0)) return false;
    // A list without any record is how a service says several things: only a count confirms it.
    if (length === 0 && this.listed > 0) return true;
    this.counted = await count();
    if (this.counted === this.listed || (this.counted === null && length === 0)) return true;
    if (length > 0) return false;
    throw new ServiceError(
      'badAnswer',
      'The service does not list the same records each time, so it is not known whether all were read',
      'Run the workflow again when nobody works in the application.',
    );
  }

  /**
   * The page at an offset, or one before if it does not go on from what was read: so many were deleted before it that
   * it would jump over some.
   * @param overlaps whether it should begin with a record that was read.
   * @param wanted how many records to ask for, as many as the service gives if it is absent.
   */
  async pageAfter(offset: number, overlaps: boolean, wanted?: number): Promise<Page<T>> {
    let next = offset;
    let page = await this.take(next, wanted);
    while (overlaps && next > 0 && !this.goesOn(page)) {
      this.ahead.clear();
      next = Math.max(0, next - STEP);
      page = await this.take(next);
    }
    return page;
  }

  private goesOn({ records }: Page<T>): boolean {
    const first = records.find((record) => record !== null);
    return first !== undefined && first !== null && this.seen.has(this.source.idOf(first) ?? '');
  }

  /**
   * Asks for the page at `next`, and for the one after it where nobody else waits.
   * @param left records that are still wanted; a page asks for no more, and for those that it has in common with the
   * one before.
   */
  askAhead(next: number, left: number, overlap: number, step: number): void {
    this.start(next, left + overlap);
    if (next <= LONG_LIST || left <= step || this.source.isAlone?.() !== true) return;
    if (this.length === null) this.measure();
    else if (next + step < this.length) this.start(next + step, left - step + overlap);
  }

  private measure(): void {
    this.length = 0;
    void this.source.count?.().then(
      (length) => (this.length = length ?? 0),
      () => undefined,
    );
  }

  /** A failure is judged when the page is wanted: at the end of the list it is not. */
  private start(offset: number, wanted: number): void {
    if (this.ahead.has(offset)) return;
    const page = this.fetch(offset, wanted);
    page.catch(() => undefined);
    this.ahead.set(offset, page);
  }

  async take(offset: number, wanted = MAX_LIST_LENGTH): Promise<Page<T>> {
    const page = this.ahead.get(offset);
    this.ahead.delete(offset);
    return await (page ?? this.fetch(offset, wanted));
  }

  private async fetch(offset: number, wanted: number): Promise<Page<T>> {
    const asked = Math.min(wanted, MAX_LIST_LENGTH);
    return { offset, asked, records: await this.source.fetchPage(offset, asked) };
  }
}
