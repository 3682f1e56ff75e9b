import { attempt } from '../util/concurrently';
import { asUserError, type UserError } from '../util/userError';
import { assertNoneRefused, givenTwice, inRow } from './model/errors';
import { inputKey, partKeysIn } from './model/keys';
import { onlyPart, partsCalled, partsKeyed, unknownParts } from './model/lookup';
import { assertAddressable, isWritable, writeAlone } from './model/obstacle';
import type { Part, RowWrite, WriteContext, WriteValue } from './model/part';
import { ANY_FILES, placeRows, storedRows } from './compare';
import { refuseChoices } from './types/choices';
import { isRoundedAway, valueOf } from './types/entries';
import { isLeftOut } from './values/given';
import { type Entry, readText } from './values/shapes';

export interface EncodedPart {
  readonly part: Part;
  readonly value: WriteValue;
}

export interface EncodeOptions {
  /** Keys are those of an item's json: the nodes' own, and those of parts that cannot be written, are passed over. */
  readonly automatic?: boolean;
  /** The whole item, which says what its keys mean, where only some of them are given. */
  readonly json?: Entry;
  readonly ignoreUnknown?: boolean;
}

export interface EncodedValues {
  readonly values: readonly EncodedPart[];
  readonly passedOver: readonly Part[];
  /** Keys of the nodes' own output, although a part is called so that has no value under another key. */
  readonly ownKeys: readonly string[];
  /** Keys that are no part, where they are to be ignored. */
  readonly unknown: readonly string[];
}

/** The values of an item, in its order. @throws UserError for all that cannot be written, and all unknown keys */
export function encodeValues(
  given: Readonly<Record<string, unknown>>,
  parts: readonly Part[],
  context: WriteContext,
  options: EncodeOptions = {},
): EncodedValues {
  const { automatic = false, json = given } = options;
  const keysOf = automatic ? partKeysIn(json) : null;
  // A list and a set, not a map: thousands of items are read like this.
  const values: EncodedPart[] = [];
  const seen = new Set<Part>();
  const passedOver: Part[] = [];
  const ownKeys: string[] = [];
  const unknown: string[] = [];
  const refused: UserError[] = [];
  const fitting = (key: string): readonly Part[] => partsKeyed(parts, key, context.keyMode);
  const take = (key: string, fits: readonly Part[]): void => {
    try {
      const part = onlyPart(key, fits, parts);
      if (seen.has(part)) throw givenTwice(part, key);
      values.push({ part, value: encodeValue(part, given[key], parts, context) });
      seen.add(part);
    } catch (error) {
      refused.push(asUserError(error));
    }
  };
  const read = (key: string): void => {
    const keys = keysOf?.(key);
    // The null of a number that lost digits on the way would empty it.
    if (keys?.some((each) => isRoundedAway(json, key, each)) === true) return;
    const fits = keys === undefined ? partsMapped(key, parts) : (keys.map(fitting).find(isFound) ?? []);
    // If several parts match and none can be written, it does not matter which one was meant.
    const isPassedOver = automatic && fits.length > 0 && !fits.some(isWritable);
    if (keys?.length === 0) ownKeys.push(...(fitting(key).some(isWritable) ? [key] : []));
    else if (fits.length === 0) unknown.push(key);
    else if (isPassedOver) passedOver.push(...fits);
    else take(key, fits);
  };
  for (const key of Object.keys(given)) if (!isLeftOut(given[key], context.emptyIsOmitted)) read(key);
  if (unknown.length > 0 && options.ignoreUnknown !== true)
    refused.push(unknownKeys(unknown, parts, automatic));
  // What is refused anyway is told with all its mistakes.
  if (refused.length > 0) assertNoneRefused([...refused, ...unofferedIn(values, null, context)]);
  const isLost = (key: string): boolean => !fitting(key).some((part) => seen.has(part));
  return { values, passedOver, ownKeys: ownKeys.filter(isLost), unknown };
}

function isFound(fits: readonly Part[]): boolean {
  return fits.length > 0;
}

/** The parts that a key of a mapping fits: as it is, else as `<key> (part)`. */
function partsMapped(key: string, parts: readonly Part[]): readonly Part[] {
  const fits = partsCalled(parts, key);
  return fits.length > 0 ? fits : partsCalled(parts, inputKey(key) ?? key);
}

function unknownKeys(keys: readonly string[], parts: readonly Part[], automatic: boolean): UserError {
  const advice = automatic
    ? 'Rename the keys of the input, or switch on the option "Ignore Unknown Keys".'
    : 'If the application has changed, refresh the list of parts beside "Values to Send".';
  return unknownParts(keys, parts.filter(isWritable), 'The parts that can be written are', advice);
}

export function encodeValue(
  part: Part,
  value: unknown,
  siblings: readonly Part[],
  context: WriteContext,
): WriteValue {
  if (isWritable(part)) assertAddressable(part, siblings, context.keyMode);
  return writeAlone(part, value, context);
}

export function hasUnoffered(values: readonly EncodedPart[]): boolean {
  return values.some(({ value }) => {
    if (value.kind === 'rows') return value.rows.some((row) => hasUnoffered(row.values));
    return value.kind === 'text' && value.unoffered !== undefined;
  });
}

/** Refuses choices that are no longer offered, and that `current` does not hold. @throws UserError */
export function assertOffered(
  values: readonly EncodedPart[],
  current: Entry | null,
  context: WriteContext,
): void {
  assertNoneRefused(unofferedIn(values, current, context));
}

function unofferedIn(
  values: readonly EncodedPart[],
  current: Entry | null,
  context: WriteContext,
): readonly UserError[] {
  return values.flatMap(({ part, value }) => {
    const held = current === null ? undefined : valueOf(current, part, context);
    if (value.kind === 'rows') {
      const checked = attempt(() => assertRowsOffered(part, value.rows, held, context));
      return 'error' in checked ? [asUserError(checked.error)] : [];
    }
    if (value.kind !== 'text' || value.unoffered === undefined) return [];
    const stored = Array.isArray(held) ? held.map(readText) : [readText(held)];
    const unoffered = value.unoffered.filter((text) => !stored.includes(text));
    return unoffered.length > 0 ? [refuseChoices(part, unoffered)] : [];
  });
}

function assertRowsOffered(
  table: Part,
  rows: readonly RowWrite[],
  stored: unknown,
  context: WriteContext,
): void {
  if (!rows.some((row) => hasUnoffered(row.values))) return;
  const placed = placeRows(rows, storedRows(stored) ?? [], context, ANY_FILES);
  for (const [index, row] of rows.entries())
    inRow(table, index, () => assertOffered(row.values, placed[index] ?? null, context));
}
