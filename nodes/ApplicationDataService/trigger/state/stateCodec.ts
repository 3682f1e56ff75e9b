import { isObject, parseJson } from '../../parts/values/shapes';
import { decodeTable, encodeTable } from './tableCodec';
import type { Baseline, OpenScan, QuickMark, TriggerState } from './triggerState';

/** Changes with every change of the format: what an older or newer version wrote is not guessed at. */
const VERSION = 'ads1';

/** The small parts of the state, readable as they are. */
interface Header {
  readonly fingerprint: string;
  readonly baseline: Baseline | null;
  readonly scan: OpenScan | null;
  readonly heldBack: boolean;
  readonly quick: QuickMark | null;
  readonly lastFullScan: number;
}

/** The state as one flat text: version, header as JSON, records, between bars. */
export async function encodeState(state: TriggerState): Promise<string> {
  return join(state, await encodeTable(state.records));
}

/** The same where no record changed: the records of `previous` are kept as they stand there. */
export function encodeHeader(state: TriggerState, previous: string): string {
  return join(state, previous.slice(previous.lastIndexOf('|') + 1));
}

function join(state: TriggerState, table: string): string {
  const { fingerprint, baseline, scan, heldBack, quick, lastFullScan } = state;
  const header: Header = { fingerprint, baseline, scan, heldBack, quick, lastFullScan };
  return `${VERSION}|${JSON.stringify(header)}|${table}`;
}

/** Reads a state. `null` for any other text, and for a state of another version. */
export async function decodeState(text: string): Promise<TriggerState | null> {
  const end = text.lastIndexOf('|');
  if (!text.startsWith(`${VERSION}|`) || end <= VERSION.length) return null;
  const header = readHeader(parseJson(text.slice(VERSION.length + 1, end)));
  if (header === null) return null;
  try {
    return { ...header, records: await decodeTable(text.slice(end + 1)) };
  } catch {
    // Cut or changed: the caller says so and begins anew.
    return null;
  }
}

function readHeader(value: unknown): Header | null {
  if (!isObject(value)) return null;
  const { fingerprint, baseline, scan, heldBack, quick, lastFullScan } = value;
  if (typeof fingerprint !== 'string' || typeof heldBack !== 'boolean') return null;
  if (typeof lastFullScan !== 'number') return null;
  if (!isBaseline(baseline) || !isScan(scan) || !isQuick(quick)) return null;
  return { fingerprint, baseline, scan, heldBack, quick, lastFullScan };
}

function isBaseline(value: unknown): value is Baseline | null {
  if (value === null) return true;
  return (
    isObject(value) &&
    (value.highestId === null || typeof value.highestId === 'number') &&
    typeof value.emitExisting === 'boolean'
  );
}

function isScan(value: unknown): value is OpenScan | null {
  if (value === null) return true;
  return (
    isObject(value) &&
    (value.phase === 'pages' || value.phase === 'missing') &&
    Number.isSafeInteger(value.offset) &&
    Number(value.offset) >= 0 &&
    typeof value.newest === 'string' &&
    Array.isArray(value.tail) &&
    value.tail.every((id) => typeof id === 'string')
  );
}

function isQuick(value: unknown): value is QuickMark | null {
  if (value === null) return true;
  return (
    isObject(value) &&
    typeof value.part === 'string' &&
    typeof value.boundary === 'string' &&
    typeof value.since === 'number' &&
    typeof value.settled === 'boolean'
  );
}
