import { acceptedValues } from '../../input/mapping';
import { matchingText } from '../../input/matchingKey';
import type { Item } from '../../run/item';
import type { ItemKey } from './assertKeys';
import type { SyncWork } from './syncWork';

/**
 * The keys of items that could not be read, as far as they are known. Such an item is not written, but its record is in
 * the input nevertheless.
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
      // The reason is already the item's error.
      return [];
    }
  });
}
