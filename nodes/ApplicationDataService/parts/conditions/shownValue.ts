import type { PartValueObject } from '../model/codec';
import type { Part } from '../model/part';
import { keyIn, type RawEntry } from '../types/entries';
import { asPartValue, errorOf } from '../types/partValue';

/**
 * The value of a part in a record; `null` if the record does not show it: hidden, in error, or missing.
 * @param keys under which the record may contain it
 */
export function shownValue(record: RawEntry, keys: readonly string[], part: Part): PartValueObject | null {
  const key = keyIn(record, keys);
  if (key === null) return null;
  const value = asPartValue(record[key]);
  return errorOf(value, part) === '' ? value : null;
}
