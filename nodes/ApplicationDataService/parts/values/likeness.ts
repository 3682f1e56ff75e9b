import { canonicalDecimal, plainDecimal } from './decimal';
import { MAX_LISTED } from './describe';

/** Invisible characters: soft hyphen, zero-width spaces and joiners, byte order mark. */
const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;

/**
 * The same text for texts that look the same to a person: full-width or half-width (NFKC), in upper or lower case, with
 * different spaces, or another form of the same number, e.g. `007`, `7` and `７.0`.
 */
export function likeness(text: string): string {
  const spaced = text.normalize('NFKC').replace(UNSEEN, '').trim().replace(/\s+/g, ' ');
  const decimal = plainDecimal(spaced.replaceAll(' ', ''));
  if (decimal !== null) return canonicalDecimal(decimal);
  // Via upper case, which unifies letters with several lower-case forms; before it, a capital sharp s becomes small.
  return spaced.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
}

const MAX_COMPARED = 64;

/**
 * The candidate that a person most likely meant: the same except for case, width and spaces, else the one with the
 * fewest letters different, if no more than a third of them are. `undefined` when none is close. Only for a message
 * that is told: it looks at each candidate.
 */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(text);
  if (wanted === '') return undefined;
  let best: string | undefined;
  let most = Math.max(1, Math.floor(wanted.length / 3));
  for (const candidate of candidates) {
    const folded = fold(candidate);
    if (folded === wanted) return candidate;
    // In a text of one letter, a different letter is a different text, not a typing error.
    const limit = Math.min(most, Math.max(wanted.length, folded.length) - 1);
    const distance = editDistance(wanted, folded, limit);
    if (folded === '' || distance > limit) continue;
    best = candidate;
    most = distance - 1;
  }
  return best;
}

/** The nearest candidates of the first ten texts, as one suggestion: quotation marks stand around the whole. */
export function nearestOfEach(texts: readonly string[], candidates: readonly string[]): string | undefined {
  const found = texts.slice(0, MAX_LISTED).flatMap((text) => nearest(text, candidates) ?? []);
  return found.length === 0 ? undefined : [...new Set(found)].join('", "');
}

function fold(text: string): string {
  const start = text.slice(0, MAX_COMPARED * 4).normalize('NFKC');
  return start.toLowerCase().replace(/\s+/gu, '');
}

/** The number of letters to insert, delete, replace or swap; `Infinity` as soon as it is more than `most`. */
function editDistance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return Infinity;
  if (left.length > MAX_COMPARED || right.length > MAX_COMPARED) return Infinity;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  let leastBefore = 0;
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column++) {
      const replaced = cell(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      let cost = Math.min(replaced, cell(previous, column) + 1, cell(current, column - 1) + 1);
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        cost = Math.min(cost, cell(beforePrevious, column - 2) + 1);
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (Math.min(least, leastBefore) > most) return Infinity;
    leastBefore = least;
    beforePrevious = previous;
    previous = current;
  }
  return cell(previous, right.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
