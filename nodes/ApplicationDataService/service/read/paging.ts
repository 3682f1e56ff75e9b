import { IdSet } from '../../util/idSet';
import { MAX_LIST_LENGTH } from '../http/listItems';
import { ServiceError } from '../http/errors';

/**
 * Records by which a page begins before the last one ended. Records move to the front when records are deleted while
 * the list is read; as long as a page begins with a record that was read, none was jumped over.
 */
export const PAGE_OVERLAP = 50;

/** How far a page of so many records leads. Where records carry no ids, pages cannot be compared, and do not overlap. */
function stepAfter(length: number, comparable = true): number {
  return comparable ? Math.max(1, length - Math.ceil((length * PAGE_OVERLAP) / MAX_LIST_LENGTH)) : length;
}

/** A full page leads so far. */
const STEP = stepAfter(MAX_LIST_LENGTH);

/**
 * Pages in a row without anything new after which no further step back is made: the service then returns the list in
 * another order each time, and only reading on comes to an end.
 */
const MOST_BARREN_PAGES = 3;

/**
 * Records yielded at once. Between two such slices the process does what waits: it sends the request for the next page
 * and takes in its answer while this one is worked on, and n8n answers others.
 */
const SLICE_LENGTH = 500;

/**
 * Records after which the page after the next is asked for as well, so that the service never waits for the reader. At the
 * end of the list that is a request in vain, which a short list should not cost.
 */
const LONG_LIST = 20_000;

/** What is read page by page. */
export interface PageSource<T> {
  fetchPage(offset: number, limit: number): Promise<T[]>;
  /** The record id; `null` where the list carries none: then pages cannot be compared. */
  idOf(record: T): string | null;
  /** Whether no other list is read meanwhile. Only then is more than one page asked for at once: the queue is short. */
  isAlone?(): boolean;
  /**
   * Counts the list; `null` where the service does not. Where it is given, the list must be known to be whole: a service may
   * give fewer records at a time than the interface says, so a page shorter than asked for is the last one only if the count
   * is that of the records read, or nothing follows.
   */
  count?(): Promise<number | null>;
  /** Lets what waits go first: between two slices the process sends requests, takes in answers, and serves others. */
  pause(): Promise<void>;
}

/** A page as it came. */
interface Page<T> {
  readonly offset: number;
  /** Records that were asked for. */
  readonly asked: number;
  readonly records: readonly T[];
}

/**
 * Reads a list to its end or to `limit` records: each record once, none left out, even if records are added or
 * deleted meanwhile. While one page is worked on, slice by slice, the next one is on its way.
 * @throws ServiceError where the list must be known to be whole, and that cannot be known.
 */
export async function* readPages<T>(source: PageSource<T>, limit = Infinity): AsyncGenerator<T[]> {
  const seen = new IdSet();
  const ahead = new PagesAhead(source);
  const end = new ListEnd(source);
  let given = 0;
  let barren = 0;
  let current = await ahead.take(0, limit);
  for (;;) {
    const { offset, asked, records } = current;
    const comparable = records.length > 0 && source.idOf(records[0] as T) !== null;
    const page = records.filter((record) => isNew(seen, source.idOf(record))).slice(0, limit - given);
    given += page.length;
    barren = page.length > 0 ? 0 : barren + 1;

    const isShort = records.length < asked;
    const left = limit - given;
    const step = stepAfter(records.length, comparable);
    const overlap = records.length - step;
    let next = offset + step;
    if (!isShort && left > 0) ahead.ask(next, left, overlap, step);
    yield* slices(page, source);
    if (left === 0 || (isShort && (await end.isReached(records.length, given)))) return;

    current = await ahead.take(next);
    while (comparable && overlap > 0 && next > 0 && !goesOn(current.records, source, seen)) {
      if (barren >= MOST_BARREN_PAGES) {
        end.isUncertain = true;
        break;
      }
      ahead.forget();
      next = Math.max(0, next - STEP);
      current = await ahead.take(next);
    }
  }
}

/** Knows whether a page shorter than asked for ends the list. */
class ListEnd<T> {
  /** Records may have been jumped over: only a count can tell that none is missing. */
  isUncertain = false;

  /** The list as it was counted last. */
  private counted = 0;

  constructor(private readonly source: PageSource<T>) {}

  async isReached(length: number, given: number): Promise<boolean> {
    if (this.source.count === undefined) return true;
    if (length > 0 && given < this.counted) return false;
    if (length === 0 && !this.isUncertain) return true;
    const count = await this.source.count();
    this.counted = count ?? 0;
    if (count === given) return true;
    if (length > 0) return false;
    throw new ServiceError(
      'badAnswer',
      'The service does not list the same records each time, so it is not known whether all were read',
      'Nothing was written. Run the workflow again when nobody works in the application.',
    );
  }
}

/** Pages that are asked for before they are wanted. */
class PagesAhead<T> {
  private readonly pages = new Map<number, Promise<Page<T>>>();

  constructor(private readonly source: PageSource<T>) {}

  /**
   * Asks for the page at `next`, and for the one after it where nobody else waits.
   * @param left records that are still wanted; a page asks for no more, and for those that it has in common with the one before.
   */
  ask(next: number, left: number, overlap: number, step: number): void {
    const isFurther = next > LONG_LIST && left > step && this.source.isAlone?.() === true;
    this.start(next, left + overlap);
    if (isFurther) this.start(next + step, left - step + overlap);
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

async function* slices<T>(page: T[], source: PageSource<T>): AsyncGenerator<T[]> {
  for (let start = 0; start < page.length; start += SLICE_LENGTH) {
    yield page.slice(start, start + SLICE_LENGTH);
    if (start + SLICE_LENGTH < page.length) await source.pause();
  }
}

/**
 * Whether a page begins where the records read so far end, or before. If not, so many were deleted before it that it
 * jumped over some.
 */
function goesOn<T>([first]: readonly T[], source: PageSource<T>, seen: IdSet): boolean {
  return first !== undefined && seen.has(source.idOf(first) ?? '');
}

function isNew(seen: IdSet, id: string | null): boolean {
  return id === null || seen.add(id);
}
