import { asUserError, UserError } from '../util/userError';
import type { Part, RowWrite, WriteContext, WriteValue } from './model/part';
import { givenTwice, namePart, PartValuesError, refuseInRow } from './model/errors';
import { inputKey, ownKeysIn, partKey, withoutTriggerKeys } from './model/keys';
import { onlyPart, partsCalled, partsKeyed, unknownPart } from './model/lookup';
import { assertAddressable, isWritable, writeAlone } from './model/obstacle';
import { placeRows, storedRows, type StoredRow } from './placeRows';
import { refuseChoices } from './types/choices';
import { isRoundedAway, valueOf } from './types/entries';
import { MAX_LISTED } from './values/describe';
import { isMissing, isObject, readText } from './values/shapes';
import { isOmitted } from './values/omitted';

/** One part and the value to send for it. */
export interface EncodedPart {
  readonly part: Part;
  readonly value: WriteValue;
}

export interface EncodeOptions {
  /**
   * Keys come from an item's json, not from a manual mapping: the nodes' own output keys and parts that cannot be
   * written are skipped, and `<key> (part)` names the part `<key>`.
   */
  readonly automatic?: boolean;
  /** Ignore keys that name no part, instead of refusing them. */
  readonly ignoreUnknown?: boolean;
  /** The names, by ID, that parts had when they were mapped: of one that is gone, a person knows the name only. */
  readonly formerNames?: ReadonlyMap<string, string>;
}

/** What an item writes, and what of it an automatic mapping leaves out. */
export interface EncodedValues {
  readonly values: readonly EncodedPart[];
  /** Parts that cannot be written. */
  readonly passedOver: readonly Part[];
  /** Keys of the nodes' own output that parts have, too. */
  readonly ownKeys: readonly string[];
}

/**
 * The values of one item, part by part, in the order in which they were given. Keys are part IDs, names or identifiers;
 * `undefined` is no value at all.
 * @throws UserError all refusals of the item: a single one unchanged, several as one PartValuesError.
 */
export function encodeValues(
  input: Readonly<Record<string, unknown>>,
  parts: readonly Part[],
  context: WriteContext,
  options: EncodeOptions = {},
): EncodedValues {
  const given = options.automatic === true ? writtenBack(input) : input;
  // A list and a set, not a map: thousands of items are read like this.
  const values: EncodedPart[] = [];
  const seen = new Set<Part>();
  const passedOver = new Set<Part>();
  const refused: Refused[] = [];
  for (const key of Object.keys(given)) {
    const value = given[key];
    if (isMissing(value) || (context.emptyIsOmitted === true && isOmitted(value))) continue;
    try {
      const found = resolve(key, parts, context, options, refused.length < MAX_LISTED);
      if (found === null) continue;
      if (!('id' in found)) {
        for (const part of found) passedOver.add(part);
        continue;
      }
      if (seen.has(found)) throw givenTwice(found, key);
      values.push({ part: found, value: encodeValue(found, value, parts, context) });
      seen.add(found);
    } catch (error) {
      refused.push(aboutKey(key, asUserError(error), parts, options));
    }
  }
  // What is refused anyway is told with all its mistakes.
  if (refused.length > 0) throwAll([...refused, ...unofferedIn(values, null, context)]);
  const ownKeys = options.automatic === true ? ownKeysOf(input, parts, context) : [];
  return { values, passedOver: [...passedOver], ownKeys };
}

/** What an item gives for parts. The null of a number that lost digits on the way would empty it. */
function writtenBack(json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = withoutTriggerKeys(json);
  const keys = isObject(json.partErrors) ? Object.keys(given).filter((key) => isRoundedAway(given, key)) : [];
  if (keys.length === 0) return given;
  return Object.fromEntries(Object.entries(given).filter(([key]) => !keys.includes(key)));
}

/** A refusal, and what it is about: the name of a part, or a key that names none. */
interface Refused {
  readonly refusal: UserError;
  readonly subject: string;
}

function about(refusal: UserError, part: Part | undefined, called = ''): Refused {
  if (part !== undefined) refusal.part ??= part.name;
  return { refusal, subject: part?.name ?? called };
}

/** A key is about the part that it names, else about what the part was called when it was mapped. */
function aboutKey(
  key: string,
  refusal: UserError,
  parts: readonly Part[],
  { formerNames }: EncodeOptions,
): Refused {
  const [part, ...others] = partsCalled(parts, key);
  return about(refusal, others.length === 0 ? part : undefined, formerNames?.get(key) ?? key);
}

function throwAll(refused: readonly Refused[]): void {
  const refusal = asOne(refused);
  if (refusal !== undefined) throw refusal;
}

function asOne(refused: readonly Refused[]): UserError | undefined {
  const refusals = refused.map(({ refusal }) => refusal);
  const subjects = refused.map(({ subject }) => subject);
  return refusals.length < 2 ? refusals[0] : new PartValuesError(refusals, subjects);
}

/**
 * The part that a key names; `null` for keys to skip: the nodes' own output keys, and unknown keys to be ignored. A
 * list: parts that cannot be written.
 * @param suggests whether a key that names no part is told with the nearest one
 */
