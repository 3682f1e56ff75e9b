import { UserError } from '../../util/userError';
import type { Item } from '../run/item';

/** As many as Get Many gives by default: an agent deletes no more at once than it has looked at. */
const MOST_OF_AGENT = 50;

/**
 * An AI agent names one by one what it deletes: no word for all of them, no range, not more than it can have looked at.
 * @param what in the plural, e.g. "records"
 * @throws UserError otherwise; nothing was deleted.
 */
export function assertExplicitIds(item: Item, ids: readonly string[], what: string): void {
  if (!item.run.byAgent) return;
  const wrong = ids.find((id) => !isExplicit(id));
  if (wrong !== undefined) {
    throw new UserError(
      `"${wrong}" does not name one of the ${what}`,
      'Enter the ID of each, as Get returns it, separated by commas.',
    );
  }
  if (ids.length <= MOST_OF_AGENT) return;
  throw new UserError(
    `These are ${ids.length} ${what}, and an agent may delete ${MOST_OF_AGENT} at once`,
    'Make sure that you mean all of them, then delete them in several steps.',
  );
}

/** IDs hold a digit; a hyphen between numbers is a range. */
function isExplicit(id: string): boolean {
  return /^[\w-]*\d[\w-]*$/.test(id) && !/^\d+-\d+$/.test(id);
}
