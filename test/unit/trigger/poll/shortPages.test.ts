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
  ['brought nothing', (short: ShortPages) => short.came(3, 5, false)],
  ['belongs to another list', (short: ShortPages) => (short.begin(), short.came(3, 5, true))],
])('the next page shows nothing if it %s', (_, next) => {
  const short = new ShortPages();
  short.came(3, 5, true);
  next(short);
  expect(short.mayEnd(3, 5)).toBe(true);
});
