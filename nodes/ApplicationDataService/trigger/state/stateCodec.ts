import { isObject, parseJson } from '../../parts/values/shapes';
import { compress, decompress, NumberReader, packed } from './packing';
import { RecordTable } from './recordTable';

/** Changes with every change of the format. */
const VERSION = 'ads7';

/** A scan that the next poll continues. */
export interface OpenScan {
  /** Everything up to this ID is done; -1 at first. */
  readonly after: number;
  /** How many records the list held up to there. */
  readonly offset: number;
  /** Newest date/time before it began; empty where quick polls are not made. */
  readonly newest: string;
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
}

/** What the trigger remembers between polls. */
export interface TriggerState {
  /** Identifies what is watched: the state is valid for nothing else. */
  fingerprint: string;
  /** ID of the credential, and 16 bits of a hash of its key. */
  credential: string;
  readonly records: RecordTable;
  /** IDs of the parts that the table has hashes of, in its order. */
  watched: readonly string[];
  /**
   * Until a scan has met all records once, with this key: those that it does not know are learned without a word up to
   * this ID; those above it were created since. `null` after that.
   */
  learnsUpTo: number | null;
  /** The highest ID that was known with the keys before; -1 with the first one. */
  knownUpTo: number;
  /** One among those that it did not know shows that this key sees more: then all that it does not know are learned. */
  seesMore: boolean;
  scan: OpenScan | null;
  /** Records that were found but failed, by ID, in the order in which they came; and how many polls tried each. */
  readonly waiting: Map<string, { readonly tries: number; readonly revision: number }>;
  /**
   * For quick polls: the date/time part; its value before which everything is known, empty if nothing is; and when the
   * last scan that is done began.
   */
  quick: { readonly part: string; readonly watermark: string; readonly scanned: number } | null;
  /** Polls that failed, one after the other. */
  failing: number;
}

/** Values are kept as long as the whole state has at most this many characters: n8n saves it with each execution. */
const MAX_WITH_VALUES = 1_000_000;
/** A state that is shorter than this share of it has room for more values. */
const FULL_SHARE = 0.8;

/** All but the records. */
export function headerOf(state: TriggerState): string {
  return JSON.stringify({ ...state, records: undefined, waiting: undefined, waits: [...state.waiting] });
}

/**
 * The state as one flat text: version, header as JSON, records, between bars.
 * @param saved the text that it was read from, if any: its records are kept as they are if none of them changed.
 */
export async function encodeState(state: TriggerState, saved?: string): Promise<string> {
  const { records } = state;
  const header = headerOf(state);
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
  const { records } = state;
  const before = records.values.size;
  let text = await encodeState(state, saved);
  while (text.length > most && records.values.size > 0) {
    const share = Math.max(0, (most / text.length) * 0.95 - 0.02);
    records.keepValues(Math.floor(records.values.size * share));
    text = await encodeState(state);
  }
  return { text, dropped: before - records.values.size };
}

/** Reads a state. `null` for anything else, and for a state of another version. */
export async function decodeState(saved: unknown, most = MAX_WITH_VALUES): Promise<TriggerState | null> {
  const text = String(saved);
  const start = text.indexOf('|');
  const end = text.lastIndexOf('|');
  if (text.slice(0, start) !== VERSION) return null;
  const header = parseJson(text.slice(start + 1, end));
  if (!isObject(header) || typeof header.fingerprint !== 'string') return null;
  const { waits, ...rest } = header as unknown as TriggerState & { waits: [] };
  try {
    const records = readTable(new NumberReader(await decompress(text.slice(end + 1))));
    records.isFull = text.length > most * FULL_SHARE && records.values.size < records.size;
    return { ...rest, waiting: new Map(waits), records };
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
  const column = function* (valueAt: (row: number) => number): Columns {
    for (let start = 0; start < order.length; start += PIECE) {
      const values = new Float64Array(Math.min(PIECE, order.length - start));
      for (let index = 0; index < values.length; index++) values[index] = valueAt(order[start + index]!);
      yield values;
    }
  };
  yield [order.length, table.hashes.length];
  let previous = -1;
  yield* column((row) => {
    const distance = table.ids[row]! - previous - 1;
    previous = table.ids[row]!;
    return distance;
  });
  yield* column((row) => table.revisions[row]!);
  yield* column((row) => table.flagsAt(row) + (table.values.has(row) ? HAS_VALUES : 0));
  yield* toColumnsOfValues(table, order);
}

/**
 * The distinct values as JSON; then for each part which one each record has, as most parts have few; then when the
 * values of each record last changed.
 */
function* toColumnsOfValues({ values }: RecordTable, order: Uint32Array): Columns {
  // Filtered as typed numbers: an array of a million would block for a tenth of a second.
  const kept = Array.from(
    order.filter((row) => values.has(row)),
    (row) => values.get(row)!,
  );
  const places = new Map<string, number>();
  for (const { texts } of kept)
    for (const text of texts) if (!places.has(text)) places.set(text, places.size);
  const json = JSON.stringify([...places.keys()]);
  const parts = kept[0]?.texts.length ?? 0;
  yield [parts, json.length];
  yield Uint16Array.from(json, (_, index) => json.charCodeAt(index));
  for (let part = 0; part < parts; part++) yield kept.map(({ texts }) => places.get(texts[part]!)!);
  const first = kept.reduce((least, { changedAt }) => Math.min(least, changedAt), Infinity);
  yield kept.map(({ changedAt }) => changedAt - first);
}

/** The table whose bytes {@link toBytes} made: their checksum says that they are complete. */
function readTable(reader: NumberReader): RecordTable {
  const count = reader.next();
  const table = new RecordTable(reader.next(), count);
  for (let row = 0, id = -1; row < count; row++) table.add((id += reader.next() + 1));
  for (let row = 0; row < count; row++) table.revisions[row] = reader.next();
  const rows: number[] = [];
  for (let row = 0; row < count; row++) {
    const flags = reader.next();
    table.setFlags(row, flags & ~HAS_VALUES);
    if ((flags & HAS_VALUES) !== 0) rows.push(row);
  }
  readValues(reader, rows, table);
  for (const column of table.hashes) column.set(reader.words(count));
  table.changes = 0;
  return table;
}

function readValues(reader: NumberReader, rows: readonly number[], table: RecordTable): void {
  const parts = reader.next();
  const units = Array.from({ length: reader.next() }, () => String.fromCharCode(reader.next()));
  const different = JSON.parse(units.join('')) as string[];
  const kept = rows.map((): string[] => []);
  for (let part = 0; part < parts; part++) for (const texts of kept) texts.push(different[reader.next()]!);
  for (const [index, row] of rows.entries()) {
    const changedAt = reader.next();
    table.values.set(row, { texts: kept[index]!, changedAt });
    table.save = Math.max(table.save, changedAt + 1);
  }
}

function* toBytes(table: RecordTable): Generator<Uint8Array<ArrayBuffer>> {
  const order = table.order();
  yield* packed(toColumns(table, order));
  // Hashes hardly compress: four bytes each.
  for (const column of table.hashes)
    for (let start = 0; start < order.length; start += PIECE) {
      const words = order.subarray(start, start + PIECE).map((row) => column[row]!);
      yield new Uint8Array(words.buffer);
    }
}
