import { makePart, readVal, refusalOf, writeText, suggestionIn } from '../support/parts';

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
  ['9:30 pm', '21:30'],
  ['12:15 AM', '00:15'],
  ['12 p.m.', '12:00'],
  ['９：３０', '9:30'],
  ['09:60', null],
  ['09:30:60', null],
  ['9.30', null],
  ['noon', null],
  [-1, null],
  [1.5, null],
  [1e21, null],
  ['-09:30', null],
  ['99999999999999999999', null],
  [true, null],
  [new Date(0), null],
  [['09:30'], null],
])('refuses %p and suggests %j', (value, suggestion) => {
  const refusal = refusalOf(() => writeText(part, value));
  expect(suggestionIn(refusal)).toBe(suggestion);
  expect(refusal.message).toMatch(/^Part "Length" \(ID 106\) does not accept .+: it is not a time$/);
});
