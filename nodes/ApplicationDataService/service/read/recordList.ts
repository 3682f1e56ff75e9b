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
  /** Whether a page that takes too long fails at once, because less is asked for then. */
  readonly isDivisible?: boolean;
}

/**
 * Lists records with the parts of the query. Whether such a list carries the revision is not documented: it is asked
 * for by name, and no longer where the service refuses that.
 */
export async function listParts(
  app: ApplicationSession,
  query: ListQuery,
  range: PageRange,
): Promise<RawRecord[]> {
  if (app.lacksKeys && !(await showsKeys(app, query, range))) return [];
  const { abilities } = app;
  const idPart = ownIdPart(app.application.parts);
  const parts = idPart === null ? query.parts : [idPart, ...query.parts];
  const list = async (more: readonly string[]): Promise<RawRecord[]> =>
    await listRecords(app, query, range, partFields(parts, query.keyMode, more));
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
 * Where no record has shown the keys, `fields` could not be spelled: lists without it, and learns the key mode if
 * records are there by now.
 * @throws ServiceError if it is not that of the query.
 */
async function showsKeys(app: ApplicationSession, query: ListQuery, range: PageRange): Promise<boolean> {
  const [first] = await listRecords(app, query, range);
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

/**
 * Lists records (interface.md, "list_data"), in the order of their IDs unless the query sorts; without `fields` with
 * the parts that the service chooses.
 */
export async function listRecords(
  app: ApplicationSession,
  { filter, keyword, sort }: Omit<ListQuery, 'parts' | 'keyMode'>,
  { offset, limit, isDivisible = false }: PageRange,
  fields?: string,
): Promise<RawRecord[]> {
  const form: FormField[] = [['app_id', app.reference]];
  if (fields !== undefined) form.push(['fields', fields]);
  if (filter) form.push(['filter', filter]);
  if (keyword) form.push(['keyword', keyword]);
  const part = sort?.part ?? ownIdPart(app.application.parts);
  if (part !== null) form.push(...sortFields(part, sort?.order));
  if (offset > 0) form.push(['offset', String(offset)]);
  form.push(['limit', String(limit)]);
  const entries = await callForList(app.client, 'list_data', form, isDivisible ? 'page' : undefined);
  if (entries.every(isObject)) return entries;
  throw new ServiceError(
    'badAnswer',
    'The service lists something that is no record',
    'Ask the administrator of the service.',
  );
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
