import type { IDataObject } from 'n8n-workflow';

import type { PartCodec, PartValueObject } from '../model/codec';
import type { KeyMode, Part } from '../model/part';
import { blankObject } from '../values/objectDraft';
import { asPartValue, errorOf } from './partValue';

/** A part in an entry: if it is, and how it is output. */
export interface Column {
  readonly part: Part;
  readonly codec: PartCodec;
  readonly key: string;
  readonly output: string;
}

/** One value to read: its index among the values of an entry. */
interface Step extends Column {
  readonly index: number;
}

/** The keys of an entry, its parts that have a different place in the output, and what comes before and after the parts. */
export interface Outline {
  readonly keys: readonly string[];
  readonly elsewhere: readonly string[];
  readonly head: readonly string[];
  readonly tail: readonly string[];
}

/**
 * How entries with the same keys are read. Nearly all records of one application have the same keys, so what was found
 * out for the first one is reused for the others.
 */
export class EntryPlan {
  private readonly steps: readonly Step[];

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
export function isSameOutline(one: Outline, other: Outline): boolean {
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
