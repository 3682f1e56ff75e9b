import { LINES, withFiles } from './support/rows';
import { itemsOf, useWorkplace } from './support/workplace';

interface StoredRow {
  readonly id: string;
  readonly Item?: string;
  readonly Qty?: string;
  readonly Plan?: readonly { readonly id: string; readonly name: string }[];
}

const place = useWorkplace({
  parts: [{ name: 'Name', type: 'textbox' }, LINES],
  records: [
    {
      Name: 'Order',
      Lines: [
        { Item: 'a', Qty: '1', Due: '2026-03-01', Tags: ['hot'] },
        {
          Item: 'b',
          Plan: [
            { name: 'old.txt', text: 'old' },
            { name: 'kept.txt', text: 'kept' },
          ],
        },
        { Item: 'c' },
      ],
    },
  ],
});

const rows = async () => ((await place.storedAt())?.values.Lines ?? []) as StoredRow[];
const brief = async () =>
  (await rows()).map(({ Item, Qty, Plan }) => [Item, Qty, Plan?.map(({ name }) => name)]);

describe('merge', () => {
  test.each([
    ['a list', [{ id: '3', Qty: 7 }, { Item: 'd' }]],
    ['JSON text', '[{"id":"3","Qty":7},{"Item":"d"}]'],
  ])('rows as %s are changed, added and kept', async (_, lines) => {
    const { error } = await place.update({ values: { Lines: lines } });
    expect(error).toBeUndefined();
    expect(await brief()).toEqual([
      ['a', '1', undefined],
      ['b', undefined, ['old.txt', 'kept.txt']],
      ['c', '7', undefined],
      ['d', undefined, undefined],
    ]);
  });

  test('attachments are added to and removed from the right rows, under the names of the rows as they are sent', async () => {
    const old = (await rows())[1]?.Plan?.[0]?.id;
    const { error } = await place.update(
      {
        values: {
          Lines: [
            { Item: 'd', Plan: 'one' },
            { id: '2', Plan: { add: ['two'], remove: [old] } },
            { Item: 'e', Plan: ['three', 'one'] },
          ],
        },
      },
      {
        input: [
          withFiles({
            one: { name: '1.txt', text: '1' },
            two: { name: '2.txt', text: '22' },
            three: { name: '3.txt', text: '333' },
          }),
        ],
      },
    );
    expect(error).toBeUndefined();
    expect(await brief()).toEqual([
      ['a', '1', undefined],
      ['b', undefined, ['kept.txt', '2.txt']],
      ['c', undefined, undefined],
      ['d', undefined, ['1.txt']],
      ['e', undefined, ['3.txt', '1.txt']],
    ]);
    const [call] = await place.calls('update_data');
    expect(call?.files.map(({ field }) => field)).toEqual([
      '{{Lines}}1.{{Plan}}',
      '{{Lines}}3.{{Plan}}',
      '{{Lines}}4.{{Plan}}',
      '{{Lines}}4.{{Plan}}',
    ]);
    expect(call?.parameters).toContainEqual(['{{Lines}}1.{{Plan}}.del_attachment_id', old]);
  });

  test.each(['first', 'last'])(
    'files of new rows are completed if a service keeps only the %s',
    async (severalFiles) => {
      await place.sandbox.setDialect({ severalFiles });
      const files = { one: { name: '1.txt', text: '1' }, two: { name: '2.txt', text: '22' } };
      const { error } = await place.update(
        {
          values: {
            Lines: [
              { Item: 'd', Plan: 'one, two' },
              { Item: 'd', Plan: 'two, one' },
            ],
          },
        },
        { input: [withFiles(files)] },
      );
      expect(error).toBeUndefined();
      const added = (await rows()).slice(3).map(({ Plan }) => Plan?.map(({ name }) => name).sort());
      expect(added).toEqual([
        ['1.txt', '2.txt'],
        ['1.txt', '2.txt'],
      ]);
    },
  );

  test('uses the current rows if somebody else is faster', async () => {
    await place.meanwhile({ action: 'update_data', times: 1 }, async () => {
      const lines = (await rows()).map(({ id, Item }) => ({ id, Item: Item === 'c' ? 'C' : Item }));
      await place.change({ Lines: [...lines, { Item: 'theirs' }] });
    });
    const { error } = await place.update({ values: { Lines: [{ id: '1', Qty: 9 }, { Item: 'd' }] } });
    expect(error).toBeUndefined();
    expect((await rows()).map(({ Item }) => Item)).toEqual(['a', 'b', 'C', 'theirs', 'd']);
    expect((await rows())[0]?.Qty).toBe('9');
  });

  test('a record that was read is written back without a change', async () => {
    const { json } = await place.run('get', { recordId: '1' });
    const before = await rows();
    const { error } = await place.update({ values: null }, { input: itemsOf(json[0] ?? {}) });
    expect(error).toBeUndefined();
    expect(await rows()).toEqual(before);
  });

  test.each([['={{ null }}'], [[]], ['={{ "" }}']])('%j changes nothing', async (lines) => {
    const { json } = await place.update({ values: { Lines: lines } });
    expect(json[0]?.outcome).toBe('unchanged');
    expect(await rows()).toHaveLength(3);
  });

  test('is refused if a child value is hidden, because it would be lost', async () => {
    await place.sandbox.setUser('1001', {
      rights: { [place.app.identifier]: { parts: { Qty: 'none' } } },
    });
    const { error } = await place.update({ values: { Lines: [{ Item: 'd' }] } });
    expect(error?.message).toContain('cannot be merged: row 1 does not show "Qty"');
    expect(await rows()).toHaveLength(3);
  });

  test('is refused if the service returns no row ids', async () => {
    await place.sandbox.setDialect({ rowIds: 'none' });
    const { error } = await place.update({ values: { Lines: [{ Item: 'd' }] } });
    expect(error?.message).toContain('the service returns no IDs for them');
    expect(error?.description).toContain('Replace');
    expect(await place.calls('update_data')).toEqual([]);
  });
});

