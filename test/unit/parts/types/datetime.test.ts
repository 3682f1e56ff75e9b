import { makePart, readVal, refusalOf, TOKYO, write, writeText } from '../support/parts';

const part = makePart('datetime', { id: '104', name: 'Start' });

test.each([
  ['2026-03-01T09:30', '2026-03-01T09:30'],
  [{ year: 2026, month: 3, day: 1, hour: 9, minute: 5 }, '2026-03-01T09:05'],
  [
    { year: 2026, month: 3, day: 1 },
    { year: 2026, month: 3, day: 1 },
  ],
  ['', null],
])('reads %j as %j', (val, value) => expect(readVal(part, val)).toEqual(value));

test.each([
  ['2026-03-01T09:30', '2026-03-01T09:30'],
  ['2026-03-01T09:30:59', '2026-03-01T09:30'],
  ['2026-03-01', '2026-03-01T00:00'],
  ['2026-03-01T00:30:00Z', '2026-03-01T09:30'],
  ['2026-03-01T00:30:00+09:00', '2026-03-01T00:30'],
  [new Date('2026-03-01T00:30:00Z'), '2026-03-01T09:30'],
  [{ toMillis: () => Date.UTC(2026, 2, 1, 0, 30) }, '2026-03-01T09:30'],
  [null, ''],
  ['', ''],
])('writes %p in Tokyo as %j', (value, text) => expect(writeText(part, value)).toBe(text));

it('says when it converted', () => {
  expect(write(part, '2026-03-01T09:30')).not.toHaveProperty('converted');
  expect(write(part, new Date(0))).toHaveProperty('converted', true);
});

test.each([['2026/3/1 9:00'], ['2026-03-01T25:00'], ['now'], [0], [{}]])('refuses %j', (value) => {
  expect(refusalOf(() => writeText(part, value)).message).toContain(': it ');
});

it('names a zone that does not exist', () => {
  const refusal = refusalOf(() => writeText(part, '2026-03-01T00:00Z', { ...TOKYO, timezone: 'Nowhere' }));
  expect(refusal.message).toContain('time zone "Nowhere"');
});
