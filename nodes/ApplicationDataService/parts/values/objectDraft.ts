import type { IDataObject } from 'n8n-workflow';

import type { SimplifiedValue } from './shapes';
import { setOwn } from './shapes';

/** Key lists that are remembered; records of one application seldom differ in more than rights and errors. */
const MOST_KEY_LISTS = 8;

interface KeyList {
  readonly keys: readonly string[];
  /** An object with these keys and no values. */
  readonly blank: IDataObject;
}

/**
 * An object with these keys, in this order, and no values, to be copied. The engine gives room for exactly its keys to what it
 * reads from JSON text.
 */
export function blankObject(keys: readonly string[]): IDataObject {
  return JSON.parse(`{${keys.map((key) => `${JSON.stringify(key)}:null`).join()}}`) as IDataObject;
}

/** Blank objects for the key lists met so far, shared by the drafts of alike objects. */
export class Blanks {
  private readonly known: KeyList[] = [];

  /** An object with these keys, in this order, to be copied. */
  of(keys: readonly string[]): IDataObject {
    const found = this.known.find((each) => isSame(each.keys, keys));
    if (found !== undefined) return found.blank;
    const blank = blankObject(keys);
    if (this.known.length < MOST_KEY_LISTS) this.known.push({ keys, blank });
    return blank;
  }
}

/**
 * An object to be, key by key. One that really gets its keys one by one is moved by the engine each time it outgrows
 * its room: the copy of a blank that has all of them takes a third of the time and leaves less to collect, which counts
 * where many alike are made.
 */
export class ObjectDraft {
  private readonly keys: string[] = [];
  private readonly values: (SimplifiedValue | undefined)[] = [];

  constructor(private readonly blanks: Blanks) {}

  /** Adds a key; each key once. */
  set(key: string, value: SimplifiedValue | undefined): void {
    this.keys.push(key);
    this.values.push(value);
  }

  build(): IDataObject {
    const { keys, values } = this;
    const object = { ...this.blanks.of(keys) };
    for (let index = 0; index < keys.length; index++) setOwn(object, keys[index]!, values[index]);
    return object;
  }
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
