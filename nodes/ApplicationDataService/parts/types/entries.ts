import type { IDataObject } from 'n8n-workflow';

import { inputKey, outputKey, partKey, possibleKeys } from '../model/keys';
import type { KeyMode, Part, PartCodec, PartValueObject, WriteContext } from '../model/part';
import { isRounded } from '../values/decimal';
import {
  type Entry,
  asItCame,
  isObject,
  ownValue,
  readText,
  setOwn,
  type SimplifiedValue,
} from '../values/shapes';

/** Types that are newer than this code: returned unchanged, never written. */
export const unknownType: PartCodec = {
  read: ({ val }) => asItCame(val),
  accepts: 'nothing: parts of this type cannot be written',
};

export const brokenReference: PartCodec = { ...unknownType, label: 'Reference part in error' };
/** What stands in `partErrors` for a number that has lost digits on the way. Its value in the entry is `null`. */
const ROUNDED = 'rounded';

/**
 * A reader of records or rows: it adds to `entry` what the parts hold, simplified, and `partErrors`: an error never
 * becomes a value. It returns what stands under keys that no part has. Keys in `leftOut` have another place.
 * @param mode `null` if unknown: each part is looked up by name, then by identifier.
 */
export function entryReader(
  parts: readonly Part[],
  mode: KeyMode | null,
): (raw: Entry, leftOut: readonly (string | null)[], entry: IDataObject) => IDataObject | undefined {
  const columns = columnsOf(parts, mode);
  // Thousands of records are read by it: a list is walked faster than a map.
  const ordered = [...columns.values()];
  return (raw, leftOut, entry) => {
    let others: IDataObject | undefined;
    let partErrors: IDataObject | undefined;
    const add = (to: IDataObject, key: string, column?: Column): void => {
      const value = asPartValue(raw[key]);
      const error = partErrorOf(value, column?.part);
      if (error !== '') setOwn((partErrors ??= {}), key, error);
      if (error !== '' && error !== ROUNDED) return;
      const read = column === undefined ? asItCame(value.val) : column.codec.read(value, column.part, mode);
      setOwn(to, column?.output ?? outputKey(key), error === ROUNDED ? null : read);
    };
    for (const column of ordered)
      if (Object.hasOwn(raw, column.key) && !leftOut.includes(column.key)) add(entry, column.key, column);
    for (const key of Object.keys(raw))
      if (!columns.has(key) && !leftOut.includes(key)) add((others ??= {}), key);
    if (partErrors !== undefined) entry.partErrors = partErrors;
    return others;
  };
}

export function addAll(target: IDataObject, others: IDataObject | undefined): void {
  for (const key of Object.keys(others ?? {})) setOwn(target, key, others![key]);
}

interface Column {
  readonly key: string;
  readonly part: Part;
  readonly codec: PartCodec;
  readonly output: string;
}

function columnsOf(parts: readonly Part[], mode: KeyMode | null): ReadonlyMap<string, Column> {
  const columns = new Map<string, Column>();
  const names = new Set(parts.map((part) => part.name));
  for (const part of parts) {
    for (const key of possibleKeys(part, mode)) {
      // If the mode is unknown and a key is one part's name and another's identifier, it means the name.
      if (mode === null && key !== part.name && names.has(key)) continue;
      // Parts with the same key share one value. It is unknown to which part it belongs, so its type is unknown, too.
      const twin = columns.get(key);
      const isAlike = twin === undefined || twin.codec === part.codec;
      columns.set(key, { key, part, codec: isAlike ? part.codec : unknownType, output: outputKey(key) });
    }
  }
  return columns;
}

/** A part's value in what was read; `undefined` for none, and for one that lost digits, which equals nothing. */
export function valueOf(
  holder: Entry,
  part: Part,
  { keyMode }: Pick<WriteContext, 'keyMode'>,
): SimplifiedValue | undefined {
  const key = partKey(part, keyMode);
  const value = ownValue(holder, outputKey(key)) as SimplifiedValue | undefined;
  return value === null && isMarkedRounded(holder, key) ? undefined : value;
}

/** Whether the value under a key of what was read stands for a number that lost digits: written, it would empty it. */
export function isRoundedAway(
  holder: Entry,
  outputOf: string,
  key = inputKey(outputOf) ?? outputOf,
): boolean {
  return holder[outputOf] === null && isMarkedRounded(holder, key);
}

function isMarkedRounded({ partErrors }: Entry, key: string): boolean {
  return isObject(partErrors) && ownValue(partErrors, key) === ROUNDED;
}

export function keyIn(raw: Entry, keys: readonly string[]): string | null {
  return keys.find((key) => Object.hasOwn(raw, key)) ?? null;
}

/** A part-value object. A bare value is treated as its `val`. */
export function asPartValue(value: unknown): PartValueObject {
  return isObject(value) ? value : { val: value };
}

/** The code or hint of a part in error; empty for none. A number that lost digits is none to compare or write back. */
export function partErrorOf(value: PartValueObject, part?: Part): string {
  const error = readText(value.error) || (isRounded(value.val) ? ROUNDED : '');
  return error === '' && part?.codec.compares === 'result' ? readText(value.hint) : error;
}
