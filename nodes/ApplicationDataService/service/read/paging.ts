import { nullIf, pause } from '../../util/concurrently';
import { IdSet } from '../../util/ids';
import { MAX_LIST_LENGTH } from '../http/client';
import { isTooSlow, ServiceError, toServiceError } from '../http/errors';

export interface PageRange {
  readonly offset: number;
  readonly limit: number;
  /** Whether a page that takes too long fails at once: less is asked for then. */
  readonly isDivisible?: boolean;
}

export interface PageSource<T> {
  fetchPage(range: PageRange): Promise<readonly T[]>;
  /** The ID of an entry; `null` if the list carries none: then pages cannot be compared. */
  idOf(entry: T): string | null;
  /** How many entries there are, as far as anybody counts them. */
  readonly count?: () => Promise<number>;
}

/** How much is read, and how. */
export interface PageTerms {
  readonly limit?: number | undefined;
  /** Length of the first page, where who reads may stop at any record: then none is asked for before it is wanted. */
  readonly first?: number | undefined;
  /** What is not in the list is concluded to be nowhere: it is counted afterwards. */
  readonly isProof?: boolean | undefined;
  /** The longest page, if a longer one came too late before; and who is told of one that comes too late. */
  readonly length?: number | undefined;
  readonly shortened?: (length: number) => void;
  readonly from?: PageStart | undefined;
}

/** Where to begin, and, where an earlier reader stopped there, what it has read: that is left out. */
interface PageStart {
  readonly offset: number;
  readonly wasRead?: (id: string) => boolean;
  /** Where its place is now, if so many were deleted before it that the list is looked through from further ahead. */
  readonly moved?: (offset: number) => void;
}

/**
 * By how many entries pages overlap. Records move to the front when records are deleted while the list is read; as long
 * as a page begins with a record that was read, none was jumped over.
 */
const PAGE_OVERLAP = 50;

/** A page that takes too long is asked for in halves, down to this length. */
const MIN_PAGE_LENGTH = 250;

/** Entries yielded at once: before each slice, the process may send requests, take in answers, and serve others. */
const SLICE_LENGTH = 200;

/**
 * Reads a list to its end or to a limit: each entry once, none left out, even if entries are added or deleted
 * meanwhile. While one page is worked on, slice by slice, the next one is on its way.
 * @throws ServiceError if the service ignores where a page should begin; for a proof, if it counts more than it lists.
 */
export async function* pagesOf<T>(source: PageSource<T>, terms: PageTerms = {}): AsyncGenerator<T[]> {
  const reader = new PageReader(source, terms);
  yield* slicesOf(reader);
  const { count } = source;
  if (terms.isProof !== true || count === undefined || (await count()) <= reader.listed) return;
  // Records are added all the time, and come last. The count does not wait for the list: else those that others add in
  // between would always be more than it.
  const counting = count();
  // A failure is judged when the count is wanted.
  counting.catch(() => undefined);
  yield* slicesOf(reader);
  const counted = await counting;
  if (counted <= reader.listed) return;
  throw listsLess(counted, reader.listed);
}

/** The error of a list that ends although more is counted. */
export function listsLess(
  count: number,
  listed: number,
  advice = 'So it is not known what is there. Run the workflow again when nobody works in the application.',
): ServiceError {
  return new ServiceError(
    'badAnswer',
    `The service counts ${count} records, but lists only ${listed}`,
    advice,
  );
}

async function* slicesOf<T>(reader: PageReader<T>): AsyncGenerator<T[]> {
  for await (const page of reader.pages()) yield* inSlices(page);
}

/** Entries in slices, between which others are served. */
export async function* inSlices<T>(entries: Iterable<T>): AsyncGenerator<T[]> {
  let slice: T[] = [];
  for (const entry of entries) {
    if (slice.length === SLICE_LENGTH) {
      yield slice;
      slice = [];
    }
    // Each time: to send the request for the next page takes several turns of the event loop.
    if (slice.length === 0) await pause(0);
    slice.push(entry);
  }
  if (slice.length > 0) yield slice;
}

interface Page<T> {
  readonly offset: number;
  readonly asked: number;
  readonly entries: readonly T[];
}

class PageReader<T> {
  /** Entries so far, each once. */
  listed = 0;

  private readonly seen = new IdSet();

  /** Where the next page begins, and how much of it should have been read. */
  private next: { readonly offset: number; readonly overlap: number };

  private length: number;

  /** The next page, while it is on its way. */
  private ahead: Promise<Page<T>> | null = null;

  /** The last page, where entries carry no IDs. */
  private last: readonly T[] = [];

  /** Whether the last page held nothing new. */
  private wasBarren = false;

