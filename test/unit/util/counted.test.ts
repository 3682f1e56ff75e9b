import { counted } from '../../../nodes/ApplicationDataService/util/counted';

test.each([
  [counted(0, 'record'), '0 records'],
  [counted(1, 'record'), '1 record'],
  [counted(2, 'record'), '2 records'],
  [counted(1, 'file was', 'files were'), '1 file was'],
  [counted(3, 'file was', 'files were'), '3 files were'],
])('%s', (text, expected) => {
  expect(text).toBe(expected);
});
