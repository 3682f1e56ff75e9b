import { isObject, parseJson } from '../../parts/values/shapes';
import { compress, decompress } from '../../util/compression';
import { pause } from '../../util/concurrently';
import { RecordTable } from './recordTable';

/** Changes with every change of the format. */
const VERSION = 'ads9';

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
  /** What was told when it was written; absent if it does not say. */
  events?: readonly string[];
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
  const table =
    saved === undefined || records.hasChanged
      ? await compress(linesOf(records))
      : saved.slice(saved.lastIndexOf('|') + 1);
  return `${VERSION}|${headerOf(state)}|${table}`;
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
    const records = await readTable(await decompress(text.slice(end + 1)), watched);
    records.isFull = text.length > most * FULL_SHARE && records.values.size < records.size;
    return { ...rest, waiting: new Map(waits), records };
  } catch {
    // Cut or changed: the caller says so and starts over.
    return null;
  }
}

/** So many records are one line, which takes some milliseconds to write and to read. */
const LINE = 50_000;

/**
 * One line: distances from the ID before, which are mostly 0; revisions; flags, none if all are 0; hashes, eight digits
 * each; and if values are kept, when those of each record last changed (null for none), and the values, part by part.
 */
type Line = [number[], number[], number[], string[], (number | null)[], string[][]];

/** The table in lines of JSON, column by column, because each column compresses by itself to a few bits a record. */
function* linesOf(table: RecordTable): Generator<string> {
  const { ids, revisions, hashes, values, watched } = table;
  const order = table.order();
  let before = -1;
  for (let start = 0; start < order.length; start += LINE) {
    const rows = order.slice(start, start + LINE);
    const flags = rows.map((row) => table.flagsAt(row));
    const kept = values.size === 0 ? [] : rows.map((row) => values.get(row));
    const line: Line = [
      rows.map((row) => -before - 1 + (before = ids[row]!)),
      rows.map((row) => revisions[row]!),
      flags.some((each) => each !== 0) ? flags : [],
      hashes.map((column) =>
        Buffer.from(Uint32Array.from(rows, (row) => column[row]!).buffer).toString('hex'),
      ),
      kept.map((each) => each?.changedAt ?? null),
      watched.map((_, part) => kept.map((each) => each?.texts[part] ?? '')),
    ];
    yield `${JSON.stringify(line)}\n`;
  }
}

/** The table of which {@link linesOf} made the text. */
async function readTable(text: string, watched: readonly string[]): Promise<RecordTable> {
  const table = new RecordTable(watched);
  let id = -1;
  for (const line of text.split('\n').slice(0, -1)) {
    await pause();
    const [gaps, revisions, flags, hashes, changes, texts] = JSON.parse(line) as Line;
    const columns = hashes.map((hex) => new Uint32Array(Uint8Array.from(Buffer.from(hex, 'hex')).buffer));
    for (const [index, gap] of gaps.entries()) {
      const row = table.add((id += gap + 1));
      table.revisions[row] = revisions[index]!;
      table.flags[row] = flags[index] ?? 0;
      for (const [part, column] of columns.entries()) table.hashes[part]![row] = column[index]!;
      const changedAt = changes[index] ?? -1;
      if (changedAt < 0) continue;
      table.values.set(row, { texts: texts.map((column) => column[index]!), changedAt });
      table.save = Math.max(table.save, changedAt + 1);
    }
  }
  table.hasChanged = false;
  return table;
}
