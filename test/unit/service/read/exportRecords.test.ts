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

test('a name keeps to 200 bytes, in whole characters', () => {
  const name = exportFileName('あ😀'.repeat(100), ndjsonFormat);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
  expect(Buffer.byteLength(name)).toBeGreaterThan(190);
  expect(name).not.toContain('\ufffd');
});
