import { UserError } from '../../util/userError';
import { codecOf } from '../../parts/codecs';
import type { Part } from '../../parts/model/part';
import type { ApplicationSession } from '../../service/application/session';
import { filterCondition, filterText, type FilterObject } from '../../service/read/filter';
import { listParts, listRecords, type RawRecord, type Slice } from '../../service/read/recordList';
import type { Capabilities } from './capabilities';
import { assertListed, idPart, wholeParts, type Watch } from './watch';

/** One page of a list. */
export interface PageQuery extends Slice {
  readonly parts: readonly Part[];
  readonly sort: Part;
  readonly order: 'asc' | 'desc';
  /** Filter to use instead of the watch's own. */
  readonly filter?: string | undefined;
}

/** A page, and whether its parts were requested by name. Otherwise it contains the parts that the service chose. */
export interface ListedPage {
  readonly records: readonly RawRecord[];
  readonly asAsked: boolean;
}

/**
 * Reads one page with the revision of each record (interface.md, "list_data"). If the list has no revision although it
 * was requested, lists are read without `fields` from then on.
 */
export async function readListedPage(
  app: ApplicationSession,
  watch: Watch,
  page: PageQuery,
  known: Capabilities,
): Promise<ListedPage> {
  const { keyMode, narrowing } = watch;
  const { parts, filter = narrowing.filter } = page;
  const sort = { part: page.sort, order: page.order };
  const query = { parts, keyMode, filter, keyword: narrowing.keyword, sort };
  if (known.revisionInLists !== false) {
    const records = await listParts(app, query, page);
    if (records.length === 0) return { records, asAsked: true };
    known.revisionInLists = records[0]?.revision !== undefined;
    if (known.revisionInLists) return { records, asAsked: true };
  }
  assertSameSearch(watch);
  const records = await listRecords(app, query, page);
  assertListed(watch, records[0]);
  return { records, asAsked: false };
}

/** Without `fields`, the service searches for a keyword in all parts. @throws UserError if other parts are wanted. */
function assertSameSearch(watch: Watch): void {
  if (watch.narrowing.keyword === undefined) return;
  const asked = wholeParts(watch);
  const unwanted = watch.parts.find((part) => codecOf(part).searchable && !asked.includes(part));
  if (unwanted === undefined) return;
  throw new UserError(
    'The search cannot be limited to the keyword parts: this service returns revisions only in lists of all parts, and searches all of them',
    'Remove the keyword parts and the parts to return, or use a filter instead of the keyword.',
  );
}

/** The watch's own filter, and a condition on the ID besides: `=` with several joined by tabs, or `>=`. */
export function filterForIds(watch: Watch, operator: '=' | '>=', value: string): string {
  const own =
    watch.narrowing.filter === undefined ? {} : (JSON.parse(watch.narrowing.filter) as FilterObject);
  const items = 'item' in own && Array.isArray(own.item) ? (own.item as unknown[]) : [];
  return filterText([...items, filterCondition(idPart(watch), operator, value)], own);
}
