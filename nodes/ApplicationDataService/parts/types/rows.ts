import type { IDataObject } from 'n8n-workflow';

import {
  KEEP,
  type KeyMode,
  type Part,
  type PartCodec,
  type RowWrite,
  type ValueKind,
  type WriteContext,
  type WriteValue,
} from '../model/part';
import { givenTwice, inRow, refuse } from '../model/errors';
import { inputKey, outputKey, possibleKeys, ROW_ID_KEY } from '../model/keys';
import { onlyPart, partsKeyed } from '../model/lookup';
import { assertAddressable, isWritable, writeAlone } from '../model/obstacle';
import { shorten } from '../values/describe';
import { givenJson, isLeftOut, isOmittedRow } from '../values/given';
import { type Entry, isBlank, isObject, ownValue, readObjects, readOneId, valOf } from '../values/shapes';
import { entryReader, isRoundedAway, keyIn } from './entries';
import { ownIdPart } from './id';

type RowReader = (row: Entry) => IDataObject;
const readers = new WeakMap<Part, Map<KeyMode | null, RowReader>>();

/** Reads the rows of table parts and reference lists: `[{id, <child key>: value}]`, `id` null if there is none. */
const readRows: PartCodec['read'] = ({ val }, part, keyMode = null) => {
  const byMode = readers.get(part) ?? new Map<KeyMode | null, RowReader>();
  const read = byMode.get(keyMode) ?? readerIn(keyMode, part);
  readers.set(part, byMode.set(keyMode, read));
  return readObjects(val, 'child_records', read);
};

function readerIn(mode: KeyMode | null, table: Part): RowReader {
  const readEntry = entryReader(table.children, mode);
  const ownId = ownIdPart(table.children);
  const idKeys = ownId === null ? [] : possibleKeys(ownId, mode);
  const isPart = table.children.some((child) => possibleKeys(child, mode).includes(ROW_ID_KEY));
  return (row) => {
    const value = ownValue(row, ROW_ID_KEY);
    // Plain or as `{val}`, unless a child part has that key.
    const named = isPart && isObject(value) ? '' : readOneId(valOf(value));
    const ownKey = keyIn(row, idKeys);
    const own = ownKey === null ? '' : readOneId(valOf(row[ownKey]));
    const id = named || own;
    const leftOut = [named === '' ? null : ROW_ID_KEY, own === id ? ownKey : null];
    return readEntry(row, { id: id === '' ? null : id, leftOut });
  };
}

/** Rows from a list or JSON. What cannot be written is passed over: rows can be written back as they were read. */
function writeRows(value: unknown, table: Part, context: WriteContext): WriteValue {
  if (isBlank(value)) return context.blankKeepsRows === true ? KEEP : { kind: 'rows', rows: [] };
  const given = typeof value === 'string' ? givenJson(value) : value;
  if (!Array.isArray(given)) {
    const single = isObject(given) ? 'Put a single row in a list, too: [ {...} ]. ' : '';
    throw refuse(table, value, 'it is not a list of rows', {
      accepts: acceptedRows(table),
      advice: `${single}To fill in a row part by part, use Table Row > Add once the record is there.`,
    });
  }
  // A hole in a list is not a row. Array.from turns it into one that is refused; flatMap would pass over it.
  const rows = Array.from<unknown>(given).flatMap((row, index) => {
    if (context.emptyIsOmitted === true && isOmittedRow(row)) return [];
    return [inRow(table, index, () => writeRow(row, table, context))];
  });
  const seen = new Set<string>();
  const twice = rows.find(({ id }) => id !== undefined && seen.size === seen.add(id).size)?.id;
  if (twice === undefined) return { kind: 'rows', rows };
  throw refuse(table, twice, `it names row ${shorten(twice, 60)} more than once`, {
    accepts: 'each existing row once',
  });
}

const SAMPLES: Readonly<Partial<Record<ValueKind, unknown>>> = {
  number: 3,
  date: '2026-03-01',
  time: '09:30',
  datetime: '2026-03-01T09:30',
};
const MAX_IN_SAMPLE = 3;

/** With a row of some of the table's own parts, to be copied. */
function acceptedRows({ codec: { accepts }, children }: Part): string {
  const isPlain = ({ codec: { choices, content, members } }: Part): boolean =>
    choices !== 'several' && content === undefined && members === undefined;
  const shown = children.filter((child) => isWritable(child) && isPlain(child)).slice(0, MAX_IN_SAMPLE);
  const pairs = shown.map(({ name, codec, options: [choice = 'text'] }) => {
    const sample = SAMPLES[codec.compares as ValueKind] ?? choice;
    return `${JSON.stringify(name)}: ${JSON.stringify(sample)}`;
  });
  return pairs.length === 0 ? accepts : `${accepts}, e.g. [{${pairs.join(', ')}}]`;
}

function writeRow(row: unknown, table: Part, context: WriteContext): RowWrite {
  if (!isObject(row)) throw refuse(table, row, 'it is not a row', { accepts: acceptedRows(table) });
  const { emptyIsOmitted, keyMode } = context;
  const id = isLeftOut(row.id, emptyIsOmitted) ? null : rowId(row.id, table);
  const values = new Map<Part, WriteValue>();
  for (const key of Object.keys(row)) {
    if (key === 'id' || isLeftOut(row[key], emptyIsOmitted) || isRoundedAway(row, key)) continue;
    const child = childOf(key, row, table, keyMode);
    if (child === null || !isWritable(child)) continue;
    if (values.has(child)) throw givenTwice(child, key);
    assertAddressable(child, table, keyMode);
    values.set(child, writeAlone(child, row[key], context));
  }
  return { ...(id !== null && { id }), values: [...values].map(([part, value]) => ({ part, value })) };
}

const ADDED_KEYS: ReadonlySet<string> = new Set(['partErrors', 'recordId']);

/** The child part that a key of a row names; `null` for keys that the nodes add when reading. */
function childOf(key: string, row: Record<string, unknown>, table: Part, mode: KeyMode): Part | null {
  const name = inputKey(key);
  if (name === null && Object.hasOwn(row, outputKey(key))) return null;
  const fits = partsKeyed(table.children, name ?? key, mode);
  return fits.length === 0 && ADDED_KEYS.has(key) ? null : onlyPart(name ?? key, fits, table.children);
}

function rowId(id: unknown, table: Part): string | null {
  if (isBlank(id)) return null;
  if (typeof id === 'string') return id.trim();
  if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) return String(id);
  throw refuse(table, id, 'it is not the id of a row', {
    accepts: 'the ID of an existing row, or nothing for a new row',
  });
}

export const tablePart: PartCodec = {
  label: 'Table part',
  read: readRows,
  write: writeRows,
  accepts: 'a list of rows, or JSON text of one',
  form: 'rows',
  filterable: true,
  content: 'rows',
};

export const referenceList: PartCodec = {
  label: 'Reference list',
  read: readRows,
  accepts: 'nothing: its rows are records of another application',
  content: 'references',
};
