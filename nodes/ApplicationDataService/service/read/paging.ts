import { sleep } from 'n8n-workflow';

import { IdSet } from '../../util/idSet';

/** `list_data` gives this many records at most (interface.md, "Limits"). */
export const MAX_PAGE_LENGTH = 5000;

/**
 * Records by which a page begins before the last one ended. Rows move to the front when records are deleted while
 * the list is read; as long as a page begins with a record that was read, none was jumped over.
 */
const OVERLAP = 50;

const STEP = MAX_PAGE_LENGTH - OVERLAP;

/**
 * Pages in a row without anything new after which no further step back is made: the service then gives the list in
 * another order each time, and only reading on comes to an end.
 */
const MOST_BARREN_PAGES = 3;

/**
 * Records given on at once. Between two such slices the process does what waits: it sends the request for the next page
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
  /** The record id; `null` where the service gives none: then pages cannot be compared. */
  idOf(record: T): string | null;
  /** Whether no other list is read meanwhile. Only then is more than one page asked for at once: the queue is short. */
  isAlone?(): boolean;
}

/**
 * Reads a list to its end or to `limit` records: each record once, none left out, even if records are added or
 * deleted meanwhile. While one page is worked on, slice by slice, the next one is on its way.
 */
export async function* readPages<T>(source: PageSource<T>, limit = Infinity): AsyncGenerator<T[]> {
  const seen = new IdSet();
  const asked = Math.min(limit, MAX_PAGE_LENGTH);
  let ahead = new PagesAhead(source);
  let left = limit;
  let barren = 0;
  let offset = 0;
  let current = await source.fetchPage(offset, asked);
  for (;;) {
    const comparable = current.length > 0 && source.idOf(current[0] as T) !== null;
    const fresh = current.filter((record) => isNew(seen, source.idOf(record)));
    const page = fresh.length > left ? fresh.slice(0, left) : fresh;
    left -= page.length;
    barren = page.length > 0 ? 0 : barren + 1;

    const isLast = left === 0 || current.length < asked;
    const step = comparable ? STEP : MAX_PAGE_LENGTH;
    offset += step;
    if (!isLast) ahead.ask(offsetsAhead(source, offset, step, left));
    yield* slices(page);
    if (isLast) return;

    current = await ahead.take(offset);
    while (comparable && offset > 0 && barren < MOST_BARREN_PAGES && !goesOn(current, source, seen)) {
      ahead = new PagesAhead(source);
      offset = Math.max(0, offset - STEP);
      current = await ahead.take(offset);
    }
  }
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
      const page = this.source.fetchPage(offset, MAX_PAGE_LENGTH);
      page.catch(() => undefined);
      this.pages.set(offset, page);
    }
  }

  /** The page at an offset, whether it was asked for before or not. */
  async take(offset: number): Promise<T[]> {
    const page = this.pages.get(offset);
    this.pages.delete(offset);
    return await (page ?? this.source.fetchPage(offset, MAX_PAGE_LENGTH));
  }
}

async function* slices<T>(page: T[]): AsyncGenerator<T[]> {
  for (let start = 0; start < page.length; start += SLICE_LENGTH) {
    yield page.slice(start, start + SLICE_LENGTH);
    if (start + SLICE_LENGTH < page.length) await sleep(0);
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
