import type { Paging } from './settings';
import type { Head, RecordSource } from './recordSource';

/** Where a list is read on. */
export interface Place {
  readonly offset: number;
  /** Ids of the last records that were read. */
  readonly tail: readonly string[];
}

/** One page of a scan. */
export interface HeadPage {
  readonly heads: readonly Head[];
  readonly offset: number;
  /** Where to go on after it. */
  readonly next: Place;
  readonly isLast: boolean;
}

/** Pages on their way while one is worked on: the service prepares one while another is parsed. */
const PAGES_AHEAD = 2;

/**
 * Reads heads page by page from a place on. Records move to the front when others are deleted, so pages overlap, and a
 * page that shares no record with what was read before is not trusted: the scan steps back until one does.
 * @param wasSeen whether the scan has met a record before.
 * @param mayScan whether another page may be begun; the first one always is.
 */
export async function* headPages(
  start: Place,
  source: Pick<RecordSource<unknown>, 'heads'>,
  { length, overlap }: Paging,
  wasSeen: (id: string) => boolean,
  mayScan: () => boolean,
): AsyncGenerator<HeadPage> {
  const step = length - overlap;
  let { offset } = start;
  let tail = new Set(start.tail);
  let pages = [source.heads(offset, length)];
  for (;;) {
    const heads = await pages.shift()!;
    const isLast = heads.length < length;
    if (offset > 0 && !heads.some(({ id }) => tail.has(id) || wasSeen(id))) {
      offset = stepBack(offset, heads.length === 0, step);
      if (!mayScan()) {
        yield { heads: [], offset, next: { offset, tail: [...tail] }, isLast: false };
        return;
      }
      pages = [source.heads(offset, length)];
      continue;
    }
    while (!isLast && pages.length < PAGES_AHEAD && mayScan())
      pages.push(judgedLater(source.heads(offset + step * (pages.length + 1), length)));
    tail = new Set(heads.slice(-overlap).map(({ id }) => id));
    yield { heads, offset, next: { offset: offset + step, tail: [...tail] }, isLast };
    if (isLast || pages.length === 0) return;
    offset += step;
  }
}

/** Behind the end of the list a page back may still be behind it: half the way is gone at once. */
function stepBack(offset: number, behindEnd: boolean, step: number): number {
  return Math.max(0, behindEnd ? Math.floor(offset / 2) : offset - step);
}

/** Starts a request whose failure is judged when its page is wanted, not before. */
function judgedLater<T>(page: Promise<T>): Promise<T> {
  page.catch(() => undefined);
  return page;
}
