import { assertWhole } from '../../../../nodes/ApplicationDataService/parts/model/errors';
import { makePart, refusalOf } from '../support/parts';

const part = makePart('textbox', { id: '101', name: 'Code' });

const ROUNDED = 12345678901234567890;

test.each([
  ['has more digits', ROUNDED],
  ['has more digits', [1, ROUNDED]],
  ['has more digits', { a: 'x', b: [{ c: ROUNDED }] }],
  ['holds half a character', 'a\ud83d'],
  ['holds half a character', [{ a: ['\udc00'] }]],
])('what lost something is refused wherever it stands: it %s in %j', (what, value) => {
  const { message } = refusalOf(() => assertWhole(part, value));
  expect(message).toMatch(new RegExp(`^Part "Code" \\(ID 101\\) does not accept .+: it ${what}`));
});

test.each([[1], ['12345678901234567890'], ['a😀'], [[1, 2.5]], [{ a: null }], [null]])(
  'others are not: %j',
  (value) => {
    expect(() => assertWhole(part, value)).not.toThrow();
  },
);
