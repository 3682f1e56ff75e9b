import { rowOf } from './support/rows';
import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace(null);

interface StoredRow {
  readonly Code?: string;
  readonly Count?: string;
  readonly Mark?: string;
}

beforeAll(async () => {
  // Every key of a row is the name of one part and the identifier of another.
  await place.open({
    partIdentifierMode: true,
    systemIdentifiers: { id: 'no' },
    parts: [
      {
        name: 'Lines',
        identifier: 'lines',
        type: 'input_list',
        children: [
          { name: 'Mark', identifier: 'Row ID', type: 'textbox' },
          { name: 'Code', identifier: 'Count', type: 'textbox' },
          { name: 'Count', identifier: 'Code', type: 'number' },
        ],
      },
    ],
    records: [
      {
        Lines: [
          { Mark: '2', Code: '0012', Count: '5' },
          { Mark: '1', Code: '0013', Count: '6' },
        ],
      },
    ],
  });
  await place.sandbox.setDialect({ rowIds: 'part' });
});

const rows = async () => ((await place.storedAt())?.values.Lines ?? []) as StoredRow[];

test('rows are read by the identifiers of their parts', async () => {
  const { json } = await place.run('getAll', rowOf({}));
  expect(json).toMatchObject([
    { id: '1', 'Row ID': '2', Count: '0012', Code: 5 },
    { id: '2', 'Row ID': '1', Count: '0013', Code: 6 },
  ]);
});

test('the named row changes, and others keep their values', async () => {
  const { error } = await place.run('update', rowOf(null, { rowId: '2' }), { input: itemsOf({ Code: 9 }) });
  expect(error).toBeUndefined();
  expect(await rows()).toMatchObject([
    { Mark: '2', Code: '0012', Count: '5' },
    { Mark: '1', Code: '0013', Count: '9' },
  ]);
});

test('the named row is deleted', async () => {
  const { error } = await place.run('delete', rowOf({}, { rowId: '2' }));
  expect(error).toBeUndefined();
  expect(await rows()).toMatchObject([{ Mark: '2', Code: '0012', Count: '5' }]);
});
