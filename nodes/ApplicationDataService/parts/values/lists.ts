import { exactNumber } from './decimal';
import { parseJson } from './shapes';

/** The array that a JSON text holds; `null` for any other text. */
export function jsonList(text: string): unknown[] | null {
  const parsed = text.trimStart().startsWith('[') ? givenJson(text) : null;
  return Array.isArray(parsed) ? parsed : null;
}

/** The list or the object that a JSON text holds; any other value unchanged. */
export function jsonOrValue(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return givenJson(value) ?? value;
}

/**
 * The value of JSON text that somebody gave; `undefined` for text that is not JSON. A number that JavaScript would
 * round becomes a text with all its digits.
 */
export function givenJson(text: string): unknown {
  const value = parseJson(text);
  return value === undefined || !/[\d.]{16}|\d[eE]/.test(text) ? value : parseJson(withExactNumbers(text));
}

const NUMBER = /-?\d[\d.eE+-]*/g;

/**
 * Valid JSON text with quotation marks around each number that would be rounded. Its texts are stepped over, not
 * matched: a pattern for them needs a stack as deep as a text is long.
 */
function withExactNumbers(text: string): string {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const opening = text.indexOf('"', start);
    const end = opening < 0 ? text.length : opening;
    pieces.push(text.slice(start, end).replace(NUMBER, quotedIfRounded));
    start = opening < 0 ? end : endOfText(text, opening);
    pieces.push(text.slice(end, start));
  }
  return pieces.join('');
}

function quotedIfRounded(number: string): string {
  return exactNumber(number) === null ? `"${number}"` : number;
}

/** Where the JSON text that begins at a quotation mark is over. */
function endOfText(text: string, opening: number): number {
  let closing = text.indexOf('"', opening + 1);
  while (closing >= 0 && isEscaped(text, closing)) closing = text.indexOf('"', closing + 1);
  return closing < 0 ? text.length : closing + 1;
}

function isEscaped(text: string, index: number): boolean {
  let before = index;
  while (text[before - 1] === '\\') before--;
  return (index - before) % 2 === 1;
}

/** Between several values in a typed text, where a comma may stand within one. */
export const LINES = /[\t\r\n]+/;

/** The items between separators, without the spaces around them; empty items are left out. */
export function splitText(text: string, separators: RegExp): string[] {
  return text
    .split(separators)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
