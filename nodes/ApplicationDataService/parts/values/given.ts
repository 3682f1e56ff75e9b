import { exactNumber } from './decimal';
import { isBlank, isMissing, isObject, parseJson } from './shapes';

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
