import { parseJson } from './shapes';

/**
 * The items of a list, of JSON text of one, or of a text with one item per line or with separators.
 * `null` if it is neither a list nor text.
 */
export function readList(value: unknown, separators: RegExp): readonly unknown[] | null {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value !== 'string') return null;
  return jsonList(value) ?? splitText(value, separators);
}

/** The array that a JSON text holds; `null` for any other text. */
export function jsonList(text: string): unknown[] | null {
  if (!text.trimStart().startsWith('[')) return null;
  const parsed = parseJson(text);
  return Array.isArray(parsed) ? parsed : null;
}

/** The items between separators, without the spaces around them; empty items are left out. */
export function splitText(text: string, separators: RegExp): string[] {
  return text
    .split(separators)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
