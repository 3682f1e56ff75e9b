import { IdSet } from '../../util/idSet';
import { MAX_LIST_LENGTH } from '../http/listItems';
import { ListEnd } from './listEnd';
import { PagesAhead, type Page, type PageSource } from './pagesAhead';

/**
 * By how many records pages overlap. Records move to the front when records are deleted while
 * the list is read; as long as a page begins with a record that was read, none was jumped over.
 */
export const PAGE_OVERLAP = 50;

/** How far a page of so many records leads. */
function stepAfter(length: number): number {
  return Math.max(1, length - Math.ceil((length * PAGE_OVERLAP) / MAX_LIST_LENGTH));
}

/** A full page leads so far. */
const STEP = stepAfter(MAX_LIST_LENGTH);

/**
 * Pages in a row without anything new after which no further step back is made: the service then returns the list in
 * another order each time, and only reading on comes to an end.
 */
const MOST_BARREN_PAGES = 3;

/** How much longer each page is than the one before where the reader may stop after any. */
const LONGER = 4;

/**
 * Records yielded at once. Between two such slices the process does what waits: it sends the request for the next page
 * and takes in its answer while this one is worked on, and n8n answers others.
 */
const SLICE_LENGTH = 500;

/**
 * Reads a list to its end or to `limit` records: each record once, none left out, even if records are added or
 * deleted meanwhile. While one page is worked on, slice by slice, the next one is on its way.
 * @throws ServiceError if the list must be known to be whole, and that cannot be known.
 */
export async function* readPages<T>(source: PageSource<T>, limit = Infinity): AsyncGenerator<T[]> {
  const { first = Infinity, growing = false } = source;
  const reading = new Reading(source);
  let left = limit;
  let current = await reading.ahead.take(0, Math.min(limit, first));
  for (;;) {
    const { offset, asked, records } = current;
    const page = reading.newOf(records).slice(0, left);
    left -= page.length;
    const isShort = records.length < asked;
    const step = reading.stepAfter(records);
    const mayStop = growing || (offset === 0 && first !== Infinity);
    if (!isShort && left > 0 && !mayStop) reading.ahead.ask(offset + step, left, records.length - step, step);
    yield* slices(page, source);
    if (left === 0 || (isShort && (await reading.isAtEnd(records)))) return;
    current = await reading.pageAfter(
      offset + step,
      step < records.length,
      growing ? asked * LONGER : undefined,
    );
  }
}

/** A list while it is read. */
class Reading<T> {
  readonly ahead: PagesAhead<T>;

  private readonly seen = new IdSet();

  private readonly end: ListEnd<T>;

  private given = 0;

  /** Pages in a row without anything new. */
  private barren = 0;

  constructor(private readonly source: PageSource<T>) {
    this.ahead = new PagesAhead(source);
    this.end = new ListEnd(source);
  }

  /** The records of a page that were not in one before. */
  newOf(records: readonly T[]): T[] {
    const page = records.filter((record) => {
      const id = this.source.idOf(record);
      return id === null || this.seen.add(id);
    });
    this.given += page.length;
    this.barren = page.length > 0 ? 0 : this.barren + 1;
    return page;
  }

  /** How far a page leads. Where records carry no ids, pages cannot be compared, and do not overlap. */
  stepAfter(records: readonly T[]): number {
    const [first] = records;
    const comparable = first !== undefined && this.source.idOf(first) !== null;
    return comparable ? stepAfter(records.length) : records.length;
  }

  /** Whether a page shorter than asked for is the last one. */
  async isAtEnd(records: readonly T[]): Promise<boolean> {
    return await this.end.isReached(records.length, this.given);
  }

  /**
   * The page at an offset, or one before if it does not go on from what was read: so many were deleted before it that
   * it would jump over some.
   * @param overlaps whether it should begin with a record that was read.
   * @param wanted how many records to ask for, as many as the service gives if it is absent.
   */
  async pageAfter(offset: number, overlaps: boolean, wanted?: number): Promise<Page<T>> {
    let next = offset;
    let page = await this.ahead.take(next, wanted);
    while (overlaps && next > 0 && !this.goesOn(page)) {
      if (this.barren >= MOST_BARREN_PAGES) {
        this.end.isUncertain = true;
        break;
      }
      this.ahead.forget();
      next = Math.max(0, next - STEP);
      page = await this.ahead.take(next);
    }
    return page;
  }

  /** Whether a page begins where the records read so far end, or before. */
  private goesOn({ records: [first] }: Page<T>): boolean {
    return first !== undefined && this.seen.has(this.source.idOf(first) ?? '');
  }
}

async function* slices<T>(page: T[], source: PageSource<T>): AsyncGenerator<T[]> {
  for (let start = 0; start < page.length; start += SLICE_LENGTH) {
    yield page.slice(start, start + SLICE_LENGTH);
    if (start + SLICE_LENGTH < page.length) await source.pause();
  }
}
