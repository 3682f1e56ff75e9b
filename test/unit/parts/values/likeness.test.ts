import fc from 'fast-check';

import { likeness, nearest } from '../../../../nodes/ApplicationDataService/parts/values/likeness';

test.each([
  ['Bolt', 'BOLT'],
  ['Bolt', ' Bolt　'],
  ['Bolt M8', 'Bolt \t M8'],
  ['Bolt', 'Ｂｏｌｔ'],
  ['ボルト', 'ﾎﾞﾙﾄ'],
  ['Straße', 'STRASSE'],
  ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
  ['Bolt', 'Bo\u200blt'],
  ['é', 'e\u0301'],
  ['7', '007'],
  ['7', '７.0'],
  ['1200', '1,200'],
  ['1200', '1 200'],
  ['-0.50', '-.5'],
])('%j is like %j', (one, other) => {
  expect(likeness(one)).toBe(likeness(other));
});

test.each([
  ['Bolt', 'Bolts'],
  ['A1', 'A-1'],
  ['7', '70'],
  ['AB', 'A B'],
  ['', '0'],
  ['7', '-7'],
])('%j is not like %j', (one, other) => {
  expect(likeness(one)).not.toBe(likeness(other));
});

test('similar texts stay similar', () => {
  for (const text of ['Bolt', 'Ｂｏｌｔ', '007', 'ẞ', 'İ', 'ﬁ', '１，２００']) {
    expect(likeness(likeness(text))).toBe(likeness(text));
  }
});

const COLORS = ['red', 'green', 'blue', 'Yellow', '未対応', '対応済み'];

test.each([
  ['gren', 'green'],
  ['GREEN', 'green'],
  ['yelow', 'Yellow'],
  ['bleu', 'blue'],
  ['ｂｌｕｅ', 'blue'],
  [' red ', 'red'],
  ['未対応 ', '未対応'],
  ['対応済', '対応済み'],
])('%j was meant as %j', (text, meant) => expect(nearest(text, COLORS)).toBe(meant));

test.each(['purple', '', ' ', 'x', 'redgreenblue'])('%j is similar to nothing', (text) =>
  expect(nearest(text, COLORS)).toBeUndefined(),
);

it('prefers the most similar, and of equally similar ones the first', () => {
  expect(nearest('abcd', ['abxx', 'abcx', 'abcy'])).toBe('abcx');
});

it('does not treat another single letter as a typing error', () => {
  expect(nearest('x', ['y'])).toBeUndefined();
  expect(nearest('x', ['y', 'X'])).toBe('X');
});

it('answers quickly for long texts', () => {
  const long = 'x'.repeat(100_000);
  expect(nearest(long, [`${long}y`, 'x'])).toBe(`${long}y`);
});

it('only suggests candidates', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (text, candidates) => {
      const found = nearest(text, candidates);
      expect(found === undefined || candidates.includes(found)).toBe(true);
    }),
  );
});
