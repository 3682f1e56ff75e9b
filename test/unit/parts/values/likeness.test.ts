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

test.each(
  (
    [
      ['gren', 'green'],
      ['GREEN', 'green'],
      ['yelow', 'Yellow'],
      ['bleu', 'blue'],
      ['ｂｌｕｅ', 'blue'],
      [' red ', 'red'],
      ['未対応 ', '未対応'],
      ['対応済', '対応済み'],
      ...['purple', '', ' ', 'x', 'redgreenblue'].map((text): [string, undefined] => [text, undefined]),
      // The most similar, and of equally similar ones the first.
      ['abcd', 'abcx', ['abxx', 'abcx', 'abcy']],
      // Another single letter is no typing error.
      ['x', undefined, ['y']],
      ['x', 'X', ['y', 'X']],
    ] as [string, string | undefined, string[]?][]
  ).map(([text, meant, among = COLORS]) => [text, meant, among] as const),
)('%j was meant as %j', (text, meant, among) => expect(nearest(text, among)).toBe(meant));

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
