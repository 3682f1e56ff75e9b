import { exactNumber } from './decimal';
import { parseJson } from './shapes';

/** The array that a JSON text holds; `null` for any other text. */
export function jsonList(text: string): unknown[] | null {
  if (!text.trimStart().startsWith('[')) return null;
  const parsed = givenJson(text);
  return Array.isArray(parsed) ? parsed : null;
}

/** The list or the object that a JSON text holds; any other value unchanged. */
export function jsonOrValue(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return givenJson(value) ?? value;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * The value of JSON text that somebody gave; `undefined` for text that is not JSON. A number that JavaScript would
 * round becomes a text with all its digits.
 */
export function givenJson(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined || !/[\d.]{16}|\d[eE]/.test(text)) return value;
  const isExact = (token: string): boolean => token.startsWith('"') || exactNumber(token) !== null;
  return parseJson(text.replace(TOKEN, (token) => (isExact(token) ? token : `"${token}"`)));
}

/** The items between separators, without the spaces around them; empty items are left out. */
export function splitText(text: string, separators: RegExp): string[] {
  return text
    .split(separators)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
