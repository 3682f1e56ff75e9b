import { assertWhole } from '../../../../nodes/ApplicationDataService/parts/model/errors';
import { makePart, refusalOf } from '../support/parts';

const part = makePart('textbox', { id: '101', name: 'Code' });

const ROUNDED = 12345678901234567890;

test.each([[ROUNDED], [[1, ROUNDED]], [{ a: 'x', b: [{ c: ROUNDED }] }]])(
  'a number that JavaScript has rounded is refused wherever it stands: %j',
  (value) => {
    expect(refusalOf(() => assertWhole(part, value)).message).toMatch(
      /^Part "Code" \(ID 101\) does not accept 1234567890123456\d+: it has more digits/,
    );
  },
);

test.each([[1], ['12345678901234567890'], [[1, 2.5]], [{ a: null }], [null]])(
  'others are not: %j',
  (value) => {
    expect(() => assertWhole(part, value)).not.toThrow();
  },
);
