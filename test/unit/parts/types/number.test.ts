import { makePart, readVal, refusalOf, writeText, suggestionIn } from '../support/parts';

const part = makePart('number', { id: '105', name: 'Price' });

test.each([
  ['1200', 1200],
  ['1,200', 1200],
  ['-1,234,567.5', -1234567.5],
  ['1.50', 1.5],
  [1200, 1200],
  [0, 0],
  ['0', 0],
  ['12345678901234567890', '12345678901234567890'],
  ['1,234,567,890,123,456,789', '1,234,567,890,123,456,789'],
  ['n/a', 'n/a'],
  ['', null],
])('reads %j as %j', (val, value) => expect(readVal(part, val)).toBe(value));

test.each([
  [1200, '1200'],
  [0, '0'],
  [-0.5, '-0.5'],
  [1e-7, '0.0000001'],
  [5n, '5'],
  ['1200', '1200'],
  ['1,200', '1200'],
  ['1,234,567,890,123,456,789', '1234567890123456789'],
  [' 12.50 ', '12.50'],
  ['', ''],
  ['  ', ''],
  [null, ''],
])('writes %p as %j', (value, text) => expect(writeText(part, value)).toBe(text));

test.each([
  ['abc', null],
  ['1,2', '1.2'],
  ['１２００', '1200'],
  ['¥1,200', '1200'],
  ['1 200', '1200'],
  ['12 %', '12'],
  ['1.234,50', '1234.50'],
  ['1.234.567', '1234567'],
  ["1'234.50", '1234.50'],
  ['Yes', null],
  [true, null],
  [NaN, null],
  [-Infinity, null],
  [[1], null],
  [{}, null],
  [new Date(0), null],
])('refuses %p and suggests %j', (value, suggestion) => {
  const refusal = refusalOf(() => writeText(part, value));
  expect(suggestionIn(refusal)).toBe(suggestion);
  expect(refusal.description).toContain('Accepted: a number, e.g. 1200 or 12.5.');
  expect(refusal.message).toMatch(/^Part "Price" \(ID 105\) does not accept .+: it is not a number$/);
});

it('says what is suggested', () => {
  const refusal = refusalOf(() => writeText(part, '1,2'));
  expect(refusal.message).toBe('Part "Price" (ID 105) does not accept "1,2": it is not a number');
  expect(refusal.description).toBe('Did you mean "1.2"? Accepted: a number, e.g. 1200 or 12.5.');
});

it('shortens long values', () => {
  const { message } = refusalOf(() => writeText(part, 'x'.repeat(10_000)));
  expect(message.length).toBeLessThan(150);
  expect(message).toContain('…');
});
