import type { KeyMode, Part, PartValueObject, ValueKind } from '../model/part';
import { possibleKeys } from '../model/keys';
import { asPartValue, errorOf, keyIn, type RawEntry } from '../types/entries';
import { canonicalIn, plainText, resultKind } from '../types/plain';
import { compareDecimals } from '../values/decimal';
import { isObject, readText } from '../values/shapes';

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
  const simplified = part.codec.read(value, part, keyMode);
  if (simplified === null || simplified === undefined) return [];
  const { compares = 'text' } = part.codec;
  const kind = compares === 'result' ? resultKind(value) : compares;
  const items: readonly unknown[] = Array.isArray(simplified) ? simplified : [simplified];
  return items.map((item) => {
    const text = isObject(item) ? readText(byId ? item.id : item.name) : (plainText(item) ?? '');
    return { kind, text, canonical: canonicalHeld(kind, text) };
  });
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

/** The kinds with an order other than that of texts. */
export const ORDERED_KINDS = ['number', 'date', 'time', 'datetime'] as const;

/** The same of a value that a record holds. */
export function canonicalHeld(kind: ValueKind, text: string): string | null {
  return canonicalIn(kind, text, NO_ZONE);
}

/** Orders two canonical values of a kind; texts by code unit. */
export function compareCanonical(kind: ValueKind, left: string, right: string): number {
  if (kind === 'number' || kind === 'time') return compareDecimals(left, right);
  return left === right ? 0 : left < right ? -1 : 1;
}

type SortValue = Pick<HeldValue, 'kind' | 'text'>;

const KINDS: readonly ValueKind[] = ['number', 'date', 'time', 'datetime', 'text'];

/**
 * Sorts records that come from several lists (parameters.md, Settled questions): empty values first if ascending, texts
 * by code unit, equal values by ID. All IDs seen so far are numbers.
 */
export function orderRecords<T extends RawEntry>(
  records: readonly T[],
  { part, order }: { readonly part: Part; readonly order: 'asc' | 'desc' },
  keyMode: KeyMode,
  idOf: (record: T) => string,
): T[] {
  const keys = possibleKeys(part, keyMode);
  const direction = order === 'desc' ? -1 : 1;
  return records
    .map((record) => {
      const value = shownValue(record, keys, part);
      return { record, id: idOf(record), value: value === null ? null : sortValue(part, value, keyMode) };
    })
    .sort(
      (one, other) => direction * compareValues(one.value, other.value) || compareDecimals(one.id, other.id),
    )
    .map(({ record }) => record);
}

function sortValue(part: Part, value: PartValueObject, keyMode: KeyMode): SortValue | null {
  const held = heldValues(part, value, keyMode, false);
  const [first] = held;
  if (first === undefined) return null;
  if (held.length === 1 && first.canonical !== null) return { kind: first.kind, text: first.canonical };
  return { kind: 'text', text: held.map(({ text }) => text).join('\t') };
}

function compareValues(left: SortValue | null, right: SortValue | null): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  if (left.kind === right.kind) return compareCanonical(left.kind, left.text, right.text);
  return KINDS.indexOf(left.kind) - KINDS.indexOf(right.kind);
}