function resolve(
  key: string,
  parts: readonly Part[],
  { keyMode }: WriteContext,
  { automatic = false, ignoreUnknown = false, formerNames }: EncodeOptions,
  suggests: boolean,
): Part | readonly Part[] | null {
  const name = inputKey(key);
  if (automatic && name === null) return null;
  const fits = automatic ? partsKeyed(parts, name ?? key, keyMode) : calledInMapping(parts, key, name);
  // If several parts match and none can be written, it does not matter which one was meant.
  if (automatic && fits.length > 0 && !fits.some(isWritable)) return fits;
  if (fits.length > 0) return onlyPart(key, fits, parts);
  if (ignoreUnknown) return null;
  const former = formerNames?.get(key);
  if (former !== undefined) throw removedPart({ id: key, name: former });
  throw unknownPart(key, parts.filter(isWritable), {
    suggests,
    list: 'The parts that can be written are',
    advice: automatic
      ? 'Rename the keys of the input, or switch on the option "Ignore Unknown Keys".'
      : undefined,
  });
}

function removedPart(part: Pick<Part, 'id' | 'name'>): UserError {
  return new UserError(
    `There is no part ${namePart(part)} any more`,
    'The application has changed since the values were mapped. In the node, refresh the list of parts beside "Values to Send", or remove the field.',
  );
}

/** The parts that a key of a mapping names: as it is, else as `<key> (part)`. */
function calledInMapping(parts: readonly Part[], key: string, name: string | null): readonly Part[] {
  const fits = partsCalled(parts, key);
  return fits.length > 0 || name === null || name === key ? fits : partsCalled(parts, name);
}

function ownKeysOf(input: object, parts: readonly Part[], { keyMode }: WriteContext): readonly string[] {
  return ownKeysIn(input).filter((key) =>
    partsKeyed(parts, key, keyMode).some((part) => partKey(part, keyMode) === key && isWritable(part)),
  );
}

/**
 * One part's value. `siblings` are the parts of the same application. The part's key must be unique among them.
 * @throws UserError
 */
export function encodeValue(
  part: Part,
  value: unknown,
  siblings: readonly Part[],
  context: WriteContext,
): WriteValue {
  if (isWritable(part)) assertAddressable(part, siblings, context.keyMode);
  return writeAlone(part, value, context);
}

type Values = readonly EncodedPart[];
type Entry = Readonly<Record<string, unknown>>;

/** Whether a choice among the values is no longer offered. */
export function hasUnoffered(values: Values): boolean {
  return values.some(({ value }) =>
    value.kind === 'rows'
      ? value.rows.some((row) => hasUnoffered(row.values))
      : value.kind === 'text' && value.unoffered !== undefined,
  );
}

/**
 * Makes sure that choices which are no longer offered are written to a record that holds them only.
 * @param current the record, simplified; `null` for a new one.
 * @throws UserError
 */
export function assertOffered(values: Values, current: Entry | null, context: WriteContext): void {
  throwAll(unofferedIn(values, current, context));
}

/**
 * The same for one row. `index` is its place among the rows that were given.
 * @param stored the row that it stands for; `null` for a new one.
 * @throws UserError
 */
export function assertRowOffered(
  table: Part,
  index: number,
  row: RowWrite,
  stored: StoredRow | null,
  context: WriteContext,
): void {
  const refusal = asOne(unofferedIn(row.values, stored, context));
  if (refusal !== undefined) throw refuseInRow(table, index, refusal);
}

function unofferedIn(values: Values, current: Entry | null, context: WriteContext): readonly Refused[] {
  return values.flatMap(({ part, value }) => {
    const held = current === null ? undefined : valueOf(current, part, context);
    const refusal =
      value.kind === 'rows'
        ? unofferedRow(part, value.rows, held, context)
        : unofferedText(part, value.kind === 'text' ? (value.unoffered ?? []) : [], held);
    return refusal === undefined ? [] : [about(refusal, part)];
  });
}

function unofferedText(part: Part, texts: readonly string[], held: unknown): UserError | undefined {
  const stored = texts.length === 0 ? [] : textsOf(held);
  const unoffered = texts.filter((text) => !stored.includes(text));
  const isSeveral = part.codec.choices === 'several';
  return unoffered.length === 0 ? undefined : refuseChoices(part, unoffered, isSeveral);
}

function textsOf(held: unknown): readonly string[] {
  return Array.isArray(held) ? held.map(readText) : [readText(held)];
}

/** Each row is held against the stored row that it stands for. */
function unofferedRow(
  table: Part,
  rows: readonly RowWrite[],
  stored: unknown,
  context: WriteContext,
): UserError | undefined {
  if (!rows.some((row) => hasUnoffered(row.values))) return undefined;
  const placed = placeRows(rows, storedRows(stored) ?? [], context, () => true);
  for (const [index, row] of rows.entries()) {
    const refusal = asOne(unofferedIn(row.values, placed[index] ?? null, context));
    if (refusal !== undefined) return refuseInRow(table, index, refusal);
  }
  return undefined;
}
