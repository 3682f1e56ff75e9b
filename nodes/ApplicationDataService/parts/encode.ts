import { asUserError, type UserError } from '../util/userError';
import { attempt } from '../util/concurrently';
import type { RowWrite, WriteContext, WriteValue } from './model/codec';
import { codecOf, isWritable } from './codecs';
import { assertNotRounded, givenTwice, PartLookupError, PartValuesError, refuseInRow } from './model/errors';
import { inputKey, outputKey, partKey } from './model/keys';
import { lookUpKey, lookUpPart, unknownPart } from './model/lookup';
import { assertAddressable, writerOf } from './model/obstacle';
import type { Part } from './model/part';
import { placeRows, storedRows, type StoredRow } from './placeRows';
import type { SimplifiedValue } from './values/shapes';
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
}

/**
 * The values of one item, part by part, in the order in which they were given. Keys are part IDs, names or identifiers;
 * `undefined` is no value at all.
 * @returns also the parts in the input that cannot be written and that an automatic mapping leaves out.
 * @throws UserError all refusals of the item: a single one unchanged, several as one PartValuesError.
 */
export function encodeValues(
  input: Readonly<Record<string, unknown>>,
  parts: readonly Part[],
  context: WriteContext,
  options: EncodeOptions = {},
): { readonly values: readonly EncodedPart[]; readonly passedOver: readonly Part[] } {
  // A list and a set, not a map: thousands of items are read like this.
  const values: EncodedPart[] = [];
  const given = new Set<Part>();
  const passedOver: Part[] = [];
  const refusals: UserError[] = [];
  const subjects: string[] = [];
  for (const key of Object.keys(input)) {
    const value = input[key];
    if (value === undefined || (context.emptyIsOmitted === true && isOmitted(value))) continue;
    try {
      const found = resolve(key, parts, context, options);
      if (found === null) continue;
      if (!('id' in found)) {
        passedOver.push(...found);
        continue;
      }
      if (given.has(found)) throw givenTwice(found, key);
      values.push({ part: found, value: encodeValue(found, value, parts, context) });
      given.add(found);
    } catch (error) {
      const refusal = asUserError(error);
      const about = lookUpPart(parts, key);
      if (!(about instanceof PartLookupError)) refusal.part ??= about.name;
      refusals.push(refusal);
      subjects.push(about instanceof PartLookupError ? key : about.name);
    }
  }
  // What is refused anyway is told with all its mistakes.
  if (refusals.length > 0) collectUnoffered(values, null, context, refusals, subjects);
  throwAll(refusals, subjects);
  return { values, passedOver: passedOver.length === 0 ? passedOver : [...new Set(passedOver)] };
}

function throwAll(refusals: readonly UserError[], subjects: readonly string[]): void {
  const [first] = refusals;
  if (first !== undefined) throw refusals.length === 1 ? first : new PartValuesError(refusals, subjects);
}

/**
 * Makes sure that choices which are no longer offered are written to a record that holds them only.
 * @param current the record, simplified; `null` for a new one.
 * @throws UserError
 */
export function assertOffered(
  values: readonly EncodedPart[],
  current: Readonly<Record<string, unknown>> | null,
  context: WriteContext,
): void {
  const refusals: UserError[] = [];
  const subjects: string[] = [];
  collectUnoffered(values, current, context, refusals, subjects);
  throwAll(refusals, subjects);
}

/** Whether a choice among the values is no longer offered. */
export function hasUnoffered(values: readonly EncodedPart[]): boolean {
  return values.some(({ value }) =>
    value.kind === 'rows'
      ? value.rows.some((row) => hasUnoffered(row.values))
      : value.kind === 'text' && value.assertOffered !== undefined,
  );
}

function collectUnoffered(
  values: readonly EncodedPart[],
  current: Readonly<Record<string, unknown>> | null,
  context: WriteContext,
  refusals: UserError[],
  subjects: string[],
): void {
  for (const { part, value } of values) {
    const held = current?.[outputKey(partKey(part, context.keyMode))] as SimplifiedValue | undefined;
    const checked = attempt(() => {
      if (value.kind === 'text') value.assertOffered?.(held);
      if (value.kind === 'rows') assertRowsOffered(part, value.rows, held, context);
    });
    if ('value' in checked) continue;
    refusals.push(asUserError(checked.error));
    subjects.push(part.name);
  }
}

/** Each row is held against the stored row that it stands for. */
function assertRowsOffered(
  table: Part,
  rows: readonly RowWrite[],
  stored: unknown,
  context: WriteContext,
): void {
  if (!rows.some((row) => hasUnoffered(row.values))) return;
  const placed = placeRows(rows, storedRows(stored) ?? [], context, () => true);
  for (const [index, row] of rows.entries())
    assertRowOffered(table, index, row, placed[index] ?? null, context);
}

/**
 * The same for one row.
 * @param index its place among the rows that were given.
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
  if (!hasUnoffered(row.values)) return;
  const checked = attempt(() => assertOffered(row.values, stored, context));
  if ('error' in checked) throw refuseInRow(table, index, asUserError(checked.error));
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
  const write = writerOf(part, codecOf(part));
  assertAddressable(part, siblings, context.keyMode);
  // Each value of a row is checked as the value of its part.
  if (part.children.length === 0) assertNotRounded(part, value);
  return write(value, part, context);
}

/**
 * The part that a key names; `null` for keys to skip: the nodes' own output keys, and unknown keys to be ignored. A
 * list: parts that cannot be written.
 */
function resolve(
  key: string,
  parts: readonly Part[],
  context: WriteContext,
  options: EncodeOptions,
): Part | readonly Part[] | null {
  const automatic = options.automatic === true;
  const name = automatic ? inputKey(key) : key;
  if (name === null) return null;
  const result = automatic ? lookUpKey(parts, name, context.keyMode) : ofMapping(key, parts);
  if (!(result instanceof PartLookupError)) {
    return automatic && !isWritable(result) ? [result] : result;
  }
  if (options.ignoreUnknown === true && result.matches.length === 0) return null;
  // If several parts match and none can be written, it does not matter which one was meant.
  if (automatic && result.matches.length > 0 && !result.matches.some(isWritable)) return result.matches;
  if (result.matches.length > 0) throw result;
  throw unknownPart(key, parts.filter(isWritable), {
    list: 'The parts that can be written are',
    advice: automatic
      ? 'Rename the keys of the input, or switch on the option "Ignore Unknown Keys".'
      : undefined,
  });
}

/** The part that a key of a mapping names: as it is, else as `<key> (part)`. */
function ofMapping(key: string, parts: readonly Part[]): Part | PartLookupError {
  const result = lookUpPart(parts, key);
  const name = inputKey(key);
  const other =
    result instanceof PartLookupError && result.matches.length === 0 && name !== null && name !== key;
  return other ? lookUpPart(parts, name) : result;
}
