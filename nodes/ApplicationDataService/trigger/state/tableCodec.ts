import { ByteReader, ByteWriter } from './bytes';
import { compress, decompress } from './compression';
import { AWAY, MISSING } from './marks';
import { RecordTable } from './recordTable';

/** Which columns follow. */
const HAS_HASHES = 1;
const HAS_AWAY = 2;
const HAS_MISSING = 4;
const HAS_VALUES = 8;

/** After this many items, a chunk is passed on. */
const STRETCH = 4096;

/**
 * The table as text. Columns are stored one after another rather than record by record: IDs as distances from the one
 * before, which are mostly 1, then revisions, which are mostly small, so that both compress to a few bits.
 */
export async function encodeTable(table: RecordTable): Promise<string> {
  return await compress(columns(table));
}

/** The columns in chunks. */
function* columns(table: RecordTable): Generator<Uint8Array<ArrayBuffer>> {
  const order = table.order();
  const writer = new ByteWriter();
  let count = order.length;
  while (count > 0 && table.slots.numberAt(order[count - 1]!) < 0) count--;
  writer.varint(count);
  writer.varint(order.length - count);
  let previous = -1;
  yield* each(writer, order.subarray(0, count), (slot) => {
    const id = table.slots.numberAt(slot);
    writer.varint(id - previous - 1);
    previous = id;
  });
  yield* each(writer, order.subarray(count), (slot) => writer.text(table.slots.idAt(slot)));
  yield* each(writer, order, (slot) => writer.varint(table.revisionAt(slot)));
  yield* extras(writer, table, order);
  yield* writer.take(true);
}

/** Writes something for each item, some thousands without a pause. */
function* each<T>(
  writer: ByteWriter,
  items: ArrayLike<T>,
  write: (item: T) => void,
): Generator<Uint8Array<ArrayBuffer>> {
  for (let index = 0; index < items.length; index++) {
    write(items[index]!);
    if (index % STRETCH === STRETCH - 1) yield* writer.take();
  }
}

function* extras(
  writer: ByteWriter,
  table: RecordTable,
  order: Uint32Array,
): Generator<Uint8Array<ArrayBuffer>> {
  const hashed = order.some((slot) => table.hashAt(slot) !== 0);
  const away = table.marks.awayCount > 0;
  const missing = table.missingSize > 0;
  const valued = table.values.size > 0;
  writer.varint(
    (hashed ? HAS_HASHES : 0) +
      (away ? HAS_AWAY : 0) +
      (missing ? HAS_MISSING : 0) +
      (valued ? HAS_VALUES : 0),
  );
  if (hashed) yield* each(writer, order, (slot) => writer.uint32(table.hashAt(slot)));
  if (away) writeBits(writer, order, (slot) => table.marks.has(slot, AWAY));
  if (missing) writeBits(writer, order, (slot) => table.marks.has(slot, MISSING));
  if (valued) yield* values(writer, table, order);
}

/** Alternating lengths of runs without and with the mark, because marks come in long runs. */
function writeBits(writer: ByteWriter, order: Uint32Array, isMarked: (slot: number) => boolean): void {
  let run = 0;
  let marked = false;
  for (const slot of order) {
    if (isMarked(slot) !== marked) {
      writer.varint(run);
      run = 0;
      marked = !marked;
    }
    run++;
  }
  writer.varint(run);
}

/** For each part: its distinct values, then which one each record has. Most parts have few. */
function* values(
  writer: ByteWriter,
  { values: kept }: RecordTable,
  order: Uint32Array,
): Generator<Uint8Array<ArrayBuffer>> {
  writeBits(writer, order, (slot) => kept.has(slot));
  const rows = [...order].flatMap((slot) => (kept.has(slot) ? [kept.get(slot)!] : []));
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

/** @throws an error if `encodeTable` did not make the text. */
export async function decodeTable(text: string): Promise<RecordTable> {
  const reader = new ByteReader(await decompress(text));
  const numbers = reader.varint();
  const texts = reader.varint();
  const count = numbers + texts;
  // Each record takes at least two bytes. A text that claims more records is invalid, and not worth the memory.
  if (count * 2 > reader.left) throw new RangeError('The data ends too early');
  const table = new RecordTable(count);
  let previous = -1;
  for (let index = 0; index < numbers; index++) table.add((previous += reader.varint() + 1));
  for (let index = 0; index < texts; index++) table.add(-1, reader.text());
  for (let slot = 0; slot < count; slot++) table.putAt(slot, reader.varint(), 0);
  readExtras(reader, table, count);
  reader.end();
  table.dirty = false;
  return table;
}

function readExtras(reader: ByteReader, table: RecordTable, count: number): void {
  const extras = reader.varint();
  if ((extras & HAS_HASHES) !== 0)
    for (let slot = 0; slot < count; slot++) table.putAt(slot, table.revisionAt(slot), reader.uint32());
  if ((extras & HAS_AWAY) !== 0) readBits(reader, count, (slot) => table.markAwayAt(slot));
  if ((extras & HAS_MISSING) !== 0) readBits(reader, count, (slot) => table.markMissingAt(slot));
  if ((extras & HAS_VALUES) !== 0) readValues(reader, table, count);
}

function readBits(reader: ByteReader, count: number, mark: (slot: number) => void): void {
  let slot = 0;
  for (let marked = false; slot < count; marked = !marked) {
    const end = slot + reader.varint();
    if (end > count) throw new RangeError('A run is too long');
    if (marked) for (let each = slot; each < end; each++) mark(each);
    slot = end;
  }
}

function readValues(reader: ByteReader, { values }: RecordTable, count: number): void {
  const rows: string[][] = [];
  readBits(reader, count, (slot) => {
    const row: string[] = [];
    rows.push(row);
    values.set(slot, row);
  });
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
