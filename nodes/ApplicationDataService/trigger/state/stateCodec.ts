import { isObject, parseJson } from '../../parts/values/shapes';
import { ByteReader, ByteWriter } from './bytes';
import { compress, decompress } from './compression';
import { JOINT, RecordTable } from './recordTable';
import type { TriggerState } from './triggerState';

/** Changes with every change of the format. */
const VERSION = 'ads4';

/** Values are kept as long as the whole state has at most this many characters: n8n saves it with each execution. */
const MOST_WITH_VALUES = 1_000_000;
/** A state that is shorter than this share of it has room for more values. */
const FULL_SHARE = 0.8;

/** The state as one flat text: version, header as JSON, records, between bars. */
export async function encodeState(state: TriggerState): Promise<string> {
  return join(state, await compress(columns(state.records)));
}

/** The same where no record changed: the records of `previous` are kept unchanged. */
export function encodeHeader(state: TriggerState, previous: string): string {
  return join(state, previous.slice(previous.lastIndexOf('|') + 1));
}

function join({ waiting, ...rest }: TriggerState, table: string): string {
  const header = JSON.stringify({ ...rest, records: undefined, waiting: [...waiting] });
  return `${VERSION}|${header}|${table}`;
}

/**
 * The state as text, with the values of as many records as there is room for.
 * @returns also how many records lost their values.
 */
export async function encodeWithin(
  state: TriggerState,
  most = MOST_WITH_VALUES,
): Promise<{ text: string; dropped: number }> {
  const { values } = state.records;
  const before = values.size;
  let text = await encodeState(state);
  while (text.length > most && values.size > 0) {
    const share = Math.max(0, (most / text.length) * 0.95 - 0.02);
    for (const rowIndex of [...values.keys()].slice(Math.floor(values.size * share))) values.delete(rowIndex);
    text = await encodeState(state);
  }
  return { text, dropped: before - values.size };
}

/** Reads a state. `null` for any other text, and for a state of another version. */
export async function decodeState(text: string, most = MOST_WITH_VALUES): Promise<TriggerState | null> {
  const start = text.indexOf('|');
  const end = text.lastIndexOf('|');
  if (text.slice(0, start) !== VERSION) return null;
  const header = parseJson(text.slice(start + 1, end));
  if (!isObject(header) || typeof header.fingerprint !== 'string') return null;
  const { waiting, ...rest } = header as unknown as TriggerState;
  try {
    const records = readTable(new ByteReader(await decompress(text.slice(end + 1))));
    records.isFull = text.length > most * FULL_SHARE && records.values.size < records.size;
    return { ...rest, waiting: new Map(waiting), records };
  } catch {
    // Cut or changed: the caller says so and starts over.
    return null;
  }
}

/** Added to the marks of a record whose values are kept. */
const HAS_VALUES = 128;

/** After this many items, a chunk is passed on. */
const STRETCH = 4096;

type Chunks = Generator<Uint8Array<ArrayBuffer>>;

/**
 * The table in chunks. Columns are stored one after another rather than record by record: IDs as distances from the one
 * before, which are mostly 1, then revisions, which are mostly small, so that both compress to a few bits.
 */
function* columns(table: RecordTable): Chunks {
  const order = table.order();
  const writer = new ByteWriter();
  writer.varint(order.length);
  writer.varint(table.hashes.length);
  let previous = -1;
  yield* each(writer, order, (rowIndex) => {
    const id = table.ids[rowIndex]!;
    writer.varint(id - previous - 1);
    previous = id;
  });
  yield* each(writer, order, (rowIndex) => writer.varint(table.revisions[rowIndex]!));
  writeFlags(
    writer,
    order,
    (rowIndex) => table.marksAt(rowIndex) + (table.values.has(rowIndex) ? HAS_VALUES : 0),
  );
  for (const [index, column] of table.hashes.entries())
    yield* each(writer, order, (rowIndex) => {
      if (index === 0 || !table.has(rowIndex, JOINT)) writer.uint32(column[rowIndex]!);
    });
  yield* values(writer, table, order);
  yield* writer.take(true);
}

/** Writes something for each item, some thousands without a pause. */
function* each<T>(writer: ByteWriter, items: ArrayLike<T>, write: (item: T) => void): Chunks {
  for (let index = 0; index < items.length; index++) {
    write(items[index]!);
    if (index % STRETCH === STRETCH - 1) yield* writer.take();
  }
}

/** Marks, each with the number of records in a row that have them: they come in long runs. */
function writeFlags(writer: ByteWriter, order: Uint32Array, marksAt: (rowIndex: number) => number): void {
  for (let start = 0; start < order.length;) {
    const flags = marksAt(order[start]!);
    let end = start + 1;
    while (end < order.length && marksAt(order[end]!) === flags) end++;
    writer.varint(flags);
    writer.varint(end - start);
    start = end;
  }
}

/** For each part: its distinct values, then which one each record has. Most parts have few. */
function* values(writer: ByteWriter, { values: kept }: RecordTable, order: Uint32Array): Chunks {
  const rows = [...order].flatMap((rowIndex) => (kept.has(rowIndex) ? [kept.get(rowIndex)!] : []));
  const parts = rows[0]?.length ?? 0;
  writer.varint(parts);
  for (let part = 0; part < parts; part++) {
    const different = new Map<string, number>();
    for (const row of rows) if (!different.has(row[part]!)) different.set(row[part]!, different.size);
    writer.varint(different.size);
    yield* each(writer, [...different.keys()], (text) => writer.text(text));
    yield* each(writer, rows, (row) => writer.varint(different.get(row[part]!)!));
  }
}

/** @throws an error if {@link columns} did not make the bytes. */
function readTable(reader: ByteReader): RecordTable {
  const count = reader.varint();
  // Each record takes at least two bytes. A text that claims more records is invalid, and not worth the memory.
  if (count * 2 > reader.left) throw new RangeError('The data ends too early');
  const table = new RecordTable(reader.varint(), count);
  for (let rowIndex = 0, id = -1; rowIndex < count; rowIndex++) table.add((id += reader.varint() + 1));
  for (let rowIndex = 0; rowIndex < count; rowIndex++) table.revisions[rowIndex] = reader.varint();
  const rows: string[][] = [];
  for (let start = 0; start < count;) {
    const flags = reader.varint();
    const end = start + reader.varint();
    for (let rowIndex = start; rowIndex < end; rowIndex++) {
      table.mark(rowIndex, flags & ~HAS_VALUES);
      if ((flags & HAS_VALUES) !== 0) table.values.set(rowIndex, (rows[rows.length] = []));
    }
    start = end;
  }
  for (const [index, column] of table.hashes.entries())
    for (let rowIndex = 0; rowIndex < count; rowIndex++)
      if (index === 0 || !table.has(rowIndex, JOINT)) column[rowIndex] = reader.uint32();
  readValues(reader, rows);
  if (reader.left > 0) throw new RangeError('The data does not end where it should');
  table.dirty = false;
  return table;
}

function readValues(reader: ByteReader, rows: readonly string[][]): void {
  const parts = reader.varint();
  for (let part = 0; part < parts; part++) {
    const different = Array.from({ length: reader.varint() }, () => reader.text());
    for (const row of rows) {
      const text = different[reader.varint()];
      if (text === undefined) throw new RangeError('There is no such value');
      row.push(text);
    }
  }
}
