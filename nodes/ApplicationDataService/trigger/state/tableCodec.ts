import { ByteReader, ByteWriter } from './bytes';
import { compress, decompress } from './compression';
import { RecordTable } from './recordTable';

/** Which bit sets follow the columns. */
const HAS_HASHES = 1;
const HAS_AWAY = 2;
const HAS_SEEN = 4;

/**
 * The table as text. Columns stand one after another rather than record by record: ids as distances from the one
 * before, which are mostly 1, then revisions, which are mostly small, so that both compress to a few bits.
 */
export async function encodeTable(table: RecordTable): Promise<string> {
  const order = table.order();
  const writer = new ByteWriter(order.length * 3 + 64);
  const numbers = order.findIndex((slot) => table.numberAt(slot) < 0);
  const count = numbers === -1 ? order.length : numbers;
  writer.varint(count);
  writer.varint(order.length - count);
  let previous = -1;
  for (let index = 0; index < count; index++) {
    const id = table.numberAt(order[index]!);
    writer.varint(id - previous - 1);
    previous = id;
  }
  for (let index = count; index < order.length; index++) writer.text(table.idAt(order[index]!));
  for (const slot of order) writer.varint(table.revisionAt(slot));
  writeExtras(writer, table, order);
  return await compress(writer.finish());
}

function writeExtras(writer: ByteWriter, table: RecordTable, order: Uint32Array): void {
  const hashed = order.some((slot) => table.hashAt(slot) !== 0);
  const away = order.some((slot) => table.isAwayAt(slot));
  const seen = order.some((slot) => table.isSeenAt(slot));
  writer.varint((hashed ? HAS_HASHES : 0) + (away ? HAS_AWAY : 0) + (seen ? HAS_SEEN : 0));
  if (hashed) for (const slot of order) writer.uint32(table.hashAt(slot));
  if (away) writeBits(writer, order, (slot) => table.isAwayAt(slot));
  if (seen) writeBits(writer, order, (slot) => table.isSeenAt(slot));
}

/** Lengths of runs, in turn of records without and with the mark: marks come in long runs. */
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

/** @throws an error when the text is not what `encodeTable` made. */
export async function decodeTable(text: string): Promise<RecordTable> {
  const reader = new ByteReader(await decompress(text));
  const numbers = reader.varint();
  const texts = reader.varint();
  const count = numbers + texts;
  // Each record takes two bytes at least: what promises more is not ours, and is not worth the memory.
  if (count * 2 > reader.left) throw new RangeError('The data ends too early');
  const table = new RecordTable(count);
  let previous = -1;
  for (let index = 0; index < numbers; index++) table.addNumber((previous += reader.varint() + 1));
  for (let index = 0; index < texts; index++) table.addText(reader.text());
  for (let slot = 0; slot < count; slot++) table.setRevisionAt(slot, reader.varint());
  const extras = reader.varint();
  if ((extras & HAS_HASHES) !== 0)
    for (let slot = 0; slot < count; slot++) table.setHashAt(slot, reader.uint32());
  if ((extras & HAS_AWAY) !== 0) readBits(reader, count, (slot) => table.markAwayAt(slot));
  if ((extras & HAS_SEEN) !== 0) readBits(reader, count, (slot) => table.markSeenAt(slot));
  reader.end();
  return table;
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
