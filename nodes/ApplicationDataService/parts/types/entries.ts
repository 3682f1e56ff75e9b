import type { IDataObject } from 'n8n-workflow';

import type { PartCodec, PartValueObject } from '../model/codec';
import { outputKey, possibleKeys } from '../model/keys';
import type { KeyMode, Part } from '../model/part';
import { asItCame, isObject, readText, setOwn } from '../values/shapes';

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

/** A part in an entry: if it is, and how it is output. */
interface Column {
  readonly part: Part;
  readonly codec: PartCodec;
  readonly key: string;
  readonly output: string;
}

/**
 * The keys of an entry, its parts that have a different place in the output, and what comes before and after the parts.
 */
interface Outline {
  readonly keys: readonly string[];
  readonly elsewhere: readonly string[];
  readonly head: readonly string[];
  readonly tail: readonly string[];
}

/**
 * How entries with the same keys are read. Nearly all records of one application have the same keys, so what was found
 * out for the first one is reused for the others.
 */
class EntryPlan {
  /** The values to read: their indexes among the values of an entry. */
  private readonly steps: readonly (Column & { readonly index: number })[];

  private readonly blank: IDataObject | null;

  constructor(
    readonly outline: Outline,
    columns: ReadonlyMap<string, Column>,
    private readonly mode: KeyMode | null,
  ) {
    const { keys, elsewhere, head, tail } = outline;
    this.steps = [...columns.values()].flatMap((column) => {
      const index = keys.indexOf(column.key);
      return index < 0 || elsewhere.includes(column.key) ? [] : [{ ...column, index }];
    });
    const outputs = [...head, ...this.steps.map(({ output }) => output), ...tail];
    const isPlain = this.steps.length + elsewhere.length === keys.length && !outputs.includes('__proto__');
    this.blank = isPlain ? blankObject(outputs) : null;
  }

  /** The entry; `null` if it contains more than values of known parts: an error, or a key that no part has. */
  read(values: readonly unknown[], head: IDataObject, tail: IDataObject): IDataObject | null {
    if (this.blank === null) return null;
    const entry = { ...this.blank };
    for (const key of this.outline.head) entry[key] = head[key];
    for (const { index, part, codec, output } of this.steps) {
      const value: PartValueObject = asPartValue(values[index]);
      if (errorOf(value, part) !== '') return null;
      entry[output] = codec.read(value, part, this.mode);
    }
    for (const key of this.outline.tail) entry[key] = tail[key];
    return entry;
  }
}

