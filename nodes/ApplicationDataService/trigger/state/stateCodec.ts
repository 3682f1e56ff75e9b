import { isObject, parseJson } from '../../parts/values/shapes';
import { compress, decompress } from './compression';
import { RecordTable } from './recordTable';
import type { TriggerState } from './triggerState';

/** Changes with every change of the format. */
const VERSION = 'ads5';

/** Values are kept as long as the whole state has at most this many characters: n8n saves it with each execution. */
const MAX_WITH_VALUES = 1_000_000;
/** A state that is shorter than this share of it has room for more values. */
const FULL_SHARE = 0.8;

/**
 * The state as one flat text: version, header as JSON, records, between bars.
 * @param saved the text that it was read from, if any: its records are kept as they are if none of them changed.
 */
export async function encodeState(state: TriggerState, saved?: string): Promise<string> {
  const { waiting, records, ...rest } = state;
  const header = JSON.stringify({ ...rest, waiting: [...waiting] });
  const table =
    saved === undefined || records.changes > 0
      ? await compress(toBytes(records))
      : saved.slice(saved.lastIndexOf('|') + 1);
  return `${VERSION}|${header}|${table}`;
}

/**
 * The state as text, with the values of as many records as there is room for.
 * @returns also how many records lost their values.
 */
export async function encodeWithin(
  state: TriggerState,
  saved?: string,
  most = MAX_WITH_VALUES,
): Promise<{ text: string; dropped: number }> {
  const { values } = state.records;
  const before = values.size;
  let text = await encodeState(state, saved);
  while (text.length > most && values.size > 0) {
    const share = Math.max(0, (most / text.length) * 0.95 - 0.02);
    for (const rowIndex of [...values.keys()].slice(Math.floor(values.size * share))) values.delete(rowIndex);
    text = await encodeState(state);
  }
  return { text, dropped: before - values.size };
}

/** Reads a state. `null` for any other text, and for a state of another version. */
export async function decodeState(text: string, most = MAX_WITH_VALUES): Promise<TriggerState | null> {
  const start = text.indexOf('|');
  const end = text.lastIndexOf('|');
  if (text.slice(0, start) !== VERSION) return null;
  const header = parseJson(text.slice(start + 1, end));
  if (!isObject(header) || typeof header.fingerprint !== 'string') return null;
  const { waiting, ...rest } = header as unknown as TriggerState;
  try {
    const records = readTable(new NumberReader(await decompress(text.slice(end + 1))));
    records.isFull = text.length > most * FULL_SHARE && records.values.size < records.size;
    return { ...rest, waiting: new Map(waiting), records };
  } catch {
    // Cut or changed: the caller says so and starts over.
    return null;
  }
}

/** Added to the flags of a record whose values are kept. */
const HAS_VALUES = 128;

/** Numbers of a column that are made without a pause. */
const PIECE = 50_000;

type Columns = Generator<Iterable<number>>;

/**
 * The table as columns rather than record by record: IDs as distances from the one before, which are mostly 1, then
 * revisions, which are mostly small, so that both compress to a few bits.
 */
function* toColumns(table: RecordTable, order: Uint32Array): Columns {
  // In pieces: a whole column of a million records would take 50 ms without a pause.
  const column = function* (valueAt: (rowIndex: number) => number): Columns {
    for (let start = 0; start < order.length; start += PIECE) {
      const values = new Float64Array(Math.min(PIECE, order.length - start));
      for (let index = 0; index < values.length; index++) values[index] = valueAt(order[start + index]!);
      yield values;
    }
  };
  yield [order.length, table.hashes.length, Number(table.isJoint)];
  let previous = -1;
  yield* column((rowIndex) => {
    const distance = table.ids[rowIndex]! - previous - 1;
    previous = table.ids[rowIndex]!;
    return distance;
  });
  yield* column((rowIndex) => table.revisions[rowIndex]!);
  yield* column((rowIndex) => table.flagsAt(rowIndex) + (table.values.has(rowIndex) ? HAS_VALUES : 0));
  yield* toColumnsOfValues(table, order);
}

