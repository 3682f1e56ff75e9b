import {
  exportFileName,
  ndjsonFormat,
} from '../../../../nodes/ApplicationDataService/service/read/exportRecords';

test.each([
  ['Orders', 'Orders.ndjson'],
  ['a/b:c', 'a_b_c.ndjson'],
  ['inv\u202ecod.exe', 'invcod.exe.ndjson'],
  ['  ', 'export.ndjson'],
])('%j is written to a file with a safe name', (name, expected) => {
  expect(exportFileName(name, ndjsonFormat)).toBe(expected);
});

test('a long name is cut, in whole characters', () => {
  expect(exportFileName('😀'.repeat(100), ndjsonFormat)).toBe(`${'😀'.repeat(60)}.ndjson`);
});