  constructor(
    private readonly source: PageSource<T>,
    private readonly terms: PageTerms,
  ) {
    const { length = MAX_LIST_LENGTH, from = { offset: 0 } } = terms;
    const overlap = from.wasRead === undefined ? 0 : Math.min(PAGE_OVERLAP, length >> 1, from.offset);
    this.length = length;
    this.next = { offset: from.offset - overlap, overlap };
  }

  /** The pages up to one that is shorter than asked for; called again, it reads on from there. */
  async *pages(): AsyncGenerator<T[]> {
    const { limit = Infinity, first, from: { wasRead } = {} } = this.terms;
    while (this.listed < limit) {
      const start = this.next.offset;
      const { offset, asked, entries } = await this.take();
      const listed = entries.filter((entry) => this.isNew(entry));
      const unread =
        wasRead === undefined ? listed : listed.filter((entry) => !this.wasReadBefore(this.idOf(entry)));
      const fresh = unread.slice(0, limit - this.listed);
      this.listed += fresh.length;
      const isEnd = entries.length < asked;
      if (!isEnd) await this.assertProgress(entries, listed.length, offset < start);
      const overlap = this.idOf(entries[0]) === null ? 0 : Math.min(PAGE_OVERLAP, entries.length >> 1);
      this.next = { offset: offset + entries.length - overlap, overlap };
      if (fresh.length === 0) this.terms.from?.moved?.(offset + entries.length);
      if (!isEnd && this.listed < limit && first === undefined) this.fetchAhead();
      yield fresh;
      if (isEnd) return;
    }
  }

  private idOf(entry: T | undefined): string | null {
    return entry === undefined ? null : this.source.idOf(entry);
  }

  private isNew(entry: T): boolean {
    const id = this.source.idOf(entry);
    return id === null || this.seen.add(id);
  }

  private wasReadBefore(id: string | null): boolean {
    return id !== null && this.terms.from?.wasRead?.(id) === true;
  }

  private wasRead(id: string | null): boolean {
    return id !== null && (this.seen.has(id) || this.wasReadBefore(id));
  }

  /**
   * @param wentBack whether the page was asked for again at a smaller offset: it may hold nothing new, once.
   * @throws ServiceError if the service gives the same again and again.
   */
  private async assertProgress(entries: readonly T[], fresh: number, wentBack: boolean): Promise<void> {
    let isBarren = fresh === 0 && (!wentBack || this.wasBarren);
    if (this.idOf(entries[0]) === null) {
      const isSame = entries.every((entry, at) => JSON.stringify(entry) === JSON.stringify(this.last[at]));
      // Entries without IDs may all be alike.
      isBarren = isSame && this.listed > ((await this.source.count?.()) ?? 0);
      this.last = entries;
    }
    this.wasBarren = fresh === 0;
    if (!isBarren) return;
    throw new ServiceError(
      'badAnswer',
      'The service returns the same records again and again, so its list has no end',
      'It seems to ignore where a page should begin ("offset"). Ask the administrator of the service, or of a proxy in between.',
    );
  }

  /**
   * The next page; or one before it, if it does not begin with what was read: so many were deleted before it that some
   * would be jumped over.
   */
  private async take(): Promise<Page<T>> {
    const { offset, overlap } = this.next;
    let page = await (this.ahead ?? this.fetch(offset));
    this.ahead = null;
    while (overlap > 0 && page.offset > 0 && !this.wasRead(this.idOf(page.entries[0]))) {
      const earlier = Math.max(0, page.offset - (page.asked - overlap));
      this.terms.from?.moved?.(earlier);
      page = await this.fetch(earlier);
    }
    return page;
  }

  /** Asks for the next page. One more would stand behind it in the one queue of the service. */
  private fetchAhead(): void {
    this.ahead = this.fetch(this.next.offset);
    // A failure is judged when the page is wanted.
    this.ahead.catch(() => undefined);
  }

  /** A page. If it takes too long, the rest of the list is asked for by half its length. */
  private async fetch(offset: number): Promise<Page<T>> {
    for (;;) {
      // Twice the overlap: in another order than that of the IDs, records may come in before the page.
      const wanted = (this.terms.limit ?? Infinity) - this.listed + 2 * this.next.overlap;
      const { first = this.length } = offset === 0 ? this.terms : {};
      const asked = Math.min(wanted, this.length, first);
      const isDivisible = asked > MIN_PAGE_LENGTH;
      const entries = await nullIf(
        (error) => isDivisible && isTooSlow(toServiceError(error)),
        this.source.fetchPage({ offset, limit: asked, isDivisible }),
      );
      if (entries !== null) return { offset, asked, entries };
      this.length = Math.min(this.length, Math.max(MIN_PAGE_LENGTH, Math.ceil(asked / 2)));
      this.terms.shortened?.(this.length);
    }
  }
}
