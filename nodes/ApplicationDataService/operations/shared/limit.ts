import { UserInputError } from '../run/errors';
import type { ItemRun } from '../run/itemRun';

/**
 * How many results the item wants; `undefined` for all.
 * @throws UserInputError when the limit is no positive whole number.
 */
export function readLimit(item: ItemRun): number | undefined {
  if (item.value('returnAll', false) === true) return undefined;
  const limit = Number(item.value('limit', 50));
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new UserInputError(
    'The limit must be a whole number of 1 or more',
    'Enter how many results to return, or switch on Return All.',
  );
}
