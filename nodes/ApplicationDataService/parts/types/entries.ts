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

/** A value in what is read, and where it goes. */
interface Cell {
  readonly at: number;
  readonly key: string;
  readonly output: string;
  /** Absent for a key that no part has. */
  readonly column?: Column;
}

/** What the keys of a record or row mean: those of a list have the same keys, so it is found once for all of them. */
interface Layout {
  readonly keys: readonly string[];
  readonly leftOut: readonly (string | null)[];
  readonly cells: readonly Cell[];
  readonly others: readonly Cell[];
  /** An entry without its values: with all keys from the beginning, it takes less time and memory to fill. */
  readonly blank: IDataObject;
}

interface EntryTerms {
  readonly id: string | null;
  /** Keys that have another place. */
  readonly leftOut: readonly (string | null)[];
  /** What follows the parts. */
  readonly own?: IDataObject;
}

/**
 * A reader of records or rows: its ID, what the parts hold, simplified, `partErrors` (an error never becomes a value),
 * what is its own, and what stands under keys that no part has.
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
    const { cells, others, blank } = layout;
    const values = Object.values(raw);
    let partErrors: IDataObject | undefined;
    const read = ({ at, key, column }: Cell): SimplifiedValue | undefined => {
      const value = asPartValue(values[at]);
      const error = partErrorOf(value, column?.part);
      if (error !== '') setOwn((partErrors ??= {}), key, error);
      if (error !== '') return error === ROUNDED ? null : undefined;
      return column === undefined ? asItCame(value.val) : column.codec.read(value, column.part, mode);
    };
    const entry: IDataObject = { ...blank, id };
    for (const cell of cells) setOwn(entry, cell.output, read(cell));
    const rest = others.map((cell) => [cell.output, read(cell)] as const);
    const shown = partErrors === undefined ? entry : withoutUndefined(entry);
    if (partErrors !== undefined) shown.partErrors = partErrors;
    for (const key of Object.keys(own)) shown[key] = own[key];
    for (const [key, value] of rest) if (value !== undefined) setOwn(shown, key, value);
    return shown;
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
  const places = new Map(keys.map((key, at) => [key, at]));
  const cells = [...columns.values()].flatMap((column): Cell[] => {
    const { key, output } = column;
    const at = places.get(key);
    return at === undefined || leftOut.includes(key) ? [] : [{ at, key, output, column }];
  });
  const others = keys.flatMap((key, at): Cell[] =>
    columns.has(key) || leftOut.includes(key) ? [] : [{ at, key, output: outputKey(key) }],
  );
  const outputs = ['id', ...cells.map(({ output }) => output)].map((key) => [key, null]);
  // V8 gives what it parses no more room than its keys need, and each copy as much.
  const blank = JSON.parse(JSON.stringify(Object.fromEntries(outputs))) as IDataObject;
  return { keys, leftOut, cells, others, blank };
}

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
