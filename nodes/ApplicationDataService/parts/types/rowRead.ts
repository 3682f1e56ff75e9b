import type { IDataObject } from 'n8n-workflow';

import type { PartCodec, PartValueObject } from '../model/codec';
import type { SimplifiedValue } from '../values/shapes';
import { EntryReader, type RawEntry } from './entries';
import { ownIdPart } from '../model/lookup';
import type { Part } from '../model/part';
import { asItCame, isEmpty, isObject } from '../values/shapes';
import { readItems, readText } from '../values/wire';

/** Key under which a row may carry its id; the read format does not show it (service-facts, "Row ids"). */
export const ROW_ID_KEY = 'data_id';

/** Reads the rows of table parts and reference lists: `[{id, <child key>: value}]`, `id` null where none is given. */
export function rowReader(codecOf: (part: Part) => PartCodec): PartCodec['read'] {
  const readers = new WeakMap<Part, RowReader>();
  return ({ val }: PartValueObject, part: Part): SimplifiedValue => {
    if (isEmpty(val)) return [];
    if (!Array.isArray(val) && !isObject(val)) return asItCame(val);
    let reader = readers.get(part);
    if (reader === undefined) {
      reader = new RowReader(part, codecOf);
      readers.set(part, reader);
    }
    const rows = readItems(isObject(val) && 'child_records' in val ? val.child_records : val);
    return rows.map((row) => (isObject(row) ? reader.read(row) : asItCame(row)));
  };
}

class RowReader {
  private readonly entries: EntryReader;
  private readonly ownId: Part | null;
  private readonly idKeyIsPart: boolean;

  constructor(table: Part, codecOf: (part: Part) => PartCodec) {
    this.entries = new EntryReader(table.children, codecOf);
    this.ownId = ownIdPart(table.children);
    this.idKeyIsPart = table.children.some(
      (child) => child.name === ROW_ID_KEY || child.identifier === ROW_ID_KEY,
    );
  }

  read(row: RawEntry): IDataObject {
    const ownKey = this.ownId === null ? null : this.entries.keyOf(row, this.ownId);
    const named = this.namedId(row);
    const own = ownKey === null ? '' : valText(row[ownKey]);
    const id = named === '' ? own : named;
    const elsewhere = new Set(named === '' ? [] : [ROW_ID_KEY]);
    if (ownKey !== null && own === id) elsewhere.add(ownKey);
    return this.entries.read(row, { id: id === '' ? null : id }, elsewhere);
  }

  /** The id under `data_id`, plain or as `{val}`, unless a child part goes by that key. */
  private namedId(row: RawEntry): string {
    const value = Object.hasOwn(row, ROW_ID_KEY) ? row[ROW_ID_KEY] : undefined;
    return this.idKeyIsPart && isObject(value) ? '' : valText(value);
  }
}

/** The text of a value, plain or in a part-value object. */
function valText(value: unknown): string {
  return readText(isObject(value) ? value.val : value);
}