/** For each part: its distinct values, then which one each record has. Most parts have few. */
function* toColumnsOfValues({ values }: RecordTable, order: Uint32Array): Columns {
  // Filtered as typed numbers: an array of a million would block for a tenth of a second.
  const kept = order.filter((rowIndex) => values.has(rowIndex));
  const rows = Array.from(kept, (rowIndex) => values.get(rowIndex)!);
  const parts = rows[0]?.length ?? 0;
  yield [parts];
  for (let part = 0; part < parts; part++) {
    const different = new Map<string, number>();
    for (const row of rows) if (!different.has(row[part]!)) different.set(row[part]!, different.size);
    yield [different.size];
    for (const text of different.keys())
      yield [text.length, ...Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))];
    yield rows.map((row) => different.get(row[part]!)!);
  }
}

/** @throws an error if the bytes are not those of {@link toBytes}. */
function readTable(reader: NumberReader): RecordTable {
  const count = reader.next();
  // Each record takes at least three bytes. A text that claims more records is invalid, and not worth the memory.
  if (count * 3 > reader.left) throw new RangeError('The data ends too early');
  const table = new RecordTable(reader.next(), reader.next() === 1, count);
  for (let rowIndex = 0, id = -1; rowIndex < count; rowIndex++) table.add((id += reader.next() + 1));
  for (let rowIndex = 0; rowIndex < count; rowIndex++) table.revisions[rowIndex] = reader.next();
  const rows: string[][] = [];
  for (let rowIndex = 0; rowIndex < count; rowIndex++) {
    const flags = reader.next();
    table.setFlags(rowIndex, flags & ~HAS_VALUES);
    if ((flags & HAS_VALUES) !== 0) table.values.set(rowIndex, (rows[rows.length] = []));
  }
  readValues(reader, rows);
  for (const column of table.hashes) column.set(reader.words(count));
  if (reader.left !== 0) throw new RangeError('The data does not end where it should');
  table.changes = 0;
  return table;
}

function readValues(reader: NumberReader, rows: readonly string[][]): void {
  const parts = reader.next();
  for (let part = 0; part < parts; part++) {
    const different = Array.from({ length: reader.next() }, () => {
      const units = Array.from({ length: reader.next() }, () => reader.next());
      return units.map((unit) => String.fromCharCode(unit)).join('');
    });
    for (const row of rows) {
      const text = different[reader.next()];
      if (text === undefined) throw new RangeError('There is no such value');
      row.push(text);
    }
  }
}

function* toBytes(table: RecordTable): Generator<Uint8Array<ArrayBuffer>> {
  const order = table.order();
  yield* packed(toColumns(table, order));
  // Hashes hardly compress: four bytes each.
  for (const column of table.hashes)
    for (let start = 0; start < order.length; start += PIECE) {
      const words = order.subarray(start, start + PIECE).map((rowIndex) => column[rowIndex]!);
      yield new Uint8Array(words.buffer);
    }
}

/** How many bytes are written without a pause, in a few milliseconds. */
const CHUNK = 100_000;
const MAX_BYTES = 8;

/** Columns of whole numbers from 0 to 2^53 - 1 in as few bytes as each needs: seven bits a byte, low ones first. */
function* packed(columns: Iterable<Iterable<number>>): Generator<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array(CHUNK + MAX_BYTES);
  let length = 0;
  for (const column of columns)
    for (const number of column) {
      let rest = number;
      // Bit operations work on 32 bits only, IDs may be longer.
      for (; rest >= 2 ** 32; rest = Math.floor(rest / 0x80)) bytes[length++] = (rest % 0x80) + 0x80;
      for (; rest >= 0x80; rest >>>= 7) bytes[length++] = (rest & 0x7f) + 0x80;
      bytes[length++] = rest;
      if (length < CHUNK) continue;
      yield bytes.subarray(0, length);
      bytes = new Uint8Array(CHUNK + MAX_BYTES);
      length = 0;
    }
  yield bytes.subarray(0, length);
}

/** Reads what {@link toBytes} made. */
class NumberReader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array<ArrayBuffer>) {}

  get left(): number {
    return this.bytes.length - this.position;
  }

  /** @throws RangeError if the bytes end too early or are invalid. */
  next(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.bytes[this.position++];
      if (byte === undefined) throw new RangeError('The data ends too early');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('A number is too large');
    return value;
  }

  /** Numbers of 32 bits. @throws RangeError if the bytes end within one. */
  words(count: number): Uint32Array {
    const start = this.position;
    this.position += count * Uint32Array.BYTES_PER_ELEMENT;
    return new Uint32Array(this.bytes.slice(start, this.position).buffer);
  }
}
