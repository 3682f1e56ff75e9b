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

/** One key of a raw entry: the position of its value, and the key that it is output under. */
interface Slot {
  readonly position: number;
  readonly key: string;
  readonly output: string;
  /** Absent for a key that no part has. */
  readonly column?: Column;
}

/** What the keys of a raw entry mean. Those of a list usually have the same keys, so the last layout is kept. */
interface Layout {
  readonly keys: readonly string[];
  readonly leftOut: readonly (string | null)[];
  readonly ofParts: readonly Slot[];
  readonly ofNoPart: readonly Slot[];
  /** The ID and all parts, with `null`: to copy it and set its values is cheaper than to add key by key. */
  readonly blank: IDataObject;
}

interface EntryTerms {
  readonly id: string | null;
  /** Raw keys that the caller shows itself, or that were not loaded; `null` for none. */
  readonly leftOut: readonly (string | null)[];
  /** The caller's own keys, such as the revision. */
  readonly own?: IDataObject;
}

/**
 * Returns a reader of records or rows. It gives, in this order: `id`, the parts simplified, `partErrors` (an error
 * never becomes a value), the caller's own keys, and what stands under keys that no part has.
 * @param mode `null` if unknown: each part is looked up by name, then by identifier.
 */
export function entryReader(
  parts: readonly Part[],
  mode: KeyMode | null,
): (raw: Entry, terms: EntryTerms) => IDataObject {
  const columns = columnsOf(parts, mode);
  let layout = layoutOf(columns, [], []);
  return (raw, { id, leftOut, own = {} }) => {
    const keys = Object.keys(raw);
    if (!areSame(keys, layout.keys) || !areSame(leftOut, layout.leftOut))
      layout = layoutOf(columns, keys, leftOut);
    const values = Object.values(raw);
    let partErrors: IDataObject | undefined;
    /** `undefined` for a part in error, which gets no key. */
    const read = ({ position, key, column }: Slot): SimplifiedValue | undefined => {
      const value = asPartValue(values[position]);
      const error = partErrorOf(value, column?.part);
      if (error !== '') setOwn((partErrors ??= {}), key, error);
      if (error !== '') return error === ROUNDED ? null : undefined;
      return column === undefined ? asItCame(value.val) : column.codec.read(value, column.part, mode);
    };
    const filled: IDataObject = { ...layout.blank, id };
    for (const slot of layout.ofParts) setOwn(filled, slot.output, read(slot));
    const others = layout.ofNoPart.map((slot) => [slot.output, read(slot)] as const);
    const entry = partErrors === undefined ? filled : withoutUndefined(filled);
    if (partErrors !== undefined) entry.partErrors = partErrors;
    for (const key of Object.keys(own)) entry[key] = own[key];
    for (const [key, value] of others) if (value !== undefined) setOwn(entry, key, value);
    return entry;
  };
}

function areSame<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

function layoutOf(
  columns: ReadonlyMap<string, Column>,
  keys: readonly string[],
  leftOut: readonly (string | null)[],
): Layout {
  const positions = new Map(keys.map((key, position) => [key, position]));
  const ofParts = [...columns.values()].flatMap((column): Slot[] => {
    const { key, output } = column;
    const position = positions.get(key);
    return position === undefined || leftOut.includes(key) ? [] : [{ position, key, output, column }];
  });
  const ofNoPart = keys.flatMap((key, position): Slot[] =>
    columns.has(key) || leftOut.includes(key) ? [] : [{ position, key, output: outputKey(key) }],
  );
  const outputs = ['id', ...ofParts.map(({ output }) => output)].map((key) => [key, null]);
  // V8 gives an object that it parses room for its own keys only, and each copy as much.
  const blank = JSON.parse(JSON.stringify(Object.fromEntries(outputs))) as IDataObject;
  return { keys, leftOut, ofParts, ofNoPart, blank };
}

/** A copy: `delete` would make the object slow. */
function withoutUndefined(entry: IDataObject): IDataObject {
  const kept: IDataObject = {};
  for (const key of Object.keys(entry)) if (entry[key] !== undefined) setOwn(kept, key, entry[key]);
  return kept;
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
