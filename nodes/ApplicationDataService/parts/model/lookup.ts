import { describeList, describeValue } from '../values/describe';
import { namePart, PartLookupError } from './errors';
import type { KeyMode, Part } from './part';
import { nearest } from '../values/suggest';
import { groupBy } from '../../util/groupBy';

interface PartIndex {
  readonly byId: ReadonlyMap<string, readonly Part[]>;
  readonly byName: ReadonlyMap<string, readonly Part[]>;
  readonly byIdentifier: ReadonlyMap<string, readonly Part[]>;
  readonly duplicates: Readonly<Record<KeyMode, readonly string[]>>;
}

const indexes = new WeakMap<readonly Part[], PartIndex>();

function indexParts(parts: readonly Part[]): PartIndex {
  let index = indexes.get(parts);
  if (index === undefined) {
    const byName = group(parts, (part) => part.name);
    const byIdentifier = group(parts, (part) => part.identifier);
    const duplicates = { name: sharedIn(byName), identifier: sharedIn(byIdentifier) };
    index = { byId: group(parts, (part) => part.id), byName, byIdentifier, duplicates };
    indexes.set(parts, index);
  }
  return index;
}

function group(parts: readonly Part[], keyOf: (part: Part) => string): Map<string, readonly Part[]> {
  const groups = groupBy(parts, keyOf).map((group) => [keyOf(group[0]), group] as const);
  return new Map(groups.filter(([key]) => key !== ''));
}

function sharedIn(groups: ReadonlyMap<string, readonly Part[]>): string[] {
  return [...groups].filter(([, { length }]) => length > 1).map(([key]) => key);
}

/**
 * The part that a text names as its ID, name or identifier (parameters.md, Settled questions).
 * @throws PartLookupError when it names none, or fits two parts, whether one by ID and another by name.
 */
export function findPart(parts: readonly Part[], text: string): Part {
  const result = lookUpPart(parts, text);
  if (result instanceof PartLookupError) throw result;
  return result;
}

/** Like `findPart`, but returns the refusal instead of throwing it. */
export function lookUpPart(parts: readonly Part[], text: string): Part | PartLookupError {
  const { byId, byName, byIdentifier } = indexParts(parts);
  const fits = [byId, byName, byIdentifier].flatMap((index) => index.get(text) ?? []);
  return single(text, [...new Set(fits)], parts);
}

/**
 * The part that a key of an item names, or the refusal. A key is first looked up as the part key in the application's
 * mode, as in a record that was read, then as in `findPart`. So a record can be written back even if the name of one
 * part is the ID of another.
 */
export function lookUpKey(parts: readonly Part[], key: string, mode: KeyMode): Part | PartLookupError {
  const { byName, byIdentifier } = indexParts(parts);
  const fits = (mode === 'name' ? byName : byIdentifier).get(key);
  return fits === undefined ? lookUpPart(parts, key) : single(key, fits, parts);
}

function single(text: string, fits: readonly Part[], parts: readonly Part[]): Part | PartLookupError {
  const [part, ...others] = fits;
  if (part === undefined) return unknownPart(text, parts);
  return others.length === 0 ? part : ambiguous(text, fits);
}

/**
 * The refusal of a text that names no part.
 * @param parts those it could have meant
 */
export function unknownPart(
  text: string,
  parts: readonly Part[],
  { list = 'The parts are', advice = '' }: { readonly list?: string; readonly advice?: string } = {},
): PartLookupError {
  const { byName, byIdentifier } = indexParts(parts);
  const suggestion = nearest(text, byName.keys()) ?? nearest(text, byIdentifier.keys());
  const guess = suggestion === undefined ? '' : `Did you mean "${suggestion}"? `;
  // Those that every application has come last.
  const own = parts.filter(({ system }) => !system);
  const names = [...new Set([...own, ...parts].map(({ name }) => name))].filter((name) => name !== '');
  const choices = names.length === 0 ? 'There are no parts here.' : `${list}: ${describeList(names, 20)}.`;
  const message = `There is no part ${describeValue(text)}`;
  return new PartLookupError(text, [], message, guess.trim(), `${choices} ${advice}`.trim());
}

function ambiguous(text: string, fits: readonly Part[]): PartLookupError {
  return new PartLookupError(
    text,
    fits,
    `${describeValue(text)} fits ${fits.length} parts: ${fits.map(namePart).join(', ')}`,
    'Use a text that fits only one part (its ID, name or identifier), or rename one of them in the application.',
  );
}

/** Keys that two or more parts share in a mode. The service cannot distinguish these parts. */
export function duplicateKeys(parts: readonly Part[], mode: KeyMode): readonly string[] {
  return indexParts(parts).duplicates[mode];
}

/**
 * Whether the application keys its parts by name or by identifier, found out from a record's keys (design.md, "Which
 * key names a part"). `null` if they do not tell: no record, no key that is only a name or only an identifier, or
 * keys of both kinds. If no part has an identifier, it can only be the name.
 */
export function detectKeyMode(rawRecord: unknown, parts: readonly Part[]): KeyMode | null {
  const { byName, byIdentifier } = indexParts(parts);
  if (byIdentifier.size === 0) return 'name';
  const keys = typeof rawRecord === 'object' && rawRecord !== null ? Object.keys(rawRecord) : [];
  let found: KeyMode | null = null;
  for (const key of keys) {
    if (key === 'revision' || byName.has(key) === byIdentifier.has(key)) continue;
    const mode: KeyMode = byName.has(key) ? 'name' : 'identifier';
    if (found !== null && found !== mode) return null;
    found = mode;
  }
  return found ?? (parts.every((part) => part.identifier === part.name) ? 'name' : null);
}
