import { jsonList } from './lists';
import { isBlank, isMissing, isObject } from './shapes';

const NO_VALUE = /^\s*(null|undefined)\s*$/i;

/** Whether a language model, which must fill in every field, left this one empty. */
export function isOmitted(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => isOmitted(item) || isOmittedRow(item));
  if (typeof value !== 'string') return isBlank(value);
  const list = jsonList(value);
  return list === null ? isBlank(value) || NO_VALUE.test(value) : isOmitted(list);
}

/** Whether an item of a list is a form that was not filled in: an object without values, and without a name. */
export function isOmittedRow(item: unknown): boolean {
  return isObject(item) && Object.values(item).every(isOmitted);
}

/** Whether a value that is given is none, so that its part stays as it is. */
export function isLeftOut(value: unknown, emptyIsOmitted = false): boolean {
  return isMissing(value) || (emptyIsOmitted && isOmitted(value));
}
