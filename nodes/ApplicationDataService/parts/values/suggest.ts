const LONGEST_COMPARED = 64;

/**
 * The candidate that a person most likely meant: the same except for case, width and spaces, else the one with the
 * fewest letters different, if no more than a third of them are. `undefined` when none is close.
 */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(text);
  if (wanted === '') return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const folded = fold(candidate);
    if (folded === '') continue;
    if (folded === wanted) return candidate;
    const distance = editDistance(wanted, folded, bestDistance - 1);
    // In a text of one letter, a different letter is a different text, not a typing error.
    if (distance < bestDistance && distance < Math.max(wanted.length, folded.length)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The nearest candidate of each text, in the form of one suggestion: quotation marks stand around the whole. */
export function nearestOfEach(texts: readonly string[], candidates: readonly string[]): string | undefined {
  const found = texts.flatMap((text) => nearest(text, candidates) ?? []);
  return found.length === 0 ? undefined : [...new Set(found)].join('", "');
}

function fold(text: string): string {
  return text
    .slice(0, LONGEST_COMPARED * 4)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, '');
}

/** The number of letters to insert, delete, replace or swap; `Infinity` if more than `most`. */
function editDistance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return Infinity;
  if (left.length > LONGEST_COMPARED || right.length > LONGEST_COMPARED) return Infinity;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const exchanged = cell(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      let cost = Math.min(exchanged, cell(previous, column) + 1, cell(current, column - 1) + 1);
      if (
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
      ) {
        cost = Math.min(cost, cell(beforePrevious, column - 2) + 1);
      }
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  const distance = cell(previous, right.length);
  return distance <= most ? distance : Infinity;
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
