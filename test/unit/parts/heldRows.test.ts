import { heldRows } from '../../../nodes/ApplicationDataService/parts/heldRows';

/** Whether a stored row has all the values of a row. */
const isHeld = (row: string, stored: string): boolean => [...row].every((each) => stored.includes(each));

test.each<[string, string[], string[], (number | null)[]]>([
  ['the same', ['a', 'b'], ['a', 'b'], [0, 1]],
  ['another order', ['b', 'a'], ['a', 'b'], [1, 0]],
  ['one stored row for one row', ['a', 'a'], ['a', 'b'], [0, null]],
  ['equal rows', ['a', 'a'], ['a', 'a'], [0, 1]],
  ['one that only fits if another takes a different row', ['a', 'ab'], ['ab', 'ac'], [1, 0]],
  ['none', ['a'], [], [null]],
])('%s', (_, rows, stored, places) => {
  expect(heldRows(rows, stored, isHeld)).toEqual(places);
});

/** The highest possible number of pairs, found by trying all. */
function mostPairs(rows: readonly string[], stored: readonly string[]): number {
  const [first, ...others] = rows;
  if (first === undefined) return 0;
  const without = mostPairs(others, stored);
  return stored.reduce(
    (most, each, place) =>
      isHeld(first, each) ? Math.max(most, 1 + mostPairs(others, stored.toSpliced(place, 1))) : most,
    without,
  );
}

test('as many as possible, each stored row once, for any rows', () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 16_807) % 2_147_483_647) % below;
  const text = (length: number): string => Array.from({ length }, () => 'abc'[random(3)]).join('');
  for (let repetition = 0; repetition < 500; repetition++) {
    const rows = Array.from({ length: random(5) }, () => text(1 + random(2)));
    const stored = Array.from({ length: random(5) }, () => text(1 + random(3)));
    const places = heldRows(rows, stored, isHeld);
    const found = places.filter((place) => place !== null);
    expect(new Set(found).size).toBe(found.length);
    places.forEach((place, row) => expect(place === null || isHeld(rows[row]!, stored[place]!)).toBe(true));
    expect([rows, stored, found.length]).toEqual([rows, stored, mostPairs(rows, stored)]);
  }
});
