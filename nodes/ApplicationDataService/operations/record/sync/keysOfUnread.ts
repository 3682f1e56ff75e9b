import { acceptedValues } from '../../input/mapping';
import { matchingText } from '../../input/matchingKey';
import type { Item } from '../../run/item';
import type { ItemKey } from './assertKeys';
import type { SyncWork } from './syncWork';

/**
 * The keys of items that could not be read, as far as they can be told: such an item is not written, but its record is in
 * the input all the same.
 */
export function keysOfUnread(
  { app, context, parts }: Pick<SyncWork, 'app' | 'context' | 'parts'>,
  unread: readonly Item[],
): readonly ItemKey[] {
  return unread.flatMap((item) => {
    try {
      const values = acceptedValues(item, app.application.parts, context);
      const key = parts.map((part) => matchingText(part, values));
      return key.every((text) => text.trim() !== '') ? [{ index: item.index, key }] : [];
    } catch {
      // Why it cannot be told is the error of the item already.
      return [];
    }
  });
}
