import { jsonList, splitText } from '../../parts/values/lists';
import { isObject } from '../../parts/values/shapes';
import { readText } from '../../parts/values/wire';
import { UserError } from '../../util/userError';
import { assertExact, type Item } from '../run/item';

/**
 * The texts in a parameter that accepts several, without duplicates.
 * @throws as `severalOf`
 */
export function readSeveral(item: Item, name: string, textOf?: (each: unknown) => string): string[] {
  return severalOf(item.value(name, ''), { textOf });
}

interface SeveralOptions {
  /** Reads one of them; empty for none. */
  readonly textOf?: ((each: unknown) => string) | undefined;
  readonly separators?: RegExp;
}

/**
 * The texts in a value (separated text, an array, or JSON text of an array), without duplicates.
 * @throws UserError for a number that JavaScript has rounded.
 */
export function severalOf(
  value: unknown,
  { textOf = readText, separators = /,/ }: SeveralOptions = {},
): string[] {
  const given = typeof value === 'string' ? (jsonList(value) ?? value) : value;
  const several: readonly unknown[] = Array.isArray(given) ? given : [given];
  several.forEach(assertExact);
  return [...new Set(several.flatMap((each) => splitText(textOf(each), separators)))];
}

/**
 * The ID of a file, given alone or as part of a file that was read.
 * @throws UserError for an object without an ID: treated as empty, it would mean all files.
 */
export function fileId(given: unknown): string {
  const id = isObject(given) ? given.id : given;
  assertExact(id);
  const text = readText(id);
  if (text !== '' || typeof given !== 'object' || given === null) return text;
  throw new UserError(
    'An attachment ID is an object without an ID',
    'Use IDs, or files as Get returns them, each with its "id".',
  );
}
