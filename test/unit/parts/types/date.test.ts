import { makePart, readVal, refusalOf, TOKYO, write, writeText } from '../support/parts';

const part = makePart('date', { id: '103', name: 'Due' });
const newYork = { ...TOKYO, timezone: 'America/New_York' };

test.each([
  ['2026-03-01', '2026-03-01'],
  [{ year: 2026, month: 3, day: 1 }, '2026-03-01'],
  [{ year: '2026', month: '03', day: '01' }, '2026-03-01'],
  [{ year: 987, month: 12, day: 31 }, '0987-12-31'],
  [{ year: '', month: '', day: '' }, null],
  [{}, null],
  ['', null],
  ['2026/03/01', '2026/03/01'],
  [{ year: 2026 }, { year: 2026 }],
  [
    { year: 'MMXXVI', month: 3, day: 1 },
    { year: 'MMXXVI', month: 3, day: 1 },
  ],
  [{ other: 1 }, { other: 1 }],
])('reads %j as %j', (val, value) => expect(readVal(part, val)).toEqual(value));

test.each([
  ['2026-03-01', '2026-03-01'],
  ['2026-03-01T23:59', '2026-03-01'],
  ['2026-02-28T20:00:00Z', '2026-03-01'],
  [new Date('2026-02-28T20:00:00Z'), '2026-03-01'],
  [{ toMillis: () => Date.UTC(2026, 1, 28, 20) }, '2026-03-01'],
  ['0999-01-01', '0999-01-01'],
  [null, ''],
  ['', ''],
  [' ', ''],
])('writes %p in Tokyo as %j', (value, text) => expect(writeText(part, value)).toBe(text));

it('uses the local date of the time zone, on both sides of a clock change', () => {
  expect(writeText(part, '2026-03-08T04:59Z', newYork)).toBe('2026-03-07');
  expect(writeText(part, '2026-03-08T05:00Z', newYork)).toBe('2026-03-08');
  expect(writeText(part, '2026-03-09T03:59Z', newYork)).toBe('2026-03-08');
  expect(writeText(part, '2026-03-09T04:00Z', newYork)).toBe('2026-03-09');
  expect(writeText(part, '2026-11-02T04:59Z', newYork)).toBe('2026-11-01');
  expect(writeText(part, '2026-11-02T05:00Z', newYork)).toBe('2026-11-02');
});

it('says when it converted', () => {
  expect(write(part, '2026-03-01')).toEqual({ kind: 'text', text: '2026-03-01' });
  expect(write(part, '2026-03-01T00:00Z')).toEqual({ kind: 'text', text: '2026-03-01', converted: true });
  expect(write(part, '2026-03-01T20:00Z')).toMatchObject({ text: '2026-03-02', doubt: 'day' });
});

test.each([
  ['2026/3/1'],
  ['2026/3/1 9:00'],
  ['2026-02-30'],
  ['yesterday'],
  [20260301],
  [true],
  [['2026-03-01']],
  [{ year: 2026, month: 3, day: 1 }],
])('refuses %j', (value) => {
  const refusal = refusalOf(() => writeText(part, value));
  expect(refusal.message).toMatch(/^Part "Due" \(ID 103\) does not accept .+: it /);
});
