import { isObject } from './shapes';

/**
 * Tolerant reading of the service's JSON: the interface shows one form, clients have seen others.
 */

/**
 * The items of a `{ item: [...] }` container. A single object means a list of one; an empty string,
 * `null` or a missing container or `item` for an empty list.
 */
export function readItems(container: unknown): unknown[] {
  if (Array.isArray(container)) return container;
  if (typeof container !== 'object' || container === null) return [];
  const { item } = container as { item?: unknown };
  if (Array.isArray(item)) return item;
  return typeof item === 'object' && item !== null ? [item] : [];
}

/** The text of a string, number or boolean; empty for anything else. */
export function readText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** An `on`/`off` flag. */
export function readFlag(value: unknown): boolean {
  return value === 'on' || value === true;
}

/** The value in a part-value object; a bare value as it is (interface.md, "Part-value object keys"). */
export function valOf(value: unknown): unknown {
  return isObject(value) ? value.val : value;
}
