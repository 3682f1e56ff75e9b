import { partKey } from '../../parts/model/keys';
import { detectKeyMode } from '../../parts/model/lookup';
import { ownIdPart } from '../../parts/types/id';
import type { KeyMode, Part } from '../../parts/model/part';
import { isObject } from '../../parts/values/shapes';
import { settle } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { isRefusal, ServiceError } from '../http/errors';
import { callForList } from '../http/client';
import type { FormField } from '../http/multipart';

/** A record as the service returns it (interface.md, "Data record"). */
export type RawRecord = Readonly<Record<string, unknown>>;

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

export interface PageRange {
  readonly offset: number;
  readonly limit: number;
}

/**
 * Lists records with the parts of the query. Whether such a list carries the revision is not documented: it is asked
 * for by name, and no longer where the service refuses that.
 */
export async function listParts(
  app: ApplicationSession,
  query: ListQuery,
  slice: PageRange,
): Promise<RawRecord[]> {
  return (await listEntries(app, query, slice)).filter((entry) => entry !== null);
}

/** As `listParts`, with `null` for each entry that is no record: it counts for the length of its page. */
export async function listEntries(
  app: ApplicationSession,
  query: ListQuery,
  slice: PageRange,
): Promise<(RawRecord | null)[]> {
  if (app.lacksKeys && !(await showsKeys(app, query, slice))) return [];
  const { abilities } = app;
  const idPart = ownIdPart(app.application.parts);
  const parts = idPart === null ? query.parts : [idPart, ...query.parts];
  const list = async (more: readonly string[]): Promise<(RawRecord | null)[]> =>
    await listWith(app, query, slice, partFields(parts, query.keyMode, more));
  if (abilities.revisionByName === false) return await list([]);
  const listed = await settle(async () => await list(['revision']));
  if ('value' in listed) {
    // What matches nothing may be refused before anybody looks at what is asked for.
    if (listed.value.length > 0) abilities.revisionByName = true;
    return listed.value;
  }
  if (!isRefusal(listed.error) || abilities.revisionByName === true) throw listed.error;
  const page = await list([]);
  abilities.revisionByName = false;
  return page;
}

/**
 * Lists without `fields`, which could not be spelled, where no record has shown the keys. If records are there by now,
 * the key mode of the query is checked against them.
 * @throws ServiceError if the records have keys of the other kind.
 */
async function showsKeys(app: ApplicationSession, query: ListQuery, slice: PageRange): Promise<boolean> {
  const [first] = await listRecords(app, query, slice);
  if (first === undefined) return false;
  const mode = detectKeyMode(first, app.application.parts) ?? query.keyMode;
  app.learnKeyMode(mode);
  if (mode === query.keyMode) return true;
  throw new ServiceError(
    'badAnswer',
    `The application "${app.application.name}" received its first record while it was being read`,
    'Nothing is wrong with it. Run the workflow again.',
  );
}

/** Lists records; without `fields` with the parts that the service chooses. */
export async function listRecords(...list: Parameters<typeof listWith>): Promise<RawRecord[]> {
  return (await listWith(...list)).filter((entry) => entry !== null);
}

async function listWith(
  app: ApplicationSession,
  { filter, keyword, sort }: Omit<ListQuery, 'parts' | 'keyMode'>,
  { offset, limit }: PageRange,
  fields?: string,
): Promise<(RawRecord | null)[]> {
  const form: FormField[] = [['app_id', app.reference]];
  if (fields !== undefined) form.push(['fields', fields]);
  if (filter) form.push(['filter', filter]);
  if (keyword) form.push(['keyword', keyword]);
  const part = sort?.part ?? ownIdPart(app.application.parts);
  if (part !== null) form.push(...sortFields(part, sort?.order));
  if (offset > 0) form.push(['offset', String(offset)]);
  form.push(['limit', String(limit)]);
  const entries = await callForList(app.client, 'list_data', form);
  return entries.map((entry) => (isObject(entry) ? entry : null));
}

/** The fields that put a list in order. */
export function sortFields({ id }: Pick<Part, 'id'>, order: 'asc' | 'desc' = 'asc'): FormField[] {
  return [
    ['sort_field_id', id],
    ['sort_order', order],
  ];
}

/** The `fields` parameter: by name or by identifier, as the application keys its parts; each key once. */
export function partFields(parts: readonly Part[], keyMode: KeyMode, more: readonly string[] = []): string {
  const keys = new Set([...parts.map((part) => partKey(part, keyMode)).filter((key) => key !== ''), ...more]);
  const name = keyMode === 'name' ? 'field_name' : 'field_alias';
  return JSON.stringify([...keys].map((key) => ({ [name]: key })));
}
