import { UserError } from '../../util/userError';
import { codecOf } from '../../parts/codecs';
import { partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { isObject } from '../../parts/values/shapes';
import { callForList } from '../../service/application/definition';
import type { FormField } from '../../service/http/client';
import { toServiceError } from '../../service/http/errors';
import type { RawRecord } from '../../service/read/records';
import type { ApplicationSession } from '../../service/application/session';
import type { Capabilities } from './capabilities';
import { idPart, wholeParts, type Watch } from './watch';

/** One page of a list. */
export interface ListQuery {
  readonly parts: readonly Part[];
  readonly sort: Part;
  readonly order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
  /** Filter in place of the watch's own. */
  readonly filter?: string | undefined;
}

/** A page, and whether it was asked for part by part: otherwise it holds the parts that the service chose. */
export interface ListedPage {
  readonly records: readonly RawRecord[];
  readonly asAsked: boolean;
}

/**
 * Reads one page with the revision of each record (interface.md, "list_data"). How a service gives the revision in a
 * narrowed list is not documented: it is asked for by name, then the list is looked at, and where it has none, lists are
 * read without `fields` from then on.
 */
export async function readList(
  app: ApplicationSession,
  watch: Watch,
  query: ListQuery,
  known: Capabilities,
): Promise<ListedPage> {
  if (known.revisionInLists !== false) {
    const records = await listParts(app, watch, query, known);
    if (records.length === 0) return { records, asAsked: true };
    known.revisionInLists = records[0]?.revision !== undefined;
    if (known.revisionInLists) return { records, asAsked: true };
  }
  assertSameSearch(watch);
  return { records: await list(app, watch, query), asAsked: false };
}

async function listParts(
  app: ApplicationSession,
  watch: Watch,
  query: ListQuery,
  known: Capabilities,
): Promise<RawRecord[]> {
  if (known.revisionByName === false) return await list(app, watch, query, fields(watch, query, false));
  try {
    return await list(app, watch, query, fields(watch, query, true));
  } catch (error) {
    const failure = toServiceError(error);
    if (failure.kind !== 'refused' || known.revisionByName === true) throw toServiceError(failure);
    const records = await list(app, watch, query, fields(watch, query, false));
    known.revisionByName = false;
    return records;
  }
}

function fields({ keyMode }: Watch, { parts }: ListQuery, withRevision: boolean): string {
  const name = keyMode === 'name' ? 'field_name' : 'field_alias';
  const keys = parts.map((part) => partKey(part, keyMode));
  if (withRevision && !keys.includes('revision')) keys.push('revision');
  return JSON.stringify(keys.map((key) => ({ [name]: key })));
}

async function list(
  app: ApplicationSession,
  { narrowing }: Watch,
  { sort, order, offset, limit, filter = narrowing.filter }: ListQuery,
  fieldsJson?: string,
): Promise<RawRecord[]> {
  const form: FormField[] = [['app_id', app.reference]];
  if (fieldsJson !== undefined) form.push(['fields', fieldsJson]);
  if (filter !== undefined) form.push(['filter', filter]);
  if (narrowing.keyword !== undefined) form.push(['keyword', narrowing.keyword]);
  form.push(['sort_field_id', sort.id], ['sort_order', order]);
  if (offset > 0) form.push(['offset', String(offset)]);
  form.push(['limit', String(limit)]);
  return (await callForList(app.client, 'list_data', form)).filter(isObject);
}

/** Without `fields` the service looks for a keyword in all parts. @throws UserError where other ones are wanted. */
function assertSameSearch(watch: Watch): void {
  if (watch.narrowing.keyword === undefined) return;
  const asked = wholeParts(watch);
  const unwanted = watch.parts.find((part) => codecOf(part).searchable && !asked.includes(part));
  if (unwanted === undefined) return;
  throw new UserError(
    'The keyword parts cannot be kept to: this service gives revisions only in lists of all parts, and searches all of them',
    'Remove the keyword parts and the parts to return, or use a filter in place of the keyword.',
  );
}

/** The watch's own filter, and that the record is one of these. */
export function filterForIds(watch: Watch, ids: readonly string[]): string {
  const own = watch.narrowing.filter === undefined ? {} : (JSON.parse(watch.narrowing.filter) as object);
  const items = 'item' in own && Array.isArray(own.item) ? (own.item as unknown[]) : [];
  const condition = { field_id: idPart(watch).id, operator: '=', value: ids.join('\t') };
  return JSON.stringify({ ...own, item: [...items, condition] });
}
