import type { IDataObject } from 'n8n-workflow';

import type { PartCodec, PartValueObject } from '../model/codec';
import { possibleKeys } from '../model/keys';
import { detectKeyMode } from '../model/lookup';
import { ownIdPart } from './id';
import type { KeyMode, Part } from '../model/part';
import {
  asItCame,
  isEmpty,
  isObject,
  readItems,
  readText,
  type SimplifiedValue,
  valOf,
} from '../values/shapes';
import { EntryReader, keyIn, type RawEntry } from './entries';

/** Key under which a row may carry its id; the read format does not show it (service-facts, "Row ids"). */
export const ROW_ID_KEY = 'data_id';

/**
 * Reads the rows of table parts and reference lists: `[{id, <child key>: value}]`, `id` null if there is none. Rows
 * have the same key mode as their application. If it is unknown, the first row that shows it decides for all.
 */
export function rowReader(codecOf: (part: Part) => PartCodec): PartCodec['read'] {
  const readers = new WeakMap<Part, Map<KeyMode | null, RowReader>>();
  const readerOf = (part: Part, mode: KeyMode | null): RowReader => {
    const byMode = readers.get(part) ?? new Map<KeyMode | null, RowReader>();
    const reader = byMode.get(mode) ?? new RowReader(part, codecOf, mode);
    readers.set(part, byMode.set(mode, reader));
    return reader;
  };
  return ({ val }: PartValueObject, part: Part, keyMode: KeyMode | null = null): SimplifiedValue => {
    if (isEmpty(val)) return [];
    if (!Array.isArray(val) && !isObject(val)) return asItCame(val);
    const rows = readItems(isObject(val) && 'child_records' in val ? val.child_records : val);
    const reader = readerOf(part, keyMode ?? modeOf(rows, part.children));
    return rows.map((row) => (isObject(row) ? reader.read(row) : asItCame(row)));
  };
}

function modeOf(rows: readonly unknown[], children: readonly Part[]): KeyMode | null {
  for (const row of rows) {
    const mode = detectKeyMode(row, children);
    if (mode !== null) return mode;
  }
  return null;
}

class RowReader {
  private readonly entries: EntryReader;
  private readonly idKeys: readonly string[];
  private readonly idKeyIsPart: boolean;

  constructor(table: Part, codecOf: (part: Part) => PartCodec, mode: KeyMode | null) {
    this.entries = new EntryReader(table.children, codecOf, mode);
    const own = ownIdPart(table.children);
    this.idKeys = own === null ? [] : possibleKeys(own, mode);
    this.idKeyIsPart = table.children.some((child) => possibleKeys(child, mode).includes(ROW_ID_KEY));
  }

  read(row: RawEntry): IDataObject {
    const ownKey = keyIn(row, this.idKeys);
    const named = this.namedId(row);
    const own = ownKey === null ? '' : readText(valOf(row[ownKey]));
    const id = named === '' ? own : named;
    const elsewhere = named === '' ? [] : [ROW_ID_KEY];
    if (ownKey !== null && ownKey !== ROW_ID_KEY && own === id) elsewhere.push(ownKey);
    return this.entries.read(row, { id: id === '' ? null : id }, elsewhere);
  }

  /** The ID under `data_id`, plain or as `{val}`, unless a child part has that key. */
  private namedId(row: RawEntry): string {
    const value = Object.hasOwn(row, ROW_ID_KEY) ? row[ROW_ID_KEY] : undefined;
    return this.idKeyIsPart && isObject(value) ? '' : readText(valOf(value));
  }
}
