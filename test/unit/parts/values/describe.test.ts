import {
  counted,
  describeExisting,
  describeList,
  shorten,
} from '../../../../nodes/ApplicationDataService/parts/values/describe';

const letters = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`);

test('a list names ten items, and counts the others', () => {
  expect(describeList(['red', 'blue'])).toBe('red, blue');
  expect(describeList(letters(10))).toBe(letters(10).join(', '));
  expect(describeList(letters(11))).toBe(`${letters(10).join(', ')}, … (1 more)`);
  expect(describeList(letters(3), 2)).toBe('a0, a1, … (1 more)');
});

test('long items are shortened, and characters of two units stay whole', () => {
  expect(shorten('abcd', 4)).toBe('abcd');
  expect(shorten('abcde', 4)).toBe('abc…');
  expect(shorten('𠮷𠮷𠮷', 3)).toBe('𠮷𠮷𠮷');
  expect(shorten('𠮷𠮷𠮷𠮷', 3)).toBe('𠮷𠮷…');
  expect(describeList(['x'.repeat(41)])).toBe(`${'x'.repeat(39)}…`);
});

test('what is there is said, also that there is nothing', () => {
  expect(describeExisting('rows', [])).toBe('It has no rows.');
  expect(describeExisting('files', ['1', '2'])).toBe('Its files are: 1, 2.');
});

test.each([
  [counted(0, 'record'), '0 records'],
  [counted(1, 'record'), '1 record'],
  [counted(2, 'record'), '2 records'],
  [counted(1, 'file was', 'files were'), '1 file was'],
  [counted(3, 'file was', 'files were'), '3 files were'],
])('%s', (text, expected) => {
  expect(text).toBe(expected);
});
