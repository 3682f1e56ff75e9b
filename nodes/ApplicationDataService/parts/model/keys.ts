import type { KeyMode, Part } from './part';

/** Keys of the nodes' own output. A part with such a key is output as `<key> (part)` (design.md, Output). */
export const RESERVED_KEYS: ReadonlySet<string> = new Set([
  ...['id', 'revision', 'canWrite', 'canDelete', 'partErrors', 'outcome', 'event', 'previousRevision'],
  ...['recordId', 'rowId', 'dryRun', 'request', 'changes', 'error', 'message', 'details'],
]);

/** Keys that only the triggers reserve. For the action node they are ordinary part names. */
const TRIGGER_KEYS = new Set(['previous', 'url', 'applicationId', 'readError', 'sample']);
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
  return unmarked(key, RESERVED_KEYS);
}

/** The key under which the triggers output what the action node outputs as `key`. */
export function triggerKey(key: string): string {
  return marked(key, TRIGGER_KEYS);
}

/** An item's json as the action node would output it: in one with an `event`, the triggers' own keys name no part. */
export function withoutTriggerKeys<T extends Readonly<Record<string, unknown>>>(json: T): T {
  if (!Object.hasOwn(json, 'event')) return json;
  const entries = Object.entries(json).flatMap(([key, value]) => {
    const plain = unmarked(key, TRIGGER_KEYS);
    return plain === null ? [] : [[plain, value] as const];
  });
  return Object.fromEntries(entries) as T;
}

function marked(key: string, keys: ReadonlySet<string>): string {
  return keys.has(withoutSuffixes(key)) ? `${key}${SUFFIX}` : key;
}

function unmarked(key: string, keys: ReadonlySet<string>): string | null {
  if (keys.has(key)) return null;
  return key.endsWith(SUFFIX) && keys.has(withoutSuffixes(key)) ? key.slice(0, -SUFFIX.length) : key;
}

function withoutSuffixes(key: string): string {
  let end = key.length;
  while (key.endsWith(SUFFIX, end)) end -= SUFFIX.length;
  return key.slice(0, end);
}
