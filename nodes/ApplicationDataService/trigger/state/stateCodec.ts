import { isObject, parseJson } from '../../parts/values/shapes';
import { ColumnReader, compress, decompress, packed } from './packing';
import { RecordTable } from './recordTable';

/** Changes with every change of the format. */
const VERSION = 'ads8';

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

/** How many polls tried a record that failed, the revision that was shown, and when the last of these polls began. */
export interface Waiting {
  readonly tries: number;
  readonly revision: number;
  readonly at: number;
}

/** What the trigger remembers between polls. */
export interface TriggerState {
  /** Identifies what is watched: the state is valid for nothing else. */
  fingerprint: string;
  readonly records: RecordTable;
  /**
   * Until a scan has met all records once: those that it does not know are learned without a word up to this ID; those
   * above it were created since. `null` after that.
   */
  learnsUpTo: number | null;
  scan: OpenScan | null;
  /** The length at which pages came in time, after a longer one had not, and since when, in milliseconds since 1970. */
  pages: { readonly length: number; readonly since: number } | null;
  /** Records that were found but failed, by ID, in the order in which they came. */
  readonly waiting: Map<string, Waiting>;
  /**
   * For quick polls: the date/time part; its value before which everything is known, empty if nothing is; and when the
   * last scan that is done began, 0 if a scan is due since a pass did not come to its end.
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
  const { records, waiting, ...rest } = state;
  return JSON.stringify({ ...rest, watched: records.watched, waits: [...waiting] });
}

/**
 * The state as one flat text: version, header as JSON, records, between bars.
 * @param saved the text that it was read from, if any: its records are kept as they are if none of them changed.
 */
export async function encodeState(state: TriggerState, saved?: string): Promise<string> {
  const { records } = state;
  const header = headerOf(state);
  const table =
    saved === undefined || records.hasChanged
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
  const { waits, watched, ...rest } = header as unknown as TriggerState & { waits: []; watched: string[] };
  try {
    const records = readTable(new ColumnReader(await decompress(text.slice(end + 1))), watched);
    records.isFull = text.length > most * FULL_SHARE && records.values.size < records.size;
    return { ...rest, waiting: new Map(waits), records };
  } catch {
    // Cut or changed: the caller says so and starts over.
    return null;
  }
}

/** Added to the flags of a record whose values are kept. */
const HAS_VALUES = 128;

/**
 * The table as columns rather than record by record, so that each compresses to a few bits: IDs as distances from the
 * one before, which are mostly 1, then revisions, which are mostly small. Of previous values which one each record has,
 * as most parts have few, and when they last changed; the distinct ones follow as JSON.
 */
function* toBytes(table: RecordTable): Generator<Uint8Array<ArrayBuffer>> {
  const { ids, revisions, hashes, values } = table;
  const order = table.order();
  const rows = new Float64Array(order);
  const kept = Array.from(
    rows.filter((row) => values.has(row)),
    (row) => values.get(row)!,
  );
  const places = new Map<string, number>();
  for (const { texts } of kept)
    for (const text of texts) if (!places.has(text)) places.set(text, places.size);
  const columns = function* (): Generator<Float64Array> {
    yield rows.map((row, index) => ids[row]! - (index === 0 ? -1 : ids[rows[index - 1]!]!) - 1);
    yield rows.map((row) => revisions[row]!);
    yield rows.map((row) => table.flagsAt(row) + (values.has(row) ? HAS_VALUES : 0));
    for (const part of hashes.keys())
      yield Float64Array.from(kept, ({ texts }) => places.get(texts[part] ?? '') ?? 0);
    const first = kept.reduce((least, { changedAt }) => Math.min(least, changedAt), Infinity);
    yield Float64Array.from(kept, ({ changedAt }) => changedAt - first);
  };
  yield* packed(columns());
  // All four bytes of a hash together: those of equal values are equal.
  for (const column of hashes) yield new Uint8Array(order.map((row) => column[row]!).buffer);
  yield new TextEncoder().encode(JSON.stringify([...places.keys()]));
}

/** The table whose bytes {@link toBytes} made: their checksum says that they are complete. */
function readTable(reader: ColumnReader, watched: readonly string[]): RecordTable {
  const ids = reader.next();
  let id = -1;
  for (let row = 0; row < ids.length; row++) ids[row] = id += ids[row]! + 1;
  const table = new RecordTable(watched, ids, reader.next());
  const kept: number[] = [];
  reader.next().forEach((flags, row) => {
    if (flags === 0) return;
    table.setFlags(row, flags & ~HAS_VALUES, 0);
    if ((flags & HAS_VALUES) !== 0) kept.push(row);
  });
  const columns = watched.map(() => reader.next());
  const changed = reader.next();
  for (const column of table.hashes) column.set(reader.words(ids.length));
  const texts = JSON.parse(new TextDecoder().decode(reader.rest())) as string[];
  for (const [index, row] of kept.entries())
    table.values.set(row, {
      texts: columns.map((column) => texts[column[index]!]!),
      changedAt: changed[index]!,
    });
  table.save = changed.reduce((next, at) => Math.max(next, at + 1), 0);
  table.hasChanged = false;
  return table;
}
