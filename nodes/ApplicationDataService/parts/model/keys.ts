import { isObject } from '../values/shapes';
import type { KeyMode, Part } from './part';

/** Keys that name no part in any item: what was read can be written back. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  ...['id', 'revision', 'canWrite', 'canDelete', 'partErrors', 'previousRevision', 'recordId', 'rowId'],
]);
const RESULT_KEYS = ['outcome', 'event', 'dryRun', 'request', 'changes', 'error', 'message', 'details'];

/** Keys of the nodes' own output. A part with such a key is output as `<key> (part)` (design.md, Output). */
export const RESERVED_KEYS: ReadonlySet<string> = new Set([...OWN_KEYS, ...RESULT_KEYS]);

/** Keys that only the triggers reserve: the action node never renames a part that is called so. */
const TRIGGER_KEYS = new Set(['previous', 'url', 'applicationId', 'readError', 'sample']);

const WITHOUT_ID: ReadonlySet<string> = new Set(['deleted', 'ids', 'notFound', 'files']);
/** Keys that name no part only in an item that the nodes made: anybody calls a column "message". */
const OWN_IF_MADE: ReadonlySet<string> = new Set([...RESULT_KEYS, ...TRIGGER_KEYS, ...WITHOUT_ID, 'record']);

/** What happens to records. Saved in workflows: never change. */
export const EVENTS = ['created', 'deleted', 'updated'] as const;
export type EventName = (typeof EVENTS)[number];

const OUTCOMES = [...EVENTS, 'unchanged', 'conflict', 'notFound'];
/** Key under which a row may carry its id; the read format does not show it (service-facts, "Row ids"). */
export const ROW_ID_KEY = 'data_id';
const SUFFIX = ' (part)';

/** The key under which the service reads and writes a part; empty if it has none (interface.md, convention 5). */
export function partKey(part: Part, mode: KeyMode): string {
  return part[mode];
}

/** The keys under which the service may return a part: both its name and its identifier if the mode is unknown. */
export function possibleKeys(part: Part, mode: KeyMode | null): readonly string[] {
  const keys = mode === null ? [part.name, part.identifier] : [part[mode]];
  return keys.filter((key, index) => key !== '' && keys.indexOf(key) === index);
}

/** The output key of a part key. `id (part)` gets the suffix too, so no two meet. */
export function outputKey(key: string): string {
  return marked(key, RESERVED_KEYS);
}

/** The part key that an output key means; `null` for the nodes' own keys, which name no part. */
export function inputKey(key: string): string | null {
  if (RESERVED_KEYS.has(key)) return null;
  return key.endsWith(SUFFIX) && RESERVED_KEYS.has(withoutSuffixes(key)) ? key.slice(0, -SUFFIX.length) : key;
}

/** The key under which the triggers output what the action node outputs as `key`. */
export function triggerKey(key: string): string {
  return marked(key, TRIGGER_KEYS);
}

type Json = Readonly<Record<string, unknown>>;

/**
 * What the keys of an item's json name (parameters.md, "Order of keys"): the part keys that each may mean, of which the
 * first one that there is counts; none for a key of the nodes' own output.
 */
export function partKeysIn(json: Json): (key: string) => readonly string[] {
  const isMade = wasMade(json);
  const byTrigger = isMade && Object.hasOwn(json, 'event');
  return (key) => {
    if (OWN_KEYS.has(key) || (isMade && OWN_IF_MADE.has(key) && isOwn(key, json))) return [];
    const base = withoutSuffixes(key);
    if (base === key || !(OWN_KEYS.has(base) || OWN_IF_MADE.has(base))) return [key];
    const unmarkedKey = key.slice(0, -SUFFIX.length);
    const isMarked = RESERVED_KEYS.has(base) || (byTrigger && TRIGGER_KEYS.has(base));
    return isMarked ? [unmarkedKey] : [key, unmarkedKey];
  };
}

/** An item's json under the keys that the action node would output it with, to compare records with. */
export function asOutput(json: Json): Json {
  const keys = Object.keys(json);
  // Most items need no copy.
  if (!keys.some((key) => OWN_IF_MADE.has(withoutSuffixes(key)))) return json;
  const partKeysOf = partKeysIn(json);
  const entries = keys.flatMap((key) =>
    OWN_KEYS.has(key) ? [[key, json[key]]] : partKeysOf(key).map((name) => [outputKey(name), json[key]]),
  );
  return Object.fromEntries(entries) as Json;
}

function wasMade(json: Json): boolean {
  const has = (...keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(json, key));
  const isOne = (value: unknown, words: readonly string[]): boolean => words.some((word) => word === value);
  if (isOne(json.event, EVENTS) && has('previousRevision', 'applicationId')) return true;
  if (isOne(json.outcome, OUTCOMES) && has('id', 'recordId', 'ids', 'dryRun')) return true;
  return has('error') && has('details');
}

function isOwn(key: string, json: Json): boolean {
  if (WITHOUT_ID.has(key)) return !Object.hasOwn(json, 'id');
  return key !== 'record' || isObject(json.record);
}

function marked(key: string, keys: ReadonlySet<string>): string {
  return keys.has(withoutSuffixes(key)) ? `${key}${SUFFIX}` : key;
}

function withoutSuffixes(key: string): string {
  let end = key.length;
  while (key.endsWith(SUFFIX, end)) end -= SUFFIX.length;
  return key.slice(0, end);
}
