import type { INodeExecutionData } from 'n8n-workflow';

import { withFiles } from './support/rows';
import { itemsOf, useWorkplace, type RunSettings } from './support/workplace';

/** Existing rows and files are not written again. */
const place = useWorkplace({
  records: [
    { Name: 'Bolt', Price: '1' },
    { Name: 'Nut', Price: '7' },
    { Name: 'Old', Price: '9' },
    { Name: 'Older', Price: '9' },
    { Name: 'Rest', Price: '9' },
  ],
});

const withRows = (rows: unknown, options = {}): [RunSettings, { input: INodeExecutionData[] }] => [
  { values: { Name: 'Bolt', Lines: '={{ $json.rows }}' }, matchBy: ['Name'], options },
  { input: itemsOf({ rows: rows as never }) },
];
const lines = async () =>
  ((await place.storedAt(0))?.values.Lines ?? []) as { id?: string; Item?: string; Qty?: string }[];

describe('rows', () => {
  beforeEach(async () => {
    await place.open({
      records: [
        {
          Name: 'Bolt',
          Lines: [
            { Item: 'a', Qty: '1' },
            { Item: 'b', Qty: '2' },
          ],
        },
      ],
    });
  });

  test.each([
    ['equal ones, in any order', [{ Item: 'b', Qty: '2.0' }, { Item: 'a' }]],
    ['null', null],
    ['an empty text', ''],
  ])('%s change nothing', async (_, rows) => {
    const { json, error } = await place.sync(...withRows(rows));
    expect([error, json[0]?.outcome]).toEqual([undefined, 'unchanged']);
    expect(await place.calls('update_data')).toHaveLength(0);
  });

  test('an empty list deletes all of them with Replace, and none with Merge', async () => {
    expect((await place.sync(...withRows([], { tableRowMode: 'merge' }))).json[0]?.outcome).toBe('unchanged');
    expect((await place.sync(...withRows([]))).json[0]?.outcome).toBe('updated');
    expect(await lines()).toEqual([]);
  });

  test('existing rows keep their ids and the values that are left out; others are added and deleted', async () => {
    const [, second] = await lines();
    const { json } = await place.sync(...withRows([{ Item: 'c', Qty: 3 }, { Item: 'b' }]));
    expect(json[0]?.outcome).toBe('updated');
    const now = await lines();
    expect(now.map(({ Item, Qty }) => [Item, Qty])).toEqual([
      ['c', '3'],
      ['b', '2'],
    ]);
    expect(now[1]?.id).toBe(second?.id);
    expect((await place.sync(...withRows([{ Item: 'c', Qty: 3 }, { Item: 'b' }]))).json[0]?.outcome).toBe(
      'unchanged',
    );
  });

  test('each stored row counts once', async () => {
    const { json } = await place.sync(...withRows([{ Item: 'a' }, { Item: 'a' }, { Item: 'b' }]));
    expect(json[0]?.outcome).toBe('updated');
    expect((await lines()).map(({ Item, Qty }) => [Item, Qty])).toEqual([
      ['a', '1'],
      ['a', undefined],
      ['b', '2'],
    ]);
  });

  test('with Merge, a row without an id that equals no stored row is refused; rows with ids are changed', async () => {
    const [first] = await lines();
    const merge = { tableRowMode: 'merge' };
    const { error } = await place.sync(...withRows([{ Item: 'c' }], merge));
    expect(error?.message).toMatch(/^A row for "Lines" .* has no ID, and the record has no equal row$/);
    const { json } = await place.sync(...withRows([{ id: first?.id, Qty: 5 }, { Item: 'b' }], merge));
    expect(json[0]?.outcome).toBe('updated');
    expect((await lines()).map(({ Qty }) => Qty)).toEqual(['5', '2']);
  });

  test.each(['merge', 'replace'])(
    'that are there stay, and are not sent, if their part is a lookup key and another part changes: %s',
    async (tableRowMode) => {
      const rows = '={{ [{ Item: "b" }, { Item: "a" }] }}';
      const before = await lines();
      const { json, error } = await place.sync({
        values: { Name: 'Bolt', Price: 5, Lines: rows },
        matchBy: ['Name'],
        options: { relookupKeyParts: ['Lines'], tableRowMode },
      });
      expect([error, json[0]?.outcome]).toEqual([undefined, 'updated']);
      expect(await lines()).toEqual(before);
      const [sent] = await place.sent('update_data');
      expect(sent).toMatchObject({ '{{Price}}': '5' });
      expect(sent).not.toHaveProperty(['{{Lines}}']);
      expect(sent).not.toHaveProperty('relookup_key_field');
    },
  );

  test('rows without IDs are written again with the values that are left out', async () => {
    await place.sandbox.setDialect({ rowIds: 'none' });
    expect((await place.sync(...withRows([{ Item: 'b' }, { Item: 'a' }]))).json[0]?.outcome).toBe(
      'unchanged',
    );
    const { json } = await place.sync(...withRows([{ Item: 'b' }, { Item: 'c' }]));
    expect(json[0]?.outcome).toBe('updated');
    expect((await lines()).map(({ Item, Qty }) => [Item, Qty])).toEqual([
      ['b', '2'],
      ['c', undefined],
    ]);
  });

  test('Parts to Empty empties a table once', async () => {
    const settings = { values: { Name: 'Bolt' }, matchBy: ['Name'], options: { partsToEmpty: ['Lines'] } };
    expect((await place.sync(settings)).json[0]?.outcome).toBe('updated');
    expect((await place.sync(settings)).json[0]?.outcome).toBe('unchanged');
    expect(await lines()).toEqual([]);
  });
});

