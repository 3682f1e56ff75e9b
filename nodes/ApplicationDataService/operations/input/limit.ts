import { UserError } from '../../util/userError';
import type { ItemRun } from '../run/itemRun';

/**
 * How many results the item wants; `undefined` for all.
 * @throws UserError when the limit is no positive whole number.
 */
export function readLimit(item: ItemRun): number | undefined {
  if (item.value('returnAll', false) === true) return undefined;
  const limit = Number(item.value('limit', 50));
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new UserError(
    'The limit must be a whole number of 1 or more',
    'Enter how many results to return, or switch on Return All.',
  );
}

/**
 * Asks for one result more than an AI agent wants, and tells it where there are more: it would take what it gets for all
 * there is. Others see how many they got.
 * @param what in the plural, e.g. "records"
 */
export async function withinLimit<T>(
  item: ItemRun,
  what: string,
  read: (limit: number | undefined) => Promise<T[]>,
): Promise<T[]> {
  const limit = readLimit(item);
  if (limit === undefined || !item.run.byAgent) return await read(limit);
  const found = await read(limit + 1);
  if (found.length > limit) {
    item.run.hints.add(
      `There are more ${what} than the limit of ${limit}: narrow what is asked for, or count them`,
    );
  }
  return found.slice(0, limit);
}
