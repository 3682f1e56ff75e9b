import { partKey } from '../../parts/model/keys';
import { readInteger } from '../../parts/values/decimal';
import { ownIdPart } from '../../parts/model/lookup';
import type { KeyMode, Part } from '../../parts/model/part';
import { detectKeyMode } from '../../parts/record';
import { isObject } from '../../parts/values/shapes';
import { readText } from '../../parts/values/wire';
import { callForList, isNoMatchingData } from '../application/definition';
import type { FormField } from '../http/client';
import { ServiceError, toServiceError } from '../http/errors';
import { readPages } from './paging';
import type { ApplicationSession } from '../application/session';

/** A record as the service gives it (interface.md, "Data record"). */
export type RawRecord = Readonly<Record<string, unknown>>;

/** What to read of an application's records (interface.md, "list_data"). */
export interface RecordQuery {
  /** Parts to ask for; the ID part and the revision are asked for besides. */
  readonly parts: readonly Part[];
  readonly keyMode: KeyMode;
  /** Filter as the service takes it. */
  readonly filter?: string | undefined;
  readonly keyword?: string | undefined;
  readonly sort?: { readonly part: Part; readonly order: 'asc' | 'desc' } | undefined;
  /** Most records to read; all where it is absent. */
  readonly limit?: number | undefined;
}

/** Reads one record (interface.md, "get_data"). */
export async function readRecord(
  app: ApplicationSession,
  id: string,
  loadReferenceLists = true,
): Promise<RawRecord> {
  const fields: FormField[] = [
    ['app_id', app.reference],
    ['data_id', id],
  ];
  if (!loadReferenceLists) fields.push(['load_rel_list', 'off']);
  const { record } = await app.client.call('get_data', fields);
  if (isObject(record)) return record;
  throw new ServiceError('badAnswer', `The service gave no record for the ID ${id}`, 'Check the record ID.');
}

/**
 * Reads the records that a query names, page by page, each once.
 * @param whole the list must be known to be whole, because of what is not in it: a page shorter than asked for is then the
 * last one only if a count agrees, or an empty page follows.
 */
export async function* readRecords(
  app: ApplicationSession,
  query: RecordQuery,
  whole = false,
): AsyncGenerator<RawRecord[]> {
  const idPart = ownIdPart(app.application.parts);
  const idKey = idPart === null ? '' : partKey(idPart, query.keyMode);
  const source = {
    fetchPage: async (offset: number, limit: number) => await fetchPage(app, query, offset, limit),
    idOf: (record: RawRecord) => readId(record, idKey),
    isAlone: () => app.listsUnderWay === 1,
    pause: async () => await app.client.wait(0),
    ...(whole && { count: async () => await countRecords(app, query) }),
  };
  app.listsUnderWay += 1;
  try {
    yield* readPages(source, query.limit);
  } finally {
    app.listsUnderWay -= 1;
  }
}

/** Counts the records that a query names (interface.md, "count_data"). */
export async function countRecords(
  app: ApplicationSession,
  { filter, keyword, parts, keyMode }: Partial<RecordQuery> = {},
): Promise<number> {
  const fields: FormField[] = [['app_id', app.reference]];
  if (filter) fields.push(['filter', filter]);
  if (keyword) fields.push(['keyword', keyword]);
  if (keyword && parts && keyMode) fields.push(['fields', partFields(parts, keyMode)]);
  try {
    const { allcnt } = await app.client.call('count_data', fields);
    const count = readInteger(allcnt);
    if (count !== null) return count;
  } catch (error) {
    if (isNoMatchingData(error)) return 0;
    throw toServiceError(error);
  }
  throw new ServiceError('badAnswer', 'The service gave no number of records', 'Try again.');
}

/** The record id in a list item; `null` where the list carries none. */
export function readId(record: RawRecord, idKey: string): string | null {
  const value = idKey === '' ? undefined : record[idKey];
  const id = readText(isObject(value) ? value.val : value);
  return id === '' ? null : id;
}

async function fetchPage(
  app: ApplicationSession,
  query: RecordQuery,
  offset: number,
  limit: number,
): Promise<RawRecord[]> {
  const page = await callWithFields(app, query, [
    ['app_id', app.reference],
    ...(query.filter ? [['filter', query.filter] as const] : []),
    ...(query.keyword ? [['keyword', query.keyword] as const] : []),
    ...sortFields(app, query),
    ...(offset > 0 ? [['offset', String(offset)] as const] : []),
    ['limit', String(limit)],
  ]);
  return page.filter(isObject);
}

/** Without an order of the user's, by record id: an order that stays while pages are read. */
function sortFields(app: ApplicationSession, { sort }: RecordQuery): FormField[] {
  const part = sort?.part ?? ownIdPart(app.application.parts);
  if (part === null) return [];
  return [
    ['sort_field_id', part.id],
    ['sort_order', sort?.order ?? 'asc'],
  ];
}

/**
 * How a service gives the revision in a narrowed list is not documented: it is asked for by name, and left out of the
 * question where the service refuses it.
 */
async function callWithFields(
  app: ApplicationSession,
  query: RecordQuery,
  fields: FormField[],
): Promise<unknown[]> {
  const list = async (withRevision: boolean): Promise<unknown[]> =>
    await callForList(app.client, 'list_data', [...fields, ['fields', fieldsJson(app, query, withRevision)]]);
  if (!app.acceptsRevisionField) return await list(false);
  try {
    return await list(true);
  } catch (error) {
    const failure = toServiceError(error);
    if (failure.kind !== 'refused') throw toServiceError(failure);
    const page = await list(false);
    app.acceptsRevisionField = false;
    return page;
  }
}

function fieldsJson(app: ApplicationSession, { parts, keyMode }: RecordQuery, withRevision: boolean): string {
  const idPart = ownIdPart(app.application.parts);
  const wanted = idPart === null || parts.includes(idPart) ? parts : [idPart, ...parts];
  return partFields(wanted, keyMode, withRevision ? ['revision'] : []);
}

/** The `fields` parameter: by name or by identifier, as the application keys its parts. */
function partFields(parts: readonly Part[], keyMode: KeyMode, more: readonly string[] = []): string {
  const keys = new Set([...parts.map((part) => partKey(part, keyMode)).filter((key) => key !== ''), ...more]);
  const name = keyMode === 'name' ? 'field_name' : 'field_alias';
  return JSON.stringify([...keys].map((key) => ({ [name]: key })));
}

/** Which key names a part, where it is known or the record tells: once a record has told it, it is known. */
export function learnFrom(app: ApplicationSession, record: RawRecord): KeyMode | null {
  const mode = app.knownKeyMode ?? detectKeyMode(record, app.application.parts);
  if (mode !== null) app.learnKeyMode(mode);
  return mode;
}
