import { makePart, readVal, refusalOf, writeText } from '../support/parts';

const part = makePart('time', { id: '106', name: 'Length' });

test.each([
  [0, '00:00:00'],
  ['0', '00:00:00'],
  [34_205, '09:30:05'],
  ['34,205', '09:30:05'],
  [86_399, '23:59:59'],
  ['90000', '25:00:00'],
  [3_600_000, '1000:00:00'],
  ['', null],
  [-1, -1],
  [1.5, 1.5],
  ['09:30', '09:30'],
])('reads %j as %j', (val, value) => expect(readVal(part, val)).toBe(value));

test.each([
  ['09:30', '34200'],
  ['9:30', '34200'],
  ['09:30:05', '34205'],
  ['25:00:00', '90000'],
  ['1000:00:00', '3600000'],
  ['00:00', '0'],
  [' 09:30 ', '34200'],
  [34_205, '34205'],
  ['34205', '34205'],
  [0, '0'],
  [null, ''],
  ['', ''],
])('writes %j as %j', (value, text) => expect(writeText(part, value)).toBe(text));

test.each([
  ['9:30 pm'],
  ['12:15 AM'],
  ['12 p.m.'],
  ['９：３０'],
  ['09:60'],
  ['09:30:60'],
  ['9.30'],
  ['noon'],
  [-1],
  [1.5],
  [1e21],
  ['-09:30'],
  ['99999999999999999999'],
  [true],
  [new Date(0)],
  [['09:30']],
])('refuses %p', (value) => {
  const refusal = refusalOf(() => writeText(part, value));
  expect(refusal.message).toMatch(/^Part "Length" \(ID 106\) does not accept .+: it is not a time$/);
});
