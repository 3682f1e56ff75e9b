import { jsonList, splitText } from '../../parts/values/lists';
import { locatedIds } from '../../common/recordLocator';
import { isObject } from '../../parts/values/shapes';
import { readText } from '../../parts/values/wire';
import { UserError } from '../../util/userError';
import { assertExact, type Item } from '../run/item';

/**
 * The texts in a parameter that accepts several, without duplicates.
 * @throws as `severalOf`
 */
export function readSeveral(item: Item, name: string, textOf?: (each: unknown) => string): string[] {
  return severalOf(locatedIds(item.value(name, '')), { textOf });
}

interface SeveralOptions {
  /** Reads one of them; empty for none. */
  readonly textOf?: ((each: unknown) => string) | undefined;
  readonly separators?: RegExp;
}

/**
 * The texts in a value (separated text, an array, or JSON text of an array), without duplicates. By default they are
 * IDs.
 * @throws UserError for a number that JavaScript has rounded, and what `textOf` throws.
 */
export function severalOf(
  value: unknown,
  { textOf = idOf, separators = /,/ }: SeveralOptions = {},
): string[] {
  const given = typeof value === 'string' ? (jsonList(value) ?? value) : value;
  const several: readonly unknown[] = Array.isArray(given) ? given : [given];
  several.forEach(assertExact);
  return [...new Set(several.flatMap((each) => splitText(textOf(each), separators)))];
}

/**
 * The ID of a record, a row or a file: given alone, or as part of what was read.
 * @throws UserError for an object without an ID: passed over, it would mean fewer of them, or all.
 */
function idOf(given: unknown): string {
  const id = isObject(given) ? given.id : given;
  assertExact(id);
  const text = readText(id);
  if (text !== '' || typeof given !== 'object' || given === null) return text;
  throw new UserError(
    'One of the IDs is an object without an ID',
    'Use IDs, or records, rows or files as they were read, each with its "id".',
  );
}

/**
 * The ID of a record. What was read of a row or a file has an "id", too, but that is not the record's.
 * @throws UserError
 */
export function recordIdOf(given: unknown): string {
  if (!isObject(given) || !Object.hasOwn(given, 'recordId')) return idOf(given);
  throw new UserError(
    'One of the record IDs is a row or a file of a record',
    'Enter the ID of the record, e.g. {{ $json.recordId }}.',
  );
}
