import { asUserError, UserError } from '../util/userError';
import { givenTwice, namePart, oneRefusal, type Refused, refuseInRow } from './model/errors';
import { inputKey, withoutTriggerKeys } from './model/keys';
import { lookUpPart, onlyPart, partsCalled, partsKeyed, unknownPart } from './model/lookup';
import { assertAddressable, isWritable, writeAlone } from './model/obstacle';
import type { Part, RowWrite, WriteContext, WriteValue } from './model/part';
import { ANY_FILES, placeRows, storedRows, type StoredRow } from './placeRows';
import { refuseChoices } from './types/choices';
import { isRoundedAway, valueOf } from './types/entries';
import { MAX_LISTED } from './values/describe';
import { isLeftOut } from './values/omitted';
import { readText } from './values/shapes';

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

/** What an item writes, and the parts that an automatic mapping leaves out because they cannot be written. */
export interface EncodedValues {
  readonly values: readonly EncodedPart[];
  readonly passedOver: readonly Part[];
}

/**
 * The values of one item, part by part, in the order in which they were given. Keys are part IDs, names or identifiers;
 * `undefined` is no value at all.
 * @throws UserError a single refusal as it is; several as one, of the first ten.
 */
export function encodeValues(
  input: Readonly<Record<string, unknown>>,
  parts: readonly Part[],
  context: WriteContext,
  options: EncodeOptions = {},
): EncodedValues {
  const { automatic = false, formerNames } = options;
  const given = automatic ? withoutTriggerKeys(input) : input;
  // A list and a set, not a map: thousands of items are read like this.
  const values: EncodedPart[] = [];
  const seen = new Set<Part>();
  const passedOver = new Set<Part>();
  const refused: Refused[] = [];
  for (const key of Object.keys(given)) {
    if (isLeftOut(given[key], context.emptyIsOmitted)) continue;
    // The null of a number that lost digits on the way would empty it.
    if (automatic && isRoundedAway(given, key)) continue;
    try {
      const part = partOf(key, parts, context, options, passedOver);
      if (part === null) continue;
      if (seen.has(part)) throw givenTwice(part, key);
      values.push({ part, value: encodeValue(part, given[key], parts, context) });
      seen.add(part);
    } catch (error) {
      refused.push(refusedFor(lookUpPart(parts, key), error, formerNames?.get(key) ?? key));
      if (refused.length > MAX_LISTED) break;
    }
  }
  // What is refused anyway is told with all its mistakes.
  if (refused.length > 0) throw oneRefusal([...refused, ...unofferedIn(values, null, context)])!;
  return { values, passedOver: [...passedOver] };
}

function refusedFor(part: Part | null, error: unknown, key = ''): Refused {
  const refusal = asUserError(error);
  if (part !== null) refusal.part ??= part.name;
  return { refusal, subject: part?.name ?? key };
}

/**
 * The part that a key names; `null` for keys to skip: the nodes' own output keys, and unknown keys to be ignored.
 * @param passedOver gets those parts that cannot be written
 */
function partOf(
  key: string,
  parts: readonly Part[],
  { keyMode }: WriteContext,
  { automatic = false, ignoreUnknown = false, formerNames }: EncodeOptions,
  passedOver: Set<Part>,
): Part | null {
  const name = inputKey(key);
  if (automatic && name === null) return null;
  const fits = automatic ? partsKeyed(parts, name ?? key, keyMode) : calledInMapping(parts, key, name);
  // If several parts match and none can be written, it does not matter which one was meant.
  if (automatic && fits.length > 0 && !fits.some(isWritable)) {
    fits.forEach((part) => passedOver.add(part));
    return null;
  }
  if (fits.length > 0) return onlyPart(key, fits, parts);
  if (ignoreUnknown) return null;
  const former = formerNames?.get(key);
  if (former !== undefined)
    throw new UserError(
      `There is no part ${namePart({ id: key, name: former })} any more`,
      'The application has changed since the values were mapped. In the node, refresh the list of parts beside "Values to Send", or remove the field.',
    );
  throw unknownPart(
    key,
    parts.filter(isWritable),
    'The parts that can be written are',
    automatic ? 'Rename the keys of the input, or switch on the option "Ignore Unknown Keys".' : '',
  );
}

/** The parts that a key of a mapping names: as it is, else as `<key> (part)`. */
function calledInMapping(parts: readonly Part[], key: string, name: string | null): readonly Part[] {
  const fits = partsCalled(parts, key);
  return fits.length > 0 || name === null || name === key ? fits : partsCalled(parts, name);
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
  const refusal = oneRefusal(unofferedIn(values, current, context));
  if (refusal !== undefined) throw refusal;
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
  const refusal = oneRefusal(unofferedIn(row.values, stored, context));
  if (refusal !== undefined) throw refuseInRow(table, index, refusal);
}

function unofferedIn(values: Values, current: Entry | null, context: WriteContext): readonly Refused[] {
  return values.flatMap(({ part, value }) => {
    const held = current === null ? undefined : valueOf(current, part, context);
    try {
      if (value.kind === 'rows') assertRowsOffered(part, value.rows, held, context);
      else if (value.kind === 'text' && value.unoffered !== undefined) {
        const stored = Array.isArray(held) ? held.map(readText) : [readText(held)];
        const unoffered = value.unoffered.filter((text) => !stored.includes(text));
        if (unoffered.length > 0) throw refuseChoices(part, unoffered);
      }
      return [];
    } catch (error) {
      return [refusedFor(part, error)];
    }
  });
}

/** Each row is held against the stored row that it stands for. */
function assertRowsOffered(
  table: Part,
  rows: readonly RowWrite[],
  stored: unknown,
  context: WriteContext,
): void {
  if (!rows.some((row) => hasUnoffered(row.values))) return;
  const placed = placeRows(rows, storedRows(stored) ?? [], context, ANY_FILES);
  for (const [index, row] of rows.entries())
    assertRowOffered(table, index, row, placed[index] ?? null, context);
}
