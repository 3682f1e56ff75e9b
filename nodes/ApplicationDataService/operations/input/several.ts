import { UserError } from '../../util/userError';
import { jsonList, splitText } from '../../parts/values/lists';
import { readText } from '../../parts/values/wire';
import type { ItemRun } from '../run/itemRun';

/**
 * Texts in a parameter that takes several, separated by commas, as an array or as JSON text of one; each once.
 * @throws UserError for a number that is not the one that was given.
 */
export function readSeveral(item: ItemRun, name: string): string[] {
  const value = item.value(name, '');
  const given = typeof value === 'string' ? (jsonList(value) ?? value) : value;
  const several: readonly unknown[] = Array.isArray(given) ? given : [given];
  several.forEach(assertExact);
  return [...new Set(several.flatMap((each) => splitText(readText(each), /,/)))];
}

/** A large number was rounded before it came here, and may by now be the ID of something else. */
function assertExact(value: unknown): void {
  if (typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return;
  throw new UserError(
    'An ID is too large to be given as a number',
    'Give it as text: between quotation marks, or as text with commas and without brackets.',
  );
}
