import { codecOf } from '../codecs';
import type { PartValueObject, ValueKind } from '../model/codec';
import type { KeyMode, Part } from '../model/part';
import { asPartValue, errorOf, keyIn, type RawEntry } from '../types/entries';
import { plainText } from '../types/text';
import { isObject, readText } from '../values/shapes';
import { canonicalValue, kindOf } from './valueKind';

/** One of the values that a part of a record holds. */
export interface HeldValue {
  readonly kind: ValueKind;
  /** As the simplified record shows it; of users, groups and files the name or the id. */
  readonly text: string;
  readonly canonical: string | null;
}

/** Values of the service are in its own time zone, without an offset. */
const NO_ZONE = 'UTC';

/** The values of a part, none if it is empty. Rows count, but have no text. */
export function heldValues(
  part: Part,
  value: PartValueObject,
  keyMode: KeyMode | null,
  byId: boolean,
): readonly HeldValue[] {
  const simplified = codecOf(part).read(value, part, keyMode);
  if (simplified === null || simplified === undefined) return [];
  const kind = kindOf(part, value);
  const items: readonly unknown[] = Array.isArray(simplified) ? simplified : [simplified];
  return items.map((item) => {
    const text = textOf(item, byId);
    return { kind, text, canonical: canonicalValue(kind, text, NO_ZONE) };
  });
}

function textOf(item: unknown, byId: boolean): string {
  if (!isObject(item)) return plainText(item) ?? '';
  return readText(byId ? item.id : item.name);
}

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
