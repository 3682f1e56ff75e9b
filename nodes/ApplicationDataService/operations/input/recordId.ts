import { locatedIds } from '../../common/recordLocator';
import { isOmitted } from '../../parts/values/omitted';
import { UserError } from '../../util/userError';
import type { Item } from '../run/item';
import { recordIdOf, severalOf } from './several';

/**
 * The record that an item is about.
 * @throws UserError if it names none, or several.
 */
export function readRecordId(item: Item): string {
  const [id, ...others] = readRecordIds(item, /[,\r\n]/);
  if (id !== undefined && others.length === 0) return id;
  throw new UserError(
    `The item names ${others.length + 1} records, and this operation takes one`,
    'Pass one record ID per item, for example with a Split Out node before this one.',
  );
}

/**
 * The records that an item names: several IDs as an array, or between commas.
 * @throws UserError if it names none.
 */
export function readRecordIds(item: Item, separators = /,/): string[] {
  const located = locatedIds(item.value('recordId', ''));
  const ids =
    item.run.byAgent && isOmitted(located) ? [] : severalOf(located, { textOf: recordIdOf, separators });
  if (ids.length > 0) {
    item.recordIds = ids;
    return ids;
  }
  throw new UserError(
    'The record ID is empty',
    'Select a record from the list, or enter its ID. If you use an expression: it was empty for this item.',
  );
}
