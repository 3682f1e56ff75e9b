import { likeness } from '../../../../nodes/ApplicationDataService/parts/values/likeness';

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
