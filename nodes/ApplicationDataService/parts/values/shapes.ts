import type { GenericValue, IDataObject } from 'n8n-workflow';

/** What a part value is in an n8n item: plain JSON. */
export type SimplifiedValue = GenericValue | IDataObject | GenericValue[] | IDataObject[];

/** Whether a value is an object with keys (neither `null` nor an array). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value to write means "no value": `null`, `undefined` or the empty text. */
export function isEmpty(value: unknown): value is null | undefined | '' {
  return value === null || value === undefined || value === '';
}

/** The same for types whose values hold no spaces: spaces alone mean "no value", too. */
export function isBlank(value: unknown): boolean {
  return isEmpty(value) || (typeof value === 'string' && value.trim() === '');
}

/** A `val` of a shape that no rule covers: returned as it is rather than lost. */
export function asItCame(val: unknown): SimplifiedValue {
  return val ?? null;
}

/** The value that JSON text stands for; `undefined` for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that merely looks like JSON is a value like any other; its codec judges it.
    return undefined;
  }
}

/** Sets an own property whatever the key: assigning `__proto__` would exchange the prototype instead. */
export function setOwn(target: IDataObject, key: string, value: SimplifiedValue | undefined): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}
