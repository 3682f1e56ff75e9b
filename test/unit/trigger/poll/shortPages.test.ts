import { ShortPages } from '../../../../nodes/ApplicationDataService/trigger/poll/shortPages';

test('a page shorter than requested ends a list', () => {
  const short = new ShortPages();
  expect(short.mayEnd(3, 5)).toBe(true);
  expect(short.mayEnd(5, 5)).toBe(false);
});

test('one as long as a page that was followed by more does not', () => {
  const short = new ShortPages();
  short.came(3, 5, true);
  short.came(3, 5, true);
  expect(short.mayEnd(3, 5)).toBe(false);
  expect(short.mayEnd(4, 5)).toBe(false);
  expect(short.mayEnd(2, 5)).toBe(true);
  expect(short.mayEnd(0, 5)).toBe(true);
});

test.each([
  ['returned nothing', (short: ShortPages) => short.came(3, 5, false)],
  ['belongs to another list', (short: ShortPages) => (short.begin(), short.came(3, 5, true))],
])('the next page shows nothing if it %s', (_, next) => {
  const short = new ShortPages();
  short.came(3, 5, true);
  next(short);
  expect(short.mayEnd(3, 5)).toBe(true);
});

test('a longer page shows that it was no limit', () => {
  const short = new ShortPages();
  short.came(3, 5, true);
  short.came(3, 5, true);
  short.came(4, 5, false);
  expect(short.mayEnd(4, 5)).toBe(true);
});

describe('a page that may have been cut by the service', () => {
  const READS = Array.from({ length: 21 }, (_, index) => index);
  const proofs = (length: number): readonly number[] => {
    const short = new ShortPages();
    return READS.filter(() => {
      short.begin();
      short.came(length, 5000, false);
      const mustProve = short.mustProve(length);
      if (mustProve) short.came(length / 2, 5000, false);
      return mustProve;
    });
  };

  test.each([50, 64, 100, 1000])(
    'proves that it is the last one, and again after some polls: %i',
    (length) => {
      expect(proofs(length)).toEqual([0, 10, 20]);
    },
  );

  test.each([0, 1, 49, 51, 63, 99, 1001])('is none of %i records', (length) => {
    expect(proofs(length)).toEqual([]);
  });

  test('is none that is shorter than another one', () => {
    const short = new ShortPages();
    short.came(117, 5000, false);
    short.came(100, 5000, false);
    expect(short.mustProve(100)).toBe(false);
  });
});
