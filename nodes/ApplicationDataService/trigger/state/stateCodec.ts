import { isObject, parseJson } from '../../parts/values/shapes';
import { ByteReader, ByteWriter } from './bytes';
import { compress, decompress } from './compression';
import { AWAY, JOINT, MISSING, RecordTable } from './recordTable';
import type { TriggerState, Waiting } from './triggerState';

/** Changes with every change of the format. */
const VERSION = 'ads3';

/** Values are kept as long as the whole state has at most this many characters: n8n saves it with each execution. */
export const MOST_WITH_VALUES = 1_000_000;
/** A state that is shorter than this share of it has room for more values. */
const FULL_SHARE = 0.8;

/** The small parts of the state, readable as they are. */
type Header = Omit<TriggerState, 'records' | 'waiting' | 'isFull'> & {
  readonly waiting: Readonly<Record<string, readonly [tries: number, revision: number | null]>>;
};

/** The state as one flat text: version, header as JSON, records, between bars. */
export async function encodeState(state: TriggerState): Promise<string> {
  return join(state, await compress(columns(state.records)));
}

/** The same where no record changed: the records of `previous` are kept unchanged. */
export function encodeHeader(state: TriggerState, previous: string): string {
  return join(state, previous.slice(previous.lastIndexOf('|') + 1));
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
    for (const slot of [...values.keys()].slice(Math.floor(values.size * share))) values.delete(slot);
    text = await encodeState(state);
  }
  return { text, dropped: before - values.size };
}

function join({ waiting, ...rest }: TriggerState, table: string): string {
  const tries = [...waiting].map(([id, each]) => [id, [each.tries, each.revision]]);
  const header = { ...rest, waiting: Object.fromEntries(tries) as object };
  return `${VERSION}|${JSON.stringify({ ...header, records: undefined, isFull: undefined })}|${table}`;
}

/** Reads a state. `null` for any other text, and for a state of another version. */
export async function decodeState(text: string, most = MOST_WITH_VALUES): Promise<TriggerState | null> {
  const end = text.lastIndexOf('|');
  const version = text.slice(0, text.indexOf('|'));
  if (version !== VERSION || end <= version.length) return null;
  const header = parseJson(text.slice(version.length + 1, end));
  if (!isHeader(header)) return null;
  const waiting = Object.entries(header.waiting).map(([id, [tries, revision]]): [string, Waiting] => [
    id,
    { tries, revision },
  ]);
  try {
    const records = readTable(new ByteReader(await decompress(text.slice(end + 1))));
    const isFull = text.length > most * FULL_SHARE && records.values.size < records.size;
    return { ...header, waiting: new Map(waiting), records, isFull };
  } catch {
    // Cut or changed: the caller says so and starts over.
    return null;
  }
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isSwitch = (value: unknown): boolean => typeof value === 'boolean';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isList = (value: unknown): boolean => Array.isArray(value);
type Check = (value: unknown) => boolean;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const holds =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([key, check]) => check(value[key]));

/** What each key of the header must be. */
const isHeaderObject = holds({
  fingerprint: isText,
  credential: isText,
  watched: isList,
  columns: isList,
  baseline: orNull(holds({ highestId: orNull(isNumber), emitExisting: isSwitch, adopts: isSwitch })),
  scan: orNull(holds({ after: orNull(isText), newest: isText })),
  waiting: (value) =>
    isObject(value) && Object.values(value).every((each) => isList(each) && isNumber((each as unknown[])[0])),
  settling: isSwitch,
  heldBack: isSwitch,
  quick: orNull(holds({ part: isText, boundary: isText })),
  lastFullScan: isNumber,
  turn: isNumber,
  failing: isNumber,
} satisfies Record<keyof Header, Check>);

function isHeader(value: unknown): value is Header {
  return isHeaderObject(value);
}

