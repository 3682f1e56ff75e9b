import { attempt } from '../util/concurrently';
import { asUserError, type UserError } from '../util/userError';
import { assertNoneRefused, givenTwice, inRow } from './model/errors';
import { inputKey, withoutTriggerKeys } from './model/keys';
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
  /** Keys are those of an item's json: the nodes' own and those of parts that cannot be written are passed over. */
  readonly automatic?: boolean;
  readonly ignoreUnknown?: boolean;
}

/** The values of an item, in its order. @throws UserError for all that cannot be written, and all unknown keys */
export function encodeValues(
  input: Readonly<Record<string, unknown>>,
  parts: readonly Part[],
  context: WriteContext,
  options: EncodeOptions = {},
): { readonly values: readonly EncodedPart[]; readonly passedOver: readonly Part[] } {
  const { automatic = false } = options;
  const given = automatic ? withoutTriggerKeys(input) : input;
  // A list and a set, not a map: thousands of items are read like this.
  const values: EncodedPart[] = [];
  const seen = new Set<Part>();
  const passedOver: Part[] = [];
  const unknown: string[] = [];
  const refused: UserError[] = [];
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
  for (const key of Object.keys(given)) {
    if (isLeftOut(given[key], context.emptyIsOmitted)) continue;
    // The nodes' own output keys, and the null of a number that lost digits on the way, which would empty it.
    if (automatic && (inputKey(key) === null || isRoundedAway(given, key))) continue;
    const fits = partsOfKey(key, parts, context, automatic);
    if (fits.length === 0) unknown.push(key);
    // If several parts match and none can be written, it does not matter which one was meant.
    else if (automatic && !fits.some(isWritable)) passedOver.push(...fits);
    else take(key, fits);
  }
  if (unknown.length > 0 && options.ignoreUnknown !== true)
    refused.push(unknownKeys(unknown, parts, automatic));
  // What is refused anyway is told with all its mistakes.
  if (refused.length > 0) assertNoneRefused([...refused, ...unofferedIn(values, null, context)]);
  return { values, passedOver };
}

/** The parts that a key fits; in a mapping as it is, else as `<key> (part)`. */
function partsOfKey(
  key: string,
  parts: readonly Part[],
  { keyMode }: WriteContext,
  automatic: boolean,
): readonly Part[] {
  const name = inputKey(key) ?? key;
  if (automatic) return partsKeyed(parts, name, keyMode);
  const fits = partsCalled(parts, key);
  return fits.length > 0 ? fits : partsCalled(parts, name);
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

type Values = readonly EncodedPart[];

export function hasUnoffered(values: Values): boolean {
  return values.some(({ value }) => {
    if (value.kind === 'rows') return value.rows.some((row) => hasUnoffered(row.values));
    return value.kind === 'text' && value.unoffered !== undefined;
  });
}

/** Refuses choices that are no longer offered, and that `current` does not hold. @throws UserError */
export function assertOffered(values: Values, current: Entry | null, context: WriteContext): void {
  assertNoneRefused(unofferedIn(values, current, context));
}

function unofferedIn(values: Values, current: Entry | null, context: WriteContext): readonly UserError[] {
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
