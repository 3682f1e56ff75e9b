import { groupBy } from '../../util/groupBy';
import { describeList, describeValue } from '../values/describe';
import { nearest } from '../values/likeness';
import { namePart, PartLookupError } from './errors';
import type { KeyMode, Part } from './part';

type Index = ReadonlyMap<string, readonly Part[]>;

interface PartIndex {
  readonly byId: Index;
  readonly byName: Index;
  readonly byIdentifier: Index;
  readonly duplicates: Readonly<Record<KeyMode, readonly string[]>>;
}

const indexes = new WeakMap<readonly Part[], PartIndex>();

function indexParts(parts: readonly Part[]): PartIndex {
  let index = indexes.get(parts);
  if (index === undefined) {
    const [byId, byName, byIdentifier] = [
      indexBy(parts, (part) => part.id),
      indexBy(parts, (part) => part.name),
      indexBy(parts, (part) => part.identifier),
    ];
    const duplicates = { name: sharedIn(byName), identifier: sharedIn(byIdentifier) };
    indexes.set(parts, (index = { byId, byName, byIdentifier, duplicates }));
  }
  return index;
}

function indexBy(parts: readonly Part[], keyOf: (part: Part) => string): Index {
  const groups = groupBy(parts, keyOf).map((group) => [keyOf(group[0]), group] as const);
  return new Map(groups.filter(([key]) => key !== ''));
}

function sharedIn(index: Index): string[] {
  return [...index].filter(([, { length }]) => length > 1).map(([key]) => key);
}

/** The parts that a text fits exactly, as ID, name or identifier: none, one, or several. */
export function partsCalled(parts: readonly Part[], text: string): readonly Part[] {
  const { byId, byName, byIdentifier } = indexParts(parts);
  const fits = [byId, byName, byIdentifier].flatMap((index) => index.get(text) ?? []);
  return [...new Set(fits)];
}

/**
 * The parts that a key of an item fits. A key is first looked up as the part key in the application's mode, as in a
 * record that was read, then as any text. So a record can be written back even if the name of one part is the ID of
 * another.
 */
export function partsKeyed(parts: readonly Part[], key: string, mode: KeyMode): readonly Part[] {
  const { byName, byIdentifier } = indexParts(parts);
  return (mode === 'name' ? byName : byIdentifier).get(key) ?? partsCalled(parts, key);
}

/** The part that a text names as it is, else without the spaces around it; `null` if it names none, or several. */
export function lookUpPart(parts: readonly Part[], text: string): Part | null {
  const [part, ...others] = fitting(parts, text);
  return part === undefined || others.length > 0 ? null : part;
}

/**
 * The same, where there must be one (parameters.md, Settled questions).
 * @throws PartLookupError when it names none, or fits two parts, whether one by ID and another by name.
 */
export function findPart(parts: readonly Part[], text: string): Part {
  return onlyPart(text, fitting(parts, text), parts);
}

function fitting(parts: readonly Part[], text: string): readonly Part[] {
  const exact = partsCalled(parts, text);
  return exact.length > 0 ? exact : partsCalled(parts, text.trim());
}

/**
 * The one of the parts that a text fits.
 * @param parts those it could have meant
 * @throws PartLookupError
 */
export function onlyPart(text: string, fits: readonly Part[], parts: readonly Part[]): Part {
  const [part, ...others] = fits;
  if (part === undefined) throw unknownPart(text, parts);
  if (others.length === 0) return part;
  throw new PartLookupError(
    `${describeValue(text)} fits ${fits.length} parts: ${describeList(fits.map(namePart))}`,
    'Use a text that fits only one part (its ID, name or identifier), or rename one of them in the application.',
  );
}

interface UnknownPartOptions {
  /** Stands before the names of the parts. */
  readonly list?: string;
  readonly advice?: string | undefined;
  readonly suggests?: boolean;
}

/**
 * The refusal of a text that names no part. It looks for the nearest one, so it is only made to be told.
 * @param parts those it could have meant
 */
export function unknownPart(
  text: string,
  parts: readonly Part[],
  { list = 'The parts are', advice = '', suggests = true }: UnknownPartOptions = {},
): PartLookupError {
  const { byName, byIdentifier } = indexParts(parts);
  const suggestion = suggests
    ? (nearest(text, byName.keys()) ?? nearest(text, byIdentifier.keys()))
    : undefined;
  const guess = suggestion === undefined ? '' : `Did you mean "${suggestion}"?`;
  // Those that every application has come last.
  const own = parts.filter(({ system }) => !system);
  const names = [...new Set([...own, ...parts].map(({ name }) => name))].filter((name) => name !== '');
  const choices = names.length === 0 ? 'There are no parts here.' : `${list}: ${describeList(names, 20)}.`;
  const message = `There is no part ${describeValue(text)}`;
  return new PartLookupError(message, guess, `${choices} ${advice}`.trim());
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
