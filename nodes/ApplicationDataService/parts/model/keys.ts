import type { KeyMode, Part } from './part';

/** Keys of the nodes' own output; a part with such a key is given as `<key> (part)` (design.md, Output). */
export const RESERVED_KEYS: ReadonlySet<string> = new Set([
  'id',
  'revision',
  'canWrite',
  'canDelete',
  'partErrors',
  'outcome',
  'event',
  'previousRevision',
  'recordId',
  'rowId',
  'dryRun',
  'request',
  'changes',
  'error',
  'message',
  'details',
]);

const SUFFIX = ' (part)';

/** The key under which the service reads and writes a part; empty where it has none (interface.md, convention 5). */
export function partKey(part: Part, mode: KeyMode): string {
  return mode === 'name' ? part.name : part.identifier;
}

/** The keys under which the service may return a part: its name and its identifier where the mode is not known. */
export function possibleKeys(part: Part, mode: KeyMode | null): readonly string[] {
  const keys = mode === null ? [part.name, part.identifier] : [partKey(part, mode)];
  return [...new Set(keys)].filter((key) => key !== '');
}

/** The output key of a part key. A part that is itself called `id (part)` gets the suffix too, so no two meet. */
export function outputKey(key: string): string {
  return RESERVED_KEYS.has(withoutSuffixes(key)) ? `${key}${SUFFIX}` : key;
}

/** The part key that an output key stands for; `null` for the nodes' own keys, which name no part. */
export function inputKey(key: string): string | null {
  if (RESERVED_KEYS.has(key)) return null;
  return key.endsWith(SUFFIX) && RESERVED_KEYS.has(withoutSuffixes(key)) ? key.slice(0, -SUFFIX.length) : key;
}

function withoutSuffixes(key: string): string {
  let bare = key;
  while (bare.endsWith(SUFFIX)) bare = bare.slice(0, -SUFFIX.length);
  return bare;
}
