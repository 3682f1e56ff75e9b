import { namePart } from '../../../parts/model/errors';
import type { Part } from '../../../parts/model/part';
import { isBlank } from '../../../parts/values/shapes';
import { UserError } from '../../../util/userError';
import { COUNTED_FROM_ZERO } from '../../run/itemNumbers';
import type { ListedRecord } from './recordScan';
import { keyText, type MatchKey } from '../../../service/read/keyedRecords';

/** The key of an item, and the item's place in the input. */
export interface ItemKey {
  readonly index: number;
  readonly key: MatchKey;
}

/**
 * Makes sure that every item has a key, and no two have the same.
 * @throws UserError naming the first items that violate this.
 */
export function assertItemKeys(parts: readonly Part[], items: readonly ItemKey[]): void {
  const seen = new Map<string, number>();
  for (const { index, key } of items) {
    const empty = parts.find((_, position) => isBlank(key[position]));
    if (empty !== undefined) {
      throw new UserError(
        `Item ${index} has no value for ${namePart(empty)}, which identifies the record`,
        `Add a value for this part to each item, or leave out the items without one. ${COUNTED_FROM_ZERO}`,
      );
    }
    const text = keyText(key);
    const other = seen.get(text);
    if (other !== undefined) {
      throw new UserError(
        `The items ${other} and ${index} have the same key: ${nameKey(parts, key)}`,
        `Sync writes each record once. Remove duplicates first, or match on more parts. ${COUNTED_FROM_ZERO}`,
      );
    }
    seen.set(text, index);
  }
}

/**
 * Makes sure that no item's key belongs to two records.
 * @throws UserError naming the records.
 */
export function assertOneRecord(
  parts: readonly Part[],
  { index, key }: ItemKey,
  records: readonly Pick<ListedRecord, 'id'>[],
): void {
  if (records.length < 2) return;
  throw new UserError(
    `${records.length} records have the key of item ${index}, ${nameKey(parts, key)}: ${records.map(({ id }) => id).join(', ')}`,
    `Match on parts whose values are unique, or remove the duplicates in the application. ${COUNTED_FROM_ZERO}`,
  );
}

function nameKey(parts: readonly Part[], key: MatchKey): string {
  return parts.map((part, index) => `${namePart(part)} = "${key[index] ?? ''}"`).join(' and ');
}
