import { isObject, parseJson } from '../../parts/values/shapes';
import { decodeTable, encodeTable } from './tableCodec';
import type { Baseline, OpenScan, QuickMark, TriggerState, Waiting } from './triggerState';

/**
 * Changes with every change of the format. Each version also reads the previous format (there is none yet): the
 * test fixtures contain a state of each.
 */
const VERSION = 'ads2';

/** Values are kept as long as the whole state has at most this many characters: n8n saves it with each execution. */
const MOST_WITH_VALUES = 1_000_000;

/** The small parts of the state, readable as they are. */
type Header = Omit<TriggerState, 'records' | 'waiting'> & {
  readonly waiting: Readonly<Record<string, readonly [tries: number, revision: number | null]>>;
};

/** The state as one flat text: version, header as JSON, records, between bars. */
export async function encodeState(state: TriggerState): Promise<string> {
  return join(state, await encodeTable(state.records));
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
    state.full = true;
    const share = Math.max(0, (most / text.length) * 0.9 - 0.05);
    for (const slot of [...values.keys()].slice(Math.floor(values.size * share))) values.delete(slot);
    text = await encodeState(state);
  }
  return { text, dropped: before - values.size };
}

function join({ waiting, ...rest }: TriggerState, table: string): string {
  const header: Header = {
    ...rest,
    waiting: Object.fromEntries([...waiting].map(([id, { tries, revision }]) => [id, [tries, revision]])),
  };
  return `${VERSION}|${JSON.stringify({ ...header, records: undefined })}|${table}`;
}

/** Reads a state. `null` for any other text, and for a state of another version. */
export async function decodeState(text: string): Promise<TriggerState | null> {
  const end = text.lastIndexOf('|');
  if (!text.startsWith(`${VERSION}|`) || end <= VERSION.length) return null;
  const header = parseJson(text.slice(VERSION.length + 1, end));
  if (!isHeader(header)) return null;
  const waiting = Object.entries(header.waiting).map(([id, [tries, revision]]): [string, Waiting] => [
    id,
    { tries, revision },
  ]);
  try {
    return { ...header, waiting: new Map(waiting), records: await decodeTable(text.slice(end + 1)) };
  } catch {
    // Cut or changed: the caller says so and starts over.
    return null;
  }
}

/** What each key of the header must be. */
const KEYS: Readonly<Record<keyof Header, (value: unknown) => boolean>> = {
  fingerprint: isText,
  credential: isText,
  baseline: orNull<Baseline>({ highestId: orNullNumber, emitExisting: isSwitch, adopts: isSwitch }),
  scan: orNull<OpenScan>({ after: (value) => value === null || isText(value), newest: isText }),
  waiting: (value) => isObject(value) && Object.values(value).every(isWaiting),
  settling: isSwitch,
  heldBack: isSwitch,
  quick: orNull<QuickMark>({ part: isText, boundary: isText }),
  lastFullScan: isNumber,
  turn: isNumber,
  isOrdered: isSwitch,
  full: isSwitch,
  failing: isNumber,
};

function isHeader(value: unknown): value is Header {
  return isObject(value) && Object.entries(KEYS).every(([key, isRight]) => isRight(value[key]));
}

function orNull<T>(
  keys: Readonly<Record<keyof T, (value: unknown) => boolean>>,
): (value: unknown) => boolean {
  const checks = Object.entries<(value: unknown) => boolean>(keys);
  return (value) => value === null || (isObject(value) && checks.every(([key, is]) => is(value[key])));
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isSwitch(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}

function orNullNumber(value: unknown): boolean {
  return value === null || isNumber(value);
}

function isWaiting(value: unknown): boolean {
  return Array.isArray(value) && isNumber(value[0]) && orNullNumber(value[1]);
}