describe('replace', () => {
  const options = { tableRowMode: 'replace' };

  test('keeps only the listed rows, in their order; those with an id keep the values that are left out', async () => {
    await place.sandbox.setDialect({ omittedChild: 'emptied' });
    const { error } = await place.update({
      values: { Lines: [{ Item: 'new' }, { id: '2', Qty: 5 }, { id: '1', Item: 'A' }] },
      options,
    });
    expect(error).toBeUndefined();
    expect(await brief()).toEqual([
      ['new', undefined, undefined],
      ['b', '5', ['old.txt', 'kept.txt']],
      ['A', '1', undefined],
    ]);
    expect((await place.sent('update_data'))[0]?.['{{revision}}']).toBe('1');
  });

  test('works without row ids if the items have none', async () => {
    await place.sandbox.setDialect({ rowIds: 'none' });
    await place.update({ values: { Lines: [{ Item: 'only' }] }, options });
    expect(await brief()).toEqual([['only', undefined, undefined]]);
  });

  test.each([['={{ null }}'], [[]]])('%j deletes all rows', async (lines) => {
    await place.update({ values: { Lines: lines }, options });
    expect(await rows()).toEqual([]);
  });
});

test('Create writes rows with their files, and ignores row IDs of another record', async () => {
  const { json, error } = await place.create(
    { values: { Name: 'New', Lines: [{ id: '77', Item: 'x', Plan: 'data' }, { Item: 'y' }] } },
    { input: [withFiles({ data: { name: 'x.txt', text: 'x' } })] },
  );
  expect(error).toBeUndefined();
  const created = (await place.stored()).find(({ id }) => id === json[0]?.id);
  const lines = created?.values.Lines as StoredRow[];
  expect(lines.map(({ Item, Plan }) => [Item, Plan?.map(({ name }) => name)])).toEqual([
    ['x', ['x.txt']],
    ['y', undefined],
  ]);
});
