import { jsonList } from '../values/lists';
import { isEmpty, isObject } from '../values/shapes';
import { readText } from '../values/wire';

/**
 * The values of a condition: one value, a list, JSON text of a list, or a text with one value per line or separated by
 * tabs. Empty ones are left out.
 */
export function givenItems(value: unknown): readonly unknown[] {
  return itemsOf(value).filter((item) => !isEmpty(item));
}

function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? (jsonList(value) ?? value.split(/[\t\r\n]+/)) : [value];
}

/** The id or name of a user, group or file as a read returns it; `null` for anything else. */
export function memberText(item: unknown, byId: boolean): string | null {
  if (!isObject(item) || !('id' in item || 'name' in item)) return null;
  return readText(byId ? item.id : item.name);
}
