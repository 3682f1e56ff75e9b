import { partKey } from '../../parts/model/keys';
import { detectKeyMode } from '../../parts/model/lookup';
import { listedIdPart, ownIdPart } from '../../parts/types/id';
import type { KeyMode, Part } from '../../parts/model/part';
import { readInteger } from '../../parts/values/decimal';
import { isObject, ownValue, readText, valOf } from '../../parts/values/shapes';
import { nullIf } from '../../util/concurrently';
import { assertRunning } from '../application/definition';
import type { ApplicationSession } from '../application/session';
import { callForList, nullIfNothingMatches } from '../http/client';
import { badAnswer, isRefusal, type ServiceError } from '../http/errors';
import { filled } from '../http/multipart';
import { type PageRange, pagesOf, type PageTerms } from './paging';

/** A record as the service returns it (interface.md, "Data record"). */
export type RawRecord = Readonly<Record<string, unknown>>;
/** A filter, or one condition of it, in the form that the service accepts (interface.md, "list_data"). */
export type FilterObject = Readonly<Record<string, unknown>>;

export function filterCondition(
  { id }: Pick<Part, 'id'>,
  operator: string,
  value?: string,
  byId = false,
): FilterObject {
  return { field_id: id, operator, ...(value !== undefined && { value }), ...(byId && { type: 'id' }) };
}

export function filterText(conditions: readonly unknown[]): string {
  return JSON.stringify({ item: conditions });
}

/** Which records to list, and what of them (interface.md, "list_data"). */
export interface ListQuery {
  /** Parts to ask for; the ID part and the revision are asked for besides. */
  readonly parts: readonly Part[];
  readonly keyMode: KeyMode;
  readonly filter?: string | undefined;
  readonly keyword?: string | undefined;
  /** By record id if it is absent: an order that stays while pages are read. */
  readonly sort?: { readonly part: Part; readonly order: 'asc' | 'desc' } | undefined;
}

/** Lists records with some parts, and the revision, by name: whether that may be asked for is not documented. */
export async function listParts(
  app: ApplicationSession,
  query: ListQuery,
  range: PageRange,
): Promise<RawRecord[]> {
  if (app.lacksKeys && !(await readKeys(app, query, range))) return [];
  const { abilities } = app;
  const idPart = ownIdPart(app.application.parts);
  const parts = idPart === null ? query.parts : [idPart, ...query.parts];
  const list = async (...more: readonly string[]): Promise<RawRecord[]> =>
    await listRecords(app, query, range, partFields(parts, query.keyMode, more));
  if (abilities.revisionByName === false) return await list();
  const mayFail = (error: unknown): boolean => isRefusal(error) && abilities.revisionByName !== true;
  const listed = await nullIf(mayFail, list('revision'));
  const page = listed ?? (await list());
  // What matches nothing may be refused before anybody looks at what is asked for.
  if (listed === null || page.length > 0) abilities.revisionByName = listed !== null;
  return page;
}

/** Where no record has shown the keys: lists without `fields`, and learns. @returns whether there are records */
async function readKeys(app: ApplicationSession, query: ListQuery, range: PageRange): Promise<boolean> {
  const [first] = await listRecords(app, query, range);
  if (first === undefined) return false;
  const mode = detectKeyMode(first, app.application.parts) ?? query.keyMode;
  app.learnKeyMode(mode);
  if (mode === query.keyMode) return true;
  const message = `The application "${app.application.name}" received its first record while it was being read`;
  throw badAnswer(message, 'Nothing is wrong with it. Try again.');
}

/** Lists records (interface.md, "list_data"), by ID unless the query sorts; without `fields` as the service chooses. */
export async function listRecords(
  app: ApplicationSession,
  { filter, keyword, sort }: Omit<ListQuery, 'parts' | 'keyMode'>,
  { offset, limit, isDivisible = false }: PageRange,
  fields?: string,
): Promise<RawRecord[]> {
  const part = sort?.part ?? ownIdPart(app.application.parts);
  const order = part === null ? {} : { sort_field_id: part.id, sort_order: sort?.order ?? 'asc' };
  const range = { offset: offset > 0 ? String(offset) : '', limit: String(limit) };
  const form = filled({ app_id: app.reference, fields, filter, keyword, ...order, ...range });
  const entries = await callForList(app.client, 'list_data', form, isDivisible ? 'page' : undefined);
  if (entries.every(isObject)) return entries;
  throw badAnswer('The service lists something that is not a record');
}

/** The `fields` parameter: by name or by identifier, as the application keys its parts; each key once. */
export function partFields(parts: readonly Part[], keyMode: KeyMode, more: readonly string[] = []): string {
  const keys = new Set([...parts.map((part) => partKey(part, keyMode)).filter((key) => key !== ''), ...more]);
  const name = keyMode === 'name' ? 'field_name' : 'field_alias';
  return JSON.stringify([...keys].map((key) => ({ [name]: key })));
}

/** Counts the records that a query names (interface.md, "count_data"). */
export async function countRecords(
  app: ApplicationSession,
  { filter, keyword, parts, keyMode }: Partial<ListQuery> = {},
): Promise<number> {
  const narrows = keyword && parts && keyMode && !app.lacksKeys;
  const fields = narrows ? partFields(parts, keyMode) : undefined;
  const form = filled({ app_id: app.reference, filter, keyword, fields });
  const answer = await nullIfNothingMatches(app.client.call('count_data', form));
  if (answer === null) return 0;
  const count = readInteger(answer.allcnt);
  if (count !== null) return count;
  throw badAnswer('The service returned no number of records');
}

export function readId(record: RawRecord, idKey: string): string | null {
  const value = idKey === '' ? undefined : ownValue(record, idKey);
  const id = readText(valOf(value));
  return id === '' ? null : id;
}

/** A record without its ID, which cannot be told from others: it cannot be counted or joined, nor be written to. */
export function lacksId(consequence = 'it is not known which records are there', advice = ''): ServiceError {
  const message = `The service lists a record without its ID, so ${consequence}`;
  return badAnswer(message, `Make the ID part readable for this access key${advice}.`);
}

export interface RecordQuery extends ListQuery, PageTerms {}

/**
 * Reads the records of a query, page by page, each once. With `isProof` the end proves what is not among them: a count
 * asked then is not more than was read, and the application, asked after that, is running.
 * @throws UserError, ServiceError for a proof, if lists carry no IDs, or it is not known that all was read.
 */
export async function* readPages(app: ApplicationSession, query: RecordQuery): AsyncGenerator<RawRecord[]> {
  const { keyMode, isProof = false } = query;
  const { parts } = app.application;
  const idPart = isProof ? listedIdPart(parts, keyMode) : ownIdPart(parts);
  const idKey = idPart === null ? '' : partKey(idPart, keyMode);
  const idOf = (record: RawRecord): string | null => {
    const id = readId(record, idKey);
    if (id !== null || !isProof) return id;
    throw lacksId();
  };
  const source = {
    fetchPage: async (range: PageRange) => await listParts(app, query, range),
    idOf,
    count: async () => await countRecords(app, query),
  };
  yield* pagesOf(source, query);
  if (isProof) await assertRunning(app.client, app.reference);
}
