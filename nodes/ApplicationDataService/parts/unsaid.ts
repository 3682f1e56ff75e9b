import { isBlank } from './shapes';

/** Words a language model writes where it has nothing to say. */
const NO_VALUE = /^\s*(null|undefined)\s*$/i;

/** Whether a value, given by a language model that must fill in every field, says nothing. */
export function isUnsaid(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isBlank(value) || (typeof value === 'string' && (NO_VALUE.test(value) || value.trim() === '[]'));
}