describe('files', () => {
  const photo: RunSettings = { values: { Name: 'Bolt', Photo: 'data' }, matchBy: ['Name'] };
  const file = (text: string) => [withFiles({ data: { name: 'a.txt', text } })];
  const sizes = async () =>
    ((await place.storedAt(0))?.values.Photo as { size: number }[]).map(({ size }) => size);

  test('are added once, by their names; a file of another size is not replaced, but counted', async () => {
    expect((await place.sync(photo, { input: file('one') })).json[0]?.outcome).toBe('updated');
    expect((await place.sync(photo, { input: file('one') })).json[0]?.outcome).toBe('unchanged');
    const { json, hints } = await place.sync(photo, { input: file('three') });
    expect(json[0]?.outcome).toBe('unchanged');
    expect(hints.map(({ message }) => message)).toContain(
      'Files left as they are, because the record holds a file of the same name and another size: 1',
    );
    expect(await sizes()).toEqual([3]);
  });

  test('of a row with an ID are added once', async () => {
    const children = [
      { name: 'Item', type: 'textbox' },
      { name: 'Scan', type: 'files' },
    ];
    const parts = [
      { name: 'Name', type: 'textbox' },
      { name: 'Lines', type: 'input_list', children },
    ];
    await place.open({ parts, records: [{ Name: 'Bolt', Lines: [{ Item: 'a' }] }] });
    const [row] = await lines();
    const [settings] = withRows([]);
    const input = file('one').map((item) => ({ ...item, json: { rows: [{ id: row!.id, Scan: 'data' }] } }));
    const outcomes: unknown[] = [];
    for (let run = 0; run < 2; run++) outcomes.push((await place.sync(settings, { input })).json[0]?.outcome);
    expect(outcomes).toEqual(['updated', 'unchanged']);
    expect(await place.calls('update_data')).toHaveLength(1);
    const other = file('three').map((item) => ({ ...item, json: input[0]!.json }));
    const { json, hints } = await place.sync(settings, { input: other });
    expect(json[0]?.outcome).toBe('unchanged');
    expect(hints.map(({ message }) => message)).toContain(
      'Files left as they are, because the record holds a file of the same name and another size: 1',
    );
  });
});
