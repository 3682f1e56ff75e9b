import type { GenericValue, IDataObject } from 'n8n-workflow';

import { isRounded } from './decimal';

export type SimplifiedValue = GenericValue | IDataObject | GenericValue[] | IDataObject[];

/** A record or a row, raw or simplified: values by key. */
export type Entry = Readonly<Record<string, unknown>>;

/** Whether a value is an object with keys (neither `null` nor an array). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value to write means "no value": `null`, `undefined` or empty text. */
export function isEmpty(value: unknown): value is null | undefined | '' {
  return value === null || value === undefined || value === '';
}

/** Whether a value means "no value" to a type whose values have no spaces: spaces alone do, too. */
export function isBlank(value: unknown): boolean {
  return isEmpty(value) || (typeof value === 'string' && value.trim() === '');
}

/** Whether an expression returned nothing, or a list of nothing else. Unlike "no value", that empties no part. */
export function isMissing(value: unknown): boolean {
  if (!Array.isArray(value)) return value === undefined;
  return value.length > 0 && Array.from<unknown>(value).every((each) => each === undefined);
}

/** Whether a text holds no half of a character, as one has that was cut by length. Such a half cannot be sent. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** The ID that the service gives a record, a row, a person or a file; empty if it lost digits on the way. */
export function readOneId(value: unknown): string {
  return isRounded(value) ? '' : readText(value);
}

export function asItCame(val: unknown): SimplifiedValue {
  return val ?? null;
}

/** An own value by a key that anybody may have chosen: `constructor` is no key of an object that does not hold it. */
export function ownValue<T>(holder: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that only looks like JSON is an ordinary value. Its codec checks it.
    return undefined;
  }
}

/** Sets an own property with any key. Assigning `__proto__` would replace the prototype instead. */
export function setOwn(target: IDataObject, key: string, value: SimplifiedValue | undefined): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** What `{ item: [...] }` holds. Clients have seen an object for a list of one, and an empty text for none. */
export function readItems(container: unknown): unknown[] {
  if (Array.isArray(container)) return container;
  if (typeof container !== 'object' || container === null) return [];
  const { item } = container as { item?: unknown };
  if (Array.isArray(item)) return item;
  return typeof item === 'object' && item !== null ? [item] : [];
}

/** A list that a part holds, e.g. `{users: {item: [...]}}`, with each object read; anything else as it came. */
export function readObjects(
  val: unknown,
  container: string,
  read: (item: Record<string, unknown>) => IDataObject,
): SimplifiedValue {
  if (isEmpty(val)) return [];
  if (!Array.isArray(val) && !isObject(val)) return asItCame(val);
  // Not added one by one: the engine would give each list room for many more, which all items then hold.
  const items = readItems(isObject(val) && container in val ? val[container] : val);
  return items.map((item) => (isObject(item) ? read(item) : asItCame(item)));
}

/** The text of a string, number or boolean; empty for anything else. */
export function readText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function readFlag(value: unknown): boolean {
  return value === 'on' || value === true;
}

/** The value in a part-value object; a bare value as it is (interface.md, "Part-value object keys"). */
export function valOf(value: unknown): unknown {
  return isObject(value) ? value.val : value;
}
