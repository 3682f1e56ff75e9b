import { groupBy } from '../../util/groupBy';
import { UserError } from '../../util/userError';
import { describeList, describeValue, describeValues } from '../values/describe';
import { nearestOfEach } from '../values/likeness';
import { namePart } from './errors';
import type { KeyMode, Part } from './part';

type Index = ReadonlyMap<string, readonly Part[]>;
type PartIndex = Readonly<Record<'id' | 'name' | 'identifier', Index>>;
const indexes = new WeakMap<readonly Part[], PartIndex>();

function indexOf(parts: readonly Part[]): PartIndex {
  const cached = indexes.get(parts);
  if (cached !== undefined) return cached;
  const indexBy = (key: keyof PartIndex): Index => {
    const named = parts.filter((part) => part[key] !== '');
    return new Map(groupBy(named, (part) => part[key]).map((group) => [group[0][key], group]));
  };
  const index = { id: indexBy('id'), name: indexBy('name'), identifier: indexBy('identifier') };
  indexes.set(parts, index);
  return index;
}

/** The parts that a text fits exactly, as ID, name or identifier: none, one, or several. */
export function partsCalled(parts: readonly Part[], text: string): readonly Part[] {
  const { id, name, identifier } = indexOf(parts);
  return [...new Set([id, name, identifier].flatMap((index) => index.get(text) ?? []))];
}

/** The parts that an item's key fits: first as in a record that was read, which can so be written back. */
export function partsKeyed(parts: readonly Part[], key: string, mode: KeyMode): readonly Part[] {
  return indexOf(parts)[mode].get(key) ?? partsCalled(parts, key);
}

/** The part that a text names as it is, else without the spaces around it; `null` if it names none, or several. */
export function lookUpPart(parts: readonly Part[], text: string): Part | null {
  const [part = null, ...others] = fitting(parts, text);
  return others.length > 0 ? null : part;
}

/** The one part that a text names. @throws UserError when it names none, or two, one by ID and another by name */
export function findPart(parts: readonly Part[], text: string): Part {
  return onlyPart(text, fitting(parts, text), parts);
}

function fitting(parts: readonly Part[], text: string): readonly Part[] {
  const exact = partsCalled(parts, text);
  return exact.length > 0 ? exact : partsCalled(parts, text.trim());
}

/** The one that a text fits, of the `parts` that it could have meant. @throws UserError */
export function onlyPart(text: string, fits: readonly Part[], parts: readonly Part[]): Part {
  const [part, ...others] = fits;
  if (part === undefined) throw unknownParts([text], parts);
  if (others.length === 0) return part;
  throw new UserError(
    `${describeValue(text)} fits ${fits.length} parts: ${describeList(fits.map(namePart))}`,
    'Use a text that fits only one part (its ID, name or identifier), or rename one of them in the application.',
  );
}

/** The refusal of texts that name none of the parts, only made to be told: it looks for the nearest ones. */
export function unknownParts(
  texts: readonly string[],
  parts: readonly Part[],
  list = 'The parts are',
  advice = '',
): UserError {
  const { name, identifier } = indexOf(parts);
  const suggestion = nearestOfEach(texts, [...name.keys(), ...identifier.keys()]);
  const guess = suggestion === undefined ? '' : `Did you mean "${suggestion}"?`;
  // Those that every application has come last.
  const own = parts.filter(({ system }) => !system);
  const names = [...new Set([...own, ...parts].map((part) => part.name))].filter((each) => each !== '');
  const choices = names.length === 0 ? 'There are no parts here.' : `${list}: ${describeList(names, 20)}.`;
  return new UserError(
    `${texts.length === 1 ? 'There is no part' : 'There are no parts'} ${describeValues(texts)}`,
    [guess, choices, advice].filter((sentence) => sentence !== '').join(' '),
  );
}

/** Which key names a part, by a record's keys (design.md, "Which key names a part"); `null` if they do not tell. */
export function detectKeyMode(rawRecord: unknown, parts: readonly Part[]): KeyMode | null {
  const { name, identifier } = indexOf(parts);
  if (identifier.size === 0 || parts.every((part) => part.identifier === part.name)) return 'name';
  const record = typeof rawRecord === 'object' && rawRecord !== null ? rawRecord : {};
  const telling = Object.keys(record).filter(
    (key) => key !== 'revision' && name.has(key) !== identifier.has(key),
  );
  const modes = new Set(telling.map((key): KeyMode => (name.has(key) ? 'name' : 'identifier')));
  const [mode = null] = modes;
  return modes.size > 1 ? null : mode;
}
