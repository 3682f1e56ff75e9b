import { possibleKeys } from '../model/keys';
import type { KeyMode, Part } from '../model/part';
import type { RawEntry } from '../types/entries';
import { compareDecimals, plainDecimal } from '../values/decimal';
import { heldValues, shownValue } from './held';
import { compareCanonical } from './valueKind';
import { type ValueKind } from '../model/codec';

/** How the node sorts records that it combined from several lists (parameters.md, Settled questions). */
interface RecordOrder {
  readonly part: Part;
  readonly order: 'asc' | 'desc';
}

interface Placed<T> {
  readonly record: T;
  readonly id: string;
  readonly value: SortValue | null;
}

interface SortValue {
  readonly kind: ValueKind;
  readonly text: string;
}

const KINDS: readonly ValueKind[] = ['number', 'date', 'time', 'datetime', 'text'];

/** Sorts records: empty values first if ascending, texts by code unit, equal values by ID. */
export function orderRecords<T extends RawEntry>(
  records: readonly T[],
  { part, order }: RecordOrder,
  keyMode: KeyMode,
  idOf: (record: T) => string,
): T[] {
  const keys = possibleKeys(part, keyMode);
  const place = (record: T): Placed<T> => {
    const value = shownValue(record, keys, part);
    return { record, id: idOf(record), value: value === null ? null : sortValue(part, value, keyMode) };
  };
  const direction = order === 'desc' ? -1 : 1;
  return records
    .map(place)
    .sort(
      (one, other) => direction * compareValues(one.value, other.value) || compareAnyIds(one.id, other.id),
    )
    .map(({ record }) => record);
}

/** All IDs seen so far are numbers. Any other text is ordered by code unit. */
function compareAnyIds(left: string, right: string): number {
  const areNumbers = plainDecimal(left) !== null && plainDecimal(right) !== null;
  return areNumbers ? compareDecimals(left, right) : compareCanonical('text', left, right);
}

function sortValue(part: Part, value: Parameters<typeof heldValues>[1], keyMode: KeyMode): SortValue | null {
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
