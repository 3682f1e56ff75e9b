/** `list_data` gives this many records at most (interface.md, "Limits"). */
export const MAX_PAGE_LENGTH = 5000;

/**
 * Records by which a page begins before the last one ended. Rows move to the front when records are deleted while
 * the list is read; as long as pages share a record, none was jumped over.
 */
const OVERLAP = 50;

/** What is read page by page. */
export interface PageSource<T> {
  fetchPage(offset: number, limit: number): Promise<T[]>;
  /** The record id; `null` where the service gives none: then pages cannot be compared. */
  idOf(record: T): string | null;
}

/**
 * Reads a list to its end or to `limit` records: each record once, none left out, even if records are added or
 * deleted meanwhile. The next page is on its way while one is worked on.
 */
export async function* readPages<T>(source: PageSource<T>, limit = Infinity): AsyncGenerator<T[]> {
  if (limit <= MAX_PAGE_LENGTH) {
    yield await source.fetchPage(0, limit);
    return;
  }
  const seen = new Set<string>();
  let given = 0;
  let offset = 0;
  let current = await source.fetchPage(0, MAX_PAGE_LENGTH);
  for (;;) {
    const overlap = current.length > 0 && source.idOf(current[0] as T) !== null ? OVERLAP : 0;
    const nextOffset = offset + MAX_PAGE_LENGTH - overlap;
    const isLast = current.length < MAX_PAGE_LENGTH;
    const next = isLast ? undefined : prefetch(source.fetchPage(nextOffset, MAX_PAGE_LENGTH));
    const fresh = current.filter((record) => isNew(seen, source.idOf(record)));
    const page = fresh.slice(0, limit - given);
    given += page.length;
    if (page.length > 0) yield page;
    if (next === undefined || given >= limit) return;

    const following = await next;
    const shared = overlap === 0 || following.some((record) => seen.has(source.idOf(record) ?? ''));
    // No record in common: so many were deleted before this place that the page jumped over some. Step back.
    offset = shared ? nextOffset : Math.max(0, offset - MAX_PAGE_LENGTH + overlap);
    current = shared ? following : await source.fetchPage(offset, MAX_PAGE_LENGTH);
  }
}

function isNew(seen: Set<string>, id: string | null): boolean {
  if (id === null) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return true;
}

/** Starts a request whose failure is judged when its page is wanted, not before. */
function prefetch<T>(page: Promise<T>): Promise<T> {
  page.catch(() => undefined);
  return page;
}
