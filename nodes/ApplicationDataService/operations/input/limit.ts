import { limit as limitSetting, returnAll } from '../../common/properties';
import type { Item } from '../run/item';

/**
 * Asks for one result more than an AI agent wants, and tells it if there are more: it would take what it gets for all
 * there is. Others see how many they got.
 * @param what in the plural, e.g. "records"
 * @param read is given how many results the item wants; `undefined` for all
 * @throws UserError for a limit that is no positive whole number.
 */
export async function withinLimit<T>(
  item: Item,
  what: string,
  read: (limit: number | undefined) => Promise<T[]>,
): Promise<T[]> {
  const limit = item.get(returnAll) ? undefined : item.get(limitSetting);
  if (limit === undefined || !item.run.byAgent) return await read(limit);
  const found = await read(limit + 1);
  if (found.length > limit) {
    item.run.hints.add(
      `There are more ${what} than the limit of ${limit}: narrow the search, or count them`,
      'limits',
    );
  }
  return found.slice(0, limit);
}
