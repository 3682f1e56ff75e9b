import { isObject } from '../../parts/values/shapes';
import { isOmitted } from '../../parts/values/given';
import { readCountQuery, readQuery, type SavedQuery } from '../../common/query';
import type { Selection } from '../../service/read/selection';
import type { ApplicationSession } from '../../service/application/session';
import type { Item } from '../run/item';
import { match, type QueryContext } from '../../common/filters';
import { limit, returnAll } from '../../common/properties';

type QueryOptions = Omit<SavedQuery, 'filters' | 'match' | 'sort'>;

/** The query that an item's parameters mean, without a limit. */
export async function recordQuery(
  item: Item,
  app: ApplicationSession,
  options: QueryOptions,
): Promise<Selection> {
  const saved = { ...savedQuery(item, options), sort: item.value('sort', {}) };
  return readQuery(saved, await queryContext(item, app));
}

/** Which records they mean; the parts are those to search by keyword. */
export async function countQuery(
  item: Item,
  app: ApplicationSession,
  options: QueryOptions,
): Promise<Selection> {
  return readCountQuery(savedQuery(item, options), await queryContext(item, app));
}

async function queryContext({ timezone }: Item, app: ApplicationSession): Promise<QueryContext> {
  return { parts: app.application.parts, keyMode: await app.readListMode(), timezone };
}

function savedQuery(item: Item, options: QueryOptions): SavedQuery {
  const filters = item.value('filters', {});
  return {
    ...options,
    match: item.get(match),
    filters: item.run.byAgent ? saidConditions(filters) : filters,
  };
}

/** A condition in which an agent said neither the part nor the value is none. */
function saidConditions(filters: unknown): unknown {
  if (!isObject(filters) || !Array.isArray(filters.condition)) return filters;
  const conditions = filters.condition.filter(isObject).map((condition) => {
    const said = Object.entries(condition).filter(([, value]) => !isOmitted(value));
    return Object.fromEntries(said);
  });
  return { condition: conditions.filter((condition) => 'part' in condition || 'value' in condition) };
}

/** How many results an item wants; `undefined` for all. @throws UserError for no positive whole number. */
export function readLimit(item: Item): number | undefined {
  return item.get(returnAll) ? undefined : item.get(limit);
}
