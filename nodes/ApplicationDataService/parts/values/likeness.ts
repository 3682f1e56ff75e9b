import { canonicalDecimal, plainDecimal } from './decimal';
import { MAX_LISTED } from './describe';

/** Invisible characters: soft hyphen, zero-width spaces and joiners, byte order mark. */
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
/** Most keys: all that can differ is the case, or the form of a number. */
const SIMPLE = /^[!-~]*$/;

/** What a person sees in a text: without its width, case, spaces, or the form of a number. */
export function likeness(text: string): string {
  if (SIMPLE.test(text)) return plainDecimal(text) === null ? text.toLowerCase() : canonicalDecimal(text);
  const spaced = text.normalize('NFKC').replace(UNSEEN, '').trim().replace(/\s+/g, ' ');
  const decimal = plainDecimal(spaced.replaceAll(' ', ''));
  if (decimal !== null) return canonicalDecimal(decimal);
  // Via upper case, which unifies letters with several lower-case forms; before it, a capital sharp s becomes small.
  return spaced.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

const MAX_COMPARED = 64;

/** The candidate that was most likely meant: a third of its letters may differ. Only for messages: it looks at all. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(text);
  let best: string | undefined;
  let most = Math.max(1, Math.floor(wanted.length / 3));
  for (const candidate of candidates) {
    const folded = fold(candidate);
    if (folded === wanted && wanted !== '') return candidate;
    // In a text of one letter, a different letter is a different text, not a typing error.
    const limit = Math.min(most, Math.max(wanted.length, folded.length) - 1);
    if (wanted === '' || folded === '' || Math.abs(wanted.length - folded.length) > limit) continue;
    const distance = editDistance(wanted, folded);
    if (distance > limit) continue;
    best = candidate;
    most = distance - 1;
  }
  return best;
}

/** The nearest candidates of the first ten texts, as one suggestion: quotation marks stand around the whole. */
export function nearestOfEach(texts: readonly string[], candidates: readonly string[]): string | undefined {
  const suggestions = texts.slice(0, MAX_LISTED).flatMap((text) => nearest(text, candidates) ?? []);
  return suggestions.length === 0 ? undefined : [...new Set(suggestions)].join('", "');
}

function fold(text: string): string {
  const start = text.slice(0, MAX_COMPARED * 4).normalize('NFKC');
  return start.toLowerCase().replace(/\s+/gu, '').slice(0, MAX_COMPARED);
}

function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = above[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1);
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swapped = isSwapped ? before[column - 2]! + 1 : Infinity;
      current.push(Math.min(replaced, swapped, above[column]! + 1, current[column - 1]! + 1));
    }
    [before, above] = [above, current];
  }
  return above[right.length]!;
}