/** Bits that say which columns follow. */
const HAS_HASHES = 1;
const HAS_AWAY = 2;
const HAS_MISSING = 4;
const HAS_VALUES = 8;
const HAS_JOINT = 16;

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
  let previous = -1;
  yield* each(writer, order, (slot) => {
    const id = table.numberAt(slot);
    writer.varint(id - previous - 1);
    previous = id;
  });
  yield* each(writer, order, (slot) => writer.varint(table.revisionAt(slot)));
  const present = {
    [HAS_HASHES]: table.width > 0,
    [HAS_AWAY]: table.countOf(AWAY) > 0,
    [HAS_MISSING]: table.countOf(MISSING) > 0,
    [HAS_VALUES]: table.values.size > 0,
    [HAS_JOINT]: table.countOf(JOINT) > 0,
  };
  writer.varint(Object.entries(present).reduce((bits, [bit, is]) => bits + (is ? Number(bit) : 0), 0));
  if (present[HAS_JOINT]) writeBits(writer, order, (slot) => table.has(slot, JOINT));
  if (present[HAS_HASHES]) yield* hashes(writer, table, order);
  if (present[HAS_AWAY]) writeBits(writer, order, (slot) => table.has(slot, AWAY));
  if (present[HAS_MISSING]) writeBits(writer, order, (slot) => table.has(slot, MISSING));
  if (present[HAS_VALUES]) yield* values(writer, table, order);
  yield* writer.take(true);
}

/** Writes something for each item, some thousands without a pause. */
function* each<T>(writer: ByteWriter, items: ArrayLike<T>, write: (item: T) => void): Chunks {
  for (let index = 0; index < items.length; index++) {
    write(items[index]!);
    if (index % STRETCH === STRETCH - 1) yield* writer.take();
  }
}

/** A record with a hash of all watched parts has only that one. */
function* hashes(writer: ByteWriter, table: RecordTable, order: Uint32Array): Chunks {
  writer.varint(table.width);
  for (let column = 0; column < table.width; column++)
    yield* each(writer, order, (slot) => {
      if (column === 0 || !table.has(slot, JOINT)) writer.uint32(table.hashAt(slot, column));
    });
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
function* values(writer: ByteWriter, { values: kept }: RecordTable, order: Uint32Array): Chunks {
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

/** @throws an error if {@link columns} did not make the bytes. */
function readTable(reader: ByteReader): RecordTable {
  const count = reader.varint();
  // Each record takes at least two bytes. A text that claims more records is invalid, and not worth the memory.
  if (count * 2 > reader.left) throw new RangeError('The data ends too early');
  const ids = readNumbers(reader, count);
  const revisions = readNumbers(reader, count);
  const bits = reader.varint();
  const isJoint = new Uint8Array(count);
  if ((bits & HAS_JOINT) !== 0) readBits(reader, count, (slot) => (isJoint[slot] = 1));
  const width = (bits & HAS_HASHES) === 0 ? 0 : reader.varint();
  if (width > 0 && count > reader.left) throw new RangeError('The data ends too early');
  const table = new RecordTable(width, count);
  let id = -1;
  for (let slot = 0; slot < count; slot++) {
    table.add((id += ids[slot]! + 1));
    table.putRevision(slot, revisions[slot]!);
    if (isJoint[slot] === 1) table.mark(slot, JOINT, 0);
  }
  for (let column = 0; column < width; column++)
    for (let slot = 0; slot < count; slot++)
      if (column === 0 || isJoint[slot] === 0) table.putHash(slot, column, reader.uint32());
  if ((bits & HAS_AWAY) !== 0) readBits(reader, count, (slot) => table.mark(slot, AWAY, 0));
  if ((bits & HAS_MISSING) !== 0) readBits(reader, count, (slot) => table.mark(slot, MISSING, 0));
  if ((bits & HAS_VALUES) !== 0) readValues(reader, table, count);
  reader.end();
  return table;
}

function readNumbers(reader: ByteReader, count: number): Float64Array {
  const numbers = new Float64Array(count);
  for (let slot = 0; slot < count; slot++) numbers[slot] = reader.varint();
  return numbers;
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

function readValues(reader: ByteReader, { values: kept }: RecordTable, count: number): void {
  const rows: string[][] = [];
  readBits(reader, count, (slot) => {
    const row: string[] = [];
    rows.push(row);
    kept.set(slot, row);
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
