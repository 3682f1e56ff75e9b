import { isObject } from '../../parts/values/shapes';
import { isOmitted } from '../../parts/values/given';
import { readQuery, type SavedQuery } from '../../common/query';
import type { Selection } from '../../service/read/selection';
import type { ApplicationSession } from '../../service/application/session';
import type { Item } from '../run/item';
import { match } from '../../common/filters';
import { limit, returnAll } from '../../common/properties';

type QueryOptions = Omit<SavedQuery, 'filters' | 'match' | 'sort'>;

/** The query that an item's parameters mean, without a limit. @param isCount wants no parts, and has no order */
export async function recordQuery(
  item: Item,
  app: ApplicationSession,
  options: QueryOptions,
  isCount = false,
): Promise<Selection> {
  const { timezone, onMovedDay } = item;
  const context = { parts: app.application.parts, keyMode: await app.readListMode(), timezone, onMovedDay };
  return readQuery(savedQuery(item, options), context, isCount);
}

function savedQuery(item: Item, options: QueryOptions): SavedQuery {
  const filters = item.value('filters', {});
  const saved = { ...options, match: item.get(match), filters, sort: item.value('sort', {}) };
  if (!item.run.byAgent || !isObject(filters) || !Array.isArray(filters.condition)) return saved;
  const conditions = filters.condition
    .filter(isObject)
    .map((each) => Object.fromEntries(Object.entries(each).filter(([, value]) => !isOmitted(value))));
  // A condition in which an agent said neither the part nor the value is none.
  return { ...saved, filters: { condition: conditions.filter((each) => 'part' in each || 'value' in each) } };
}

/** How many results an item wants; `undefined` for all. @throws UserError for no positive whole number. */
export function readLimit(item: Item): number | undefined {
  return item.get(returnAll) ? undefined : item.get(limit);
}
