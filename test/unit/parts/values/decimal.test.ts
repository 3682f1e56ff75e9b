import fc from 'fast-check';

import {
  exactNumber,
  plainDecimal,
  readInteger,
} from '../../../../nodes/ApplicationDataService/parts/values/decimal';

describe('plainDecimal', () => {
  it.each([
    ['1200', '1200'],
    ['1,200', '1200'],
    ['-1,234,567.890', '-1234567.890'],
    [' +5 ', '5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['1e3', '1000'],
    ['1.5E+3', '1500'],
    ['1e-7', '0.0000001'],
    ['-1.25e-1', '-0.125'],
    ['1e+21', '1000000000000000000000'],
    ['007', '007'],
    ['12345678901234567890.10', '12345678901234567890.10'],
  ])('%s is %s', (text, decimal) => expect(plainDecimal(text)).toBe(decimal));

  it.each([
    ...['', ' ', '.', '-', 'e5', '0,123', '1,2', '1,20', '12,34,567', '1.2.3', '0x10', '1 200', 'NaN'],
    ...['Infinity', '１２', '1e9999', '--1'],
  ])('%j is no number', (text) => expect(plainDecimal(text)).toBeNull());

  it('keeps the value of every JavaScript number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const decimal = plainDecimal(String(number));
        expect(decimal).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Number(decimal) === number).toBe(true);
      }),
    );
  });
});

describe('exactNumber', () => {
  it.each([
    ['1,200', 1200],
    ['1.50', 1.5],
    ['-0', 0],
    ['0.1', 0.1],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%s is %d', (text, number) => expect(exactNumber(text)).toBe(number));

  it.each([
    ...['9007199254740992', '1000000000000000000000', '9007199254740993', '12345678901234567890'],
    ...['0.1000000000000000055511151231257827', 'abc', ''],
  ])('%j is no number that JavaScript can represent exactly', (text) => expect(exactNumber(text)).toBeNull());

  it('reads every finite number from its own text, with and without separators', () => {
    fc.assert(
      fc.property(fc.integer(), (number) => {
        expect(exactNumber(String(number))).toBe(number);
        expect(exactNumber(number.toLocaleString('en-US'))).toBe(number);
      }),
    );
  });
});

test.each([
  ['12', 12],
  [12, 12],
  ['1,200', 1200],
  ['1.5', null],
  [1.5, null],
  [NaN, null],
  ['', null],
  [null, null],
  [{}, null],
])('readInteger(%j) is %j', (value, integer) => expect(readInteger(value)).toBe(integer));
