import { useWorkplace } from './support/workplace';

const place = useWorkplace();

describe('table rows', () => {
  const rows = [{ Item: 'a', Qty: '1' }, { Item: 'b', Qty: '2' }, { Item: 'c' }];
  const lines = async () =>
    ((await place.storedAt())?.values.Lines as { Item?: string; Qty?: string }[] | undefined)?.map(
      ({ Item, Qty }) => [Item, Qty],
    );
  const rowIds = async () => ((await place.read()).Lines as { id: string }[]).map(({ id }) => id);

  beforeEach(async () => {
    await place.open({ records: [{ Name: 'Bolt', Lines: rows }] });
  });

  test('merge changes the rows that have an id, adds the others, keeps the rest, and never uses revision 0', async () => {
    const [, second] = await rowIds();
    const { error } = await place.update({ values: { Lines: [{ id: second, Qty: 5 }, { Item: 'd' }] } });
    expect(error).toBeUndefined();
    expect(await lines()).toEqual([
      ['a', '1'],
      ['b', '5'],
      ['c', undefined],
      ['d', undefined],
    ]);
    expect((await place.sent('update_data'))[0]?.['{{revision}}']).toBe('1');
  });

  test('merge keeps every value of the rows it sends, even if the service empties values that are left out', async () => {
    await place.sandbox.setDialect({ omittedChild: 'emptied' });
    const [first] = await rowIds();
    await place.update({ values: { Lines: [{ id: first, Qty: 9 }] } });
    expect(await lines()).toEqual([
      ['a', '9'],
      ['b', '2'],
      ['c', undefined],
    ]);
  });

  test('merge uses the current rows if somebody else is faster', async () => {
    // The first update meets a record that changed after it was read.
    await place.meanwhile(
      { action: 'update_data', times: 1 },
      async () => await place.change({ Lines: [...rows, { Item: 'theirs' }] }),
    );
    const { json } = await place.update({ values: { Lines: [{ Item: 'mine' }] } });
    expect(json).toEqual([{ id: place.record(), outcome: 'updated' }]);
    expect((await lines())?.map(([item]) => item)).toEqual(['a', 'b', 'c', 'theirs', 'mine']);
    expect((await place.sent('update_data')).map((fields) => fields['{{revision}}'])).toEqual(['1', '2']);
  });

  test.each(['={{ null }}', [], '={{ "" }}'])('merge with %j changes nothing', async (value) => {
    const { json } = await place.update({ values: { Lines: value } });
    expect(json).toEqual([{ id: place.record(), outcome: 'unchanged' }]);
    expect(await place.calls('update_data')).toHaveLength(0);
  });

  test('replace keeps only the listed rows, and none for an empty list', async () => {
    const [, second] = await rowIds();
    await place.update({
      values: { Lines: [{ id: second, Qty: 5 }, { Item: 'd' }] },
      options: { tableRowMode: 'replace' },
    });
    expect(await lines()).toEqual([
      ['b', '5'],
      ['d', undefined],
    ]);
    await place.update({ values: { Lines: [] }, options: { tableRowMode: 'replace' } });
    expect(await lines()).toBeUndefined();
  });

  test('a missing row is refused, and so is a merge if rows have no ids', async () => {
    const missing = await place.update({ values: { Lines: [{ id: '999', Qty: 5 }] } });
    expect(missing.error?.message).toMatch(/"Lines" \(ID \d+\) has no row 999/);
    await place.sandbox.setDialect({ rowIds: 'none' });
    const without = await place.update({ values: { Lines: [{ Item: 'd' }] } });
    expect(without.error?.message).toMatch(/cannot be merged: the service returns no IDs for them/);
    expect(await place.calls('update_data')).toHaveLength(0);
  });

  test.each([{ rowIds: 'plain', ids: 'number' }, { rowIds: 'value' }, { rowIds: 'part' }])(
    'rows are distinguished, however they contain their ids: %o',
    async (dialect) => {
      await place.sandbox.setDialect(dialect);
      const [, second] = await rowIds();
      const { error } = await place.update({ values: { Lines: [{ id: second, Qty: 5 }] } });
      expect(error).toBeUndefined();
      expect(await lines()).toEqual([
        ['a', '1'],
        ['b', '5'],
        ['c', undefined],
      ]);
    },
  );

  test('Replace with Skip Unchanged writes if rows differ in what is given, or in their order', async () => {
    const replace = { tableRowMode: 'replace', skipUnchanged: true };
    const outcomeOf = async (rows: unknown) =>
      (await place.update({ values: { Lines: rows }, options: replace })).json[0]?.outcome;
    const [first, second, third] = await rowIds();
    const asStored = [{ id: first }, { id: second }, { id: third }];
    expect(await outcomeOf(asStored)).toBe('unchanged');
    expect(await outcomeOf([{ id: second }, { id: first }, { id: third }])).toBe('updated');
    expect((await lines())?.map(([name]) => name)).toEqual(['b', 'a', 'c']);
    const before = await lines();
    // What rows leave out stays, as in rows by ID.
    expect(await outcomeOf([{ Item: 'b' }, { Item: 'a' }, { Item: 'c' }])).toBe('unchanged');
    expect(await lines()).toEqual(before);
    expect(await outcomeOf([{ Item: 'b' }, { Item: 'a', Qty: 9 }, { Item: 'c' }])).toBe('updated');
    expect((await lines())?.map(([name, quantity]) => [name, quantity])).toEqual([
      before?.[0],
      ['a', '9'],
      before?.[2],
    ]);
  });
});
