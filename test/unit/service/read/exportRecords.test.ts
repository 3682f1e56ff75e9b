import {
  exportFileName,
  ExportTally,
  ndjsonFormat,
} from '../../../../nodes/ApplicationDataService/service/read/exportRecords';
import { makePart } from '../../parts/support/parts';

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

test.each([
  ['in every record', [{ Name: 'a' }, { Name: null }], []],
  ['in one record', [{}, { Name: 'a' }], []],
  ['in error', [{ partErrors: { Name: 'unauthorized' } }], []],
  ['in no record, as a generated number may be in a list', [{}, {}], ['Name']],
])('a part that is %s counts as missing or not', (_, records, missing) => {
  const parts = [
    makePart('id', { name: 'ID', system: true, readOnly: true }),
    makePart('textbox', { name: 'Name' }),
  ];
  const tally = new ExportTally(parts, 'name');
  for (const record of records) tally.add(record);
  expect([tally.count, [...tally.missing.values()].map(({ name }) => name)]).toEqual([
    records.length,
    missing,
  ]);
});
