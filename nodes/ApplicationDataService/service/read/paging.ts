import { IdSet } from '../../util/idSet';
import { MAX_LIST_LENGTH } from '../http/listItems';

/**
 * Records by which a page begins before the last one ended. Records move to the front when records are deleted while
 * the list is read; as long as a page begins with a record that was read, none was jumped over.
 */
export const PAGE_OVERLAP = 50;

/** How far a page of so many records leads. Where records carry no ids, pages cannot be compared, and do not overlap. */
function stepAfter(length: number, comparable = true): number {
  return comparable ? Math.max(1, length - Math.ceil((length * PAGE_OVERLAP) / MAX_LIST_LENGTH)) : length;
}

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
   * Counts the list. Where it is given, a page shorter than asked for is the last one only if the count agrees: a service
   * may give fewer records at a time than the interface says.
   */
  count?(): Promise<number>;
  /** Lets what waits go first: between two slices the process sends requests, takes in answers, and serves others. */
  pause(): Promise<void>;
}

/**
 * Reads a list to its end or to `limit` records: each record once, none left out, even if records are added or
 * deleted meanwhile. While one page is worked on, slice by slice, the next one is on its way.
 */
export async function* readPages<T>(source: PageSource<T>, limit = Infinity): AsyncGenerator<T[]> {
  const seen = new IdSet();
  const asked = Math.min(limit, MAX_LIST_LENGTH);
  const ahead = new PagesAhead(source);
  let given = 0;
  let barren = 0;
  let offset = 0;
  let current = await source.fetchPage(offset, asked);
  for (;;) {
    const comparable = current.length > 0 && source.idOf(current[0] as T) !== null;
    const page = current.filter((record) => isNew(seen, source.idOf(record))).slice(0, limit - given);
    given += page.length;
    barren = page.length > 0 ? 0 : barren + 1;

    const isShort = current.length < asked;
    const step = stepAfter(isShort ? current.length : MAX_LIST_LENGTH, comparable);
    offset += step;
    const left = limit - given;
    if (!isShort && left > 0) ahead.ask(offsetsAhead(source, offset, step, left));
    yield* slices(page, source);
    if (left === 0 || (isShort && (await isEnd(source, current.length, given)))) return;

    current = await ahead.take(offset);
    while (comparable && offset > 0 && barren < MOST_BARREN_PAGES && !goesOn(current, source, seen)) {
      ahead.forget();
      offset = Math.max(0, offset - STEP);
      current = await ahead.take(offset);
    }
  }
}

/** Whether a page shorter than asked for ends the list. */
async function isEnd<T>(source: PageSource<T>, length: number, given: number): Promise<boolean> {
  return length === 0 || source.count === undefined || (await source.count()) <= given;
}

/** Where the pages to be asked for now begin. */
function offsetsAhead<T>(source: PageSource<T>, next: number, step: number, left: number): number[] {
  const further = next > LONG_LIST && left > step && source.isAlone?.() === true;
  return further ? [next, next + step] : [next];
}

/** Pages that are asked for before they are wanted. */
class PagesAhead<T> {
  private readonly pages = new Map<number, Promise<T[]>>();

  constructor(private readonly source: PageSource<T>) {}

  /** A failure is judged when the page is wanted: at the end of the list it is not. */
  ask(offsets: readonly number[]): void {
    for (const offset of offsets.filter((each) => !this.pages.has(each))) {
      const page = this.source.fetchPage(offset, MAX_LIST_LENGTH);
      page.catch(() => undefined);
      this.pages.set(offset, page);
    }
  }

  /** Lets go of what was asked for: it begins elsewhere now. */
  forget(): void {
    this.pages.clear();
  }

  /** The page at an offset, whether it was asked for before or not. */
  async take(offset: number): Promise<T[]> {
    const page = this.pages.get(offset);
    this.pages.delete(offset);
    return await (page ?? this.source.fetchPage(offset, MAX_LIST_LENGTH));
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