/** Whether two entries are read in the same way. */
function isSameOutline(one: Outline, other: Outline): boolean {
  return (
    isSameList(one.keys, other.keys) &&
    isSameList(one.elsewhere, other.elsewhere) &&
    isSameList(one.tail, other.tail) &&
    isSameList(one.head, other.head)
  );
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

/** A record or a row of a table part, as the service returns it. */
export type RawEntry = Readonly<Record<string, unknown>>;

const NOTHING: IDataObject = {};

/**
 * How many ways to read are remembered. Records of one application rarely differ in more than permissions and errors.
 */
const MOST_PLANS = 8;

/**
 * Reads the part values of records or rows: the values of the parts in the given order, then the keys that no part has,
 * unchanged. Errors go to `partErrors`, never into a value (design.md, Output).
 */
export class EntryReader {
  /** How the parts are read, by the service's key. */
  private readonly columns: ReadonlyMap<string, Column>;
  /** How the previous entries were read, the last one first. */
  private plans: readonly EntryPlan[] = [];

  /** @param mode `null` if unknown: each part is looked up by name, then by identifier. */
  constructor(
    parts: readonly Part[],
    codecOf: (part: Part) => PartCodec,
    readonly mode: KeyMode | null,
  ) {
    this.columns = makeColumns(parts, codecOf, mode);
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
    const outline = { keys: Object.keys(raw), elsewhere, head: Object.keys(head), tail: Object.keys(tail) };
    const entry = this.planFor(outline).read(Object.values(raw), head, tail);
    return entry ?? this.readOdd(raw, head, elsewhere, tail);
  }

  private planFor(outline: Outline): EntryPlan {
    const known = this.plans.find((plan) => isSameOutline(plan.outline, outline));
    if (known !== undefined) return known;
    const plan = new EntryPlan(outline, this.columns, this.mode);
    this.plans = [plan, ...this.plans.slice(0, MOST_PLANS - 1)];
    return plan;
  }

  /** Any entry, even with errors or with keys that no part has. */
  private readOdd(
    raw: RawEntry,
    head: IDataObject,
    elsewhere: readonly string[],
    tail: IDataObject,
  ): IDataObject {
    const entry: IDataObject = { ...head };
    const errors: IDataObject = {};
    for (const { key, part, codec, output } of this.columns.values()) {
      if (!Object.hasOwn(raw, key) || elsewhere.includes(key)) continue;
      const value = asPartValue(raw[key]);
      const error = errorOf(value, part);
      if (error === '') setOwn(entry, output, codec.read(value, part, this.mode));
      else setOwn(errors, key, error);
    }
    const foreign: IDataObject = {};
    for (const key of Object.keys(raw)) {
      if (!this.columns.has(key) && !elsewhere.includes(key)) readForeign(key, raw[key], foreign, errors);
    }
    if (Object.keys(errors).length > 0) entry.partErrors = errors;
    for (const [key, value] of [...Object.entries(tail), ...Object.entries(foreign)])
      setOwn(entry, key, value);
    return entry;
  }
}

function makeColumns(
  parts: readonly Part[],
  codecOf: (part: Part) => PartCodec,
  mode: KeyMode | null,
): ReadonlyMap<string, Column> {
  const columns = new Map<string, Column>();
  const names = new Set(parts.map((part) => part.name));
  for (const part of parts) {
    for (const key of possibleKeys(part, mode)) {
      // If the mode is unknown and a key is one part's name and another's identifier, it means the name.
      if (mode === null && key !== part.name && names.has(key)) continue;
      const twin = columns.get(key);
      // Parts with the same key share one value. It is unknown to which part it belongs, so its type is unknown, too.
      const alike = twin === undefined || (twin.part.type === part.type && twin.codec !== unknownType);
      const codec = alike ? codecOf(part) : unknownType;
      columns.set(key, { part: twin?.part ?? part, codec, key, output: outputKey(key) });
    }
  }
  return columns;
}

/** The key under which an entry contains a part; `null` if it does not. */
export function keyIn(raw: RawEntry, keys: readonly string[]): string | null {
  for (const key of keys) if (Object.hasOwn(raw, key)) return key;
  return null;
}

/** A value of an unknown part, e.g. one that was added since the parts were read. */
function readForeign(key: string, value: unknown, values: IDataObject, errors: IDataObject): void {
  const partValue = isObject(value) && ('val' in value || 'error' in value) ? value : { val: value };
  const error = errorOf(partValue);
  if (error === '') setOwn(values, outputKey(key), asItCame(partValue.val));
  else setOwn(errors, key, error);
}

/**
 * An object with these keys, in this order, without values, to be copied: the engine reserves room for exactly these
 * keys when it reads the object from JSON text. Copying it takes a third of the time of adding key by key.
 */
function blankObject(keys: readonly string[]): IDataObject {
  return JSON.parse(`{${keys.map((key) => `${JSON.stringify(key)}:null`).join()}}`) as IDataObject;
}

const VALUE_KEYS = ['val', 'error', 'hint', 'type', 'deny_write'];

/** A part-value object. A bare value is treated as its `val`. */
export function asPartValue(value: unknown): PartValueObject {
  if (!isObject(value)) return { val: value };
  return 'val' in value || Object.keys(value).every((key) => VALUE_KEYS.includes(key))
    ? value
    : { val: value };
}

/** The code or hint of a part in error; empty for none (interface.md, "Part-value object keys"). */
export function errorOf(value: PartValueObject, part?: Part): string {
  const error = readText(value.error);
  return error === '' && part?.type === 'expression' ? readText(value.hint) : error;
}
