import type { IDataObject } from 'n8n-workflow';

import type { KeyMode, Part, PartCodec, PartValueObject, WriteContext } from '../model/part';
import { inputKey, outputKey, partKey, possibleKeys } from '../model/keys';
import { isRounded } from '../values/decimal';
import { asItCame, isObject, ownValue, readText, setOwn, type SimplifiedValue } from '../values/shapes';

/** Types that are newer than this code: returned unchanged, never written. */
export const unknownType: PartCodec = {
  read: ({ val }) => asItCame(val),
  accepts: 'nothing: parts of this type cannot be written',
  sortable: false,
  searchable: false,
  filterable: false,
};

/** A reference part whose source is gone. */
export const brokenReference: PartCodec = { ...unknownType, label: 'Reference part in error' };

/** A part in an entry, by the service's key, and how it is output. */
interface Column {
  readonly part: Part;
  readonly codec: PartCodec;
  readonly key: string;
  readonly output: string;
}

/** A record or a row of a table part, as the service returns it. */
export type RawEntry = Readonly<Record<string, unknown>>;

const NOTHING: IDataObject = {};

/**
 * Reads the part values of records or rows: the values of the parts in the given order, then the keys that no part has,
 * unchanged. Errors go to `partErrors`, never into a value (design.md, Output).
 */
export class EntryReader {
  private readonly columns: readonly Column[];
  private readonly keys: ReadonlySet<string>;

  /** @param mode `null` if unknown: each part is looked up by name, then by identifier. */
  constructor(
    parts: readonly Part[],
    private readonly mode: KeyMode | null,
  ) {
    const columns = makeColumns(parts, mode);
    this.columns = [...columns.values()];
    this.keys = new Set(columns.keys());
  }

  /**
   * The entry: the keys of `head`, the part values, `partErrors`, the keys of `tail`.
   * @param elsewhere keys of `raw` that are not part values, or that have a different place in the output; each once.
   */
  read(
    raw: RawEntry,
    head: IDataObject,
    elsewhere: readonly string[],
    tail: IDataObject = NOTHING,
  ): IDataObject {
    const entry: IDataObject = { ...head };
    let errors: IDataObject | undefined;
    for (const { key, part, codec, output } of this.columns) {
      if (!Object.hasOwn(raw, key) || elsewhere.includes(key)) continue;
      const value = asPartValue(raw[key]);
      const error = errorOf(value, part);
      if (error === '') setOwn(entry, output, codec.read(value, part, this.mode));
      else addError((errors ??= {}), entry, { key, output, error });
    }
    const others = Object.keys(raw).filter((key) => !this.keys.has(key) && !elsewhere.includes(key));
    const foreign: IDataObject = {};
    for (const key of others) {
      const error = readForeign(key, raw[key], foreign);
      if (error !== '') addError((errors ??= {}), foreign, { key, output: outputKey(key), error });
    }
    if (errors !== undefined) entry.partErrors = errors;
    for (const key of Object.keys(tail)) entry[key] = tail[key];
    for (const key of Object.keys(foreign)) setOwn(entry, key, foreign[key]);
    return entry;
  }
}

/** What stands in `partErrors` for a number that has lost digits on the way. Its value in the entry is `null`. */
const ROUNDED = 'rounded';

function addError(
  errors: IDataObject,
  entry: IDataObject,
  { key, output, error }: Pick<Column, 'key' | 'output'> & { readonly error: string },
): void {
  setOwn(errors, key, error);
  if (error === ROUNDED) setOwn(entry, output, null);
}

function makeColumns(parts: readonly Part[], mode: KeyMode | null): ReadonlyMap<string, Column> {
  const columns = new Map<string, Column>();
  const names = new Set(parts.map((part) => part.name));
  for (const part of parts) {
    for (const key of possibleKeys(part, mode)) {
      // If the mode is unknown and a key is one part's name and another's identifier, it means the name.
      if (mode === null && key !== part.name && names.has(key)) continue;
      const twin = columns.get(key);
      // Parts with the same key share one value. It is unknown to which part it belongs, so its type is unknown, too.
      const alike = twin === undefined || (twin.part.type === part.type && twin.codec !== unknownType);
      const codec = alike ? part.codec : unknownType;
      columns.set(key, { part: twin?.part ?? part, codec, key, output: outputKey(key) });
    }
  }
  return columns;
}

/**
 * A part's simplified value in a record, a row or an item; `undefined` if it has none, or one that lost digits on the
 * way, which equals nothing and is no key.
 */
export function valueOf(
  holder: Readonly<Record<string, unknown>>,
  part: Part,
  { keyMode }: Pick<WriteContext, 'keyMode'>,
): SimplifiedValue | undefined {
  const key = partKey(part, keyMode);
  const value = ownValue(holder, outputKey(key)) as SimplifiedValue | undefined;
  return value === null && isMarkedRounded(holder, key) ? undefined : value;
}

/** Whether the value under a key of what was read stands for a number that lost digits: written, it would empty it. */
export function isRoundedAway(holder: Readonly<Record<string, unknown>>, outputOf: string): boolean {
  return holder[outputOf] === null && isMarkedRounded(holder, inputKey(outputOf) ?? outputOf);
}

function isMarkedRounded({ partErrors }: Readonly<Record<string, unknown>>, key: string): boolean {
  return isObject(partErrors) && ownValue(partErrors, key) === ROUNDED;
}

/** The key under which an entry contains a part; `null` if it does not. */
export function keyIn(raw: RawEntry, keys: readonly string[]): string | null {
  for (const key of keys) if (Object.hasOwn(raw, key)) return key;
  return null;
}

/** Adds the value of an unknown part, e.g. one that was added since the parts were read, or returns its error. */
function readForeign(key: string, value: unknown, values: IDataObject): string {
  const partValue = isObject(value) && ('val' in value || 'error' in value) ? value : { val: value };
  const error = errorOf(partValue);
  if (error === '') setOwn(values, outputKey(key), asItCame(partValue.val));
  return error;
}

const VALUE_KEYS = ['val', 'error', 'hint', 'type', 'deny_write'];

/** A part-value object. A bare value is treated as its `val`. */
export function asPartValue(value: unknown): PartValueObject {
  if (!isObject(value)) return { val: value };
  return 'val' in value || Object.keys(value).every((key) => VALUE_KEYS.includes(key))
    ? value
    : { val: value };
}

/**
 * The code or hint of a part in error; empty for none (interface.md, "Part-value object keys"). A number that has lost
 * digits on the way is none that may be compared or written back.
 */
export function errorOf(value: PartValueObject, part?: Part): string {
  const error = readText(value.error) || (isRounded(value.val) ? ROUNDED : '');
  return error === '' && part?.type === 'expression' ? readText(value.hint) : error;
}
