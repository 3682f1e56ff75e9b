/**
 * Pairs rows with stored rows that contain them: as many as possible, each stored row with at most one row.
 * @param isHeld whether a stored row contains all values of a row.
 * @returns for each row, the index of its stored row; `null` if there is none.
 */
export function heldRows<R, S>(
  rows: readonly R[],
  stored: readonly S[],
  isHeld: (row: R, stored: S) => boolean,
): (number | null)[] {
  const rowAt = new Map<number, number>();
  const known = new Map<number, boolean>();
  const fits = (row: number, place: number): boolean => {
    const pair = row * stored.length + place;
    const held = known.get(pair) ?? isHeld(rows[row] as R, stored[place] as S);
    known.set(pair, held);
    return held;
  };
  // The row that has this stored row first looks for another one.
  const find = (row: number, seen: Set<number>): boolean => {
    for (const place of placesFrom(row, stored.length)) {
      if (seen.has(place) || !fits(row, place)) continue;
      seen.add(place);
      const other = rowAt.get(place);
      if (other !== undefined && !find(other, seen)) continue;
      rowAt.set(place, row);
      return true;
    }
    return false;
  };
  rows.forEach((_, row) => find(row, new Set()));
  const placeOf = new Map([...rowAt].map(([place, row]) => [row, place]));
  return rows.map((_, row) => placeOf.get(row) ?? null);
}

/** All indexes, the row's own first, because rows are usually in the same order. */
function* placesFrom(row: number, count: number): Generator<number> {
  for (let step = 0; step < count; step++) yield (row + step) % count;
}
