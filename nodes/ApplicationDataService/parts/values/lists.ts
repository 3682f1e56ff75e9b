import { exactNumber } from './decimal';
import { parseJson } from './shapes';

export function jsonList(text: string): unknown[] | null {
  const parsed = text.trimStart().startsWith('[') ? givenJson(text) : null;
  return Array.isArray(parsed) ? parsed : null;
}

export function jsonOrValue(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  return givenJson(value) ?? value;
}

/** The value of JSON text that somebody gave, with all digits of its numbers: as text, where JavaScript would round. */
export function givenJson(text: string): unknown {
  const value = parseJson(text);
  return value === undefined || !/[\d.]{16}|\d[eE]/.test(text) ? value : parseJson(withExactNumbers(text));
}

const NUMBER = /-?\d[\d.eE+-]*/g;

/** With numbers that would be rounded as texts. A pattern that steps over texts would need too deep a stack. */
function withExactNumbers(text: string): string {
  let isText = false;
  const pieces = text.split('"').map((piece) => {
    const quoted = (number: string): string => (exactNumber(number) === null ? `"${number}"` : number);
    const written = isText ? piece : piece.replace(NUMBER, quoted);
    // A quotation mark after a backslash belongs to the text, unless that is escaped itself.
    let end = piece.length;
    while (piece[end - 1] === '\\') end--;
    if (!isText || (piece.length - end) % 2 === 0) isText = !isText;
    return written;
  });
  return pieces.join('"');
}

/** Between several values in a typed text, where a comma may stand within one. */
export const LINES = /[\t\r\n]+/;

export function splitText(text: string, separators: RegExp): string[] {
  return text
    .split(separators)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
