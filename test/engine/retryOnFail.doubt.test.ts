import { itemsOf, RETRY, useWorkplace } from './support/workplace';

const place = useWorkplace({ records: [{ Name: 'Bolt' }, { Name: 'Nut' }] });

const made = async () => (await place.stored()).slice(2).map(({ values }) => values.Name);

describe('a write in doubt', () => {
  const drop = (action: string, when: 'before' | 'after') =>
    ({ kind: 'drop', when, action, times: 1 }) as const;

  test.each(['before', 'after'] as const)('an insert (lost %s the work) is not sent again', async (when) => {
    await place.sandbox.setFaults([drop('insert_data', when)]);
    const { error } = await place.create({ values: { Name: 'a' } }, { node: RETRY });
    expect(error?.message).toMatch(/outcome unknown/);
    expect(await place.calls('insert_data')).toHaveLength(1);
    expect((await made()).length).toBeLessThanOrEqual(1);
  });

  test('an insert stays in doubt if the next try cannot even read the application', async () => {
    await place.sandbox.setFaults([
      drop('insert_data', 'after'),
      { kind: 'ng', errorno: -1, message: 'no', action: 'get_app', skip: 1 },
    ]);
    const { error } = await place.create({ values: { Name: 'a' } }, { node: RETRY });
    expect(error?.message).toMatch(/outcome unknown/);
    expect(await made()).toEqual(['a']);
  });

  test.each([
    ['is refused', 'delete_data', 2],
    ['cannot look', 'get_data', 3],
  ])('a deletion stays in doubt if the next try %s', async (_, action, skip) => {
    await place.sandbox.setFaults([
      { ...drop('delete_data', 'before'), times: 2 },
      { kind: 'ng', errorno: -1, message: 'no', action, skip },
    ]);
    const { error } = await place.delete(place.record(), {}, { node: RETRY });
    expect(error?.message).toMatch(/^Perhaps deleted: 1\..+outcome unknown/);
    expect(await place.stored()).toHaveLength(2);
  });

  test.each([
    ['is refused', 'delete_data', 2],
    ['cannot read the list', 'list_data', 1],
  ])('a removal by Sync stays in doubt if the next try %s', async (_, action, skip) => {
    await place.sandbox.setFaults([
      { ...drop('delete_data', 'before'), times: 2 },
      { kind: 'ng', errorno: -1, message: 'no', action, skip },
    ]);
    const { error } = await place.sync(
      { values: { Name: 'Bolt' }, matchBy: ['Name'], missing: 'delete', maxRemovals: 1 },
      { node: RETRY },
    );
    expect(error?.message).toMatch(/^Perhaps deleted: 2\..+outcome unknown/);
    expect(await place.stored()).toHaveLength(2);
  });

  test('where an earlier try of Sync has removed records, a refusal does not say that nothing was written', async () => {
    await place.open({ records: ['Bolt', 'Nut', 'Pin'].map((Name) => ({ Name })) });
    const records = { 3: { delete: false } };
    await place.sandbox.setUser('1001', { rights: { goods: { records } } });
    await place.sandbox.setFaults([{ kind: 'ng', errorno: -1, message: 'no', action: 'list_data', skip: 1 }]);
    const { error } = await place.sync(
      {
        ...{ values: { Name: 'Bolt' }, matchBy: ['Name'], missing: 'delete', maxRemovals: 2 },
        options: { allowMostRemovals: true },
      },
      { node: RETRY },
    );
    expect(error?.description).toMatch(/An earlier try may have removed records\.$/);
    expect((await place.stored()).map(({ id }) => id)).toEqual(['1', '3']);
  });

  test('an insert with other values now keeps another item of its key from being added', async () => {
    await place.sandbox.setFaults([drop('insert_data', 'before')]);
    const { json } = await place.upsert(
      { values: { Name: 'x', Price: '={{ $json.n ?? $now.toMillis() }}' }, matchBy: ['Name'] },
      { input: itemsOf({}, { n: 5 }), node: { ...RETRY, onError: 'continueRegularOutput' } },
    );
    expect(json.map(({ error }) => error)).toEqual(
      json.map(() => expect.stringMatching(/outcome unknown/) as string),
    );
    expect(await place.calls('insert_data')).toHaveLength(1);
  });

  test('a guarded update that the next try sends again, and that is refused then, stays in doubt', async () => {
    await place.sandbox.setFaults([
      drop('update_data', 'before'),
      { kind: 'ng', errorno: -1, message: 'no', action: 'get_data', times: 1 },
      { kind: 'ng', errorno: -1, message: 'refused by rule', action: 'update_data', skip: 1 },
    ]);
    const { error } = await place.update(
      { values: { Name: 'x' }, conflictPolicy: 'fail', revision: '1' },
      { node: RETRY },
    );
    expect(error?.message).toMatch(/outcome unknown/);
    // Once in each try: none was done.
    expect((await place.storedAt())?.revision).toBe(1);
  });

  test('an insert of Create or Update is found by the next try', async () => {
    await place.sandbox.setFaults([
      drop('insert_data', 'after'),
      { kind: 'ng', errorno: -1, message: 'no', action: 'list_data', skip: 1, times: 1 },
    ]);
    const { json } = await place.upsert({ values: { Name: 'a' }, matchBy: ['Name'] }, { node: RETRY });
    expect(json).toEqual([{ id: '3', outcome: 'created' }]);
    expect(await made()).toEqual(['a']);
    expect(await place.calls('update_data')).toHaveLength(0);
  });

  test.each([
    ['before', undefined],
    // Its own work cannot be told from that of others, without what was there before.
    ['after', /outcome unknown/],
  ] as const)(
    'a guarded update (lost %s the work) is settled by the next try as far as the record tells',
    async (when, message) => {
      await place.sandbox.setFaults([
        drop('update_data', when),
        { kind: 'ng', errorno: -1, message: 'no', action: 'get_data', times: 1 },
      ]);
      const result = await place.update(
        { values: { Name: 'x' }, conflictPolicy: 'fail', revision: '1' },
        { node: RETRY },
      );
      if (message === undefined) expect(result.json).toEqual([{ id: place.record(), outcome: 'updated' }]);
      else expect(result.error?.message).toMatch(message);
      expect(await place.storedAt()).toMatchObject({ revision: 2, values: { Name: 'x' } });
    },
  );

  test('an update whose values change from try to try stays in doubt, and is no conflict', async () => {
    await place.sandbox.setFaults([
      drop('update_data', 'after'),
      { kind: 'ng', errorno: -1, message: 'no', action: 'get_data', times: 1 },
    ]);
    const { error } = await place.update(
      { values: { Name: '={{ $now.toMillis() + Math.random() }}' }, conflictPolicy: 'fail', revision: '1' },
      { node: RETRY },
    );
    expect(error?.message).toMatch(/outcome unknown/);
    expect((await place.storedAt())?.revision).toBe(2);
    expect(await place.calls('update_data')).toHaveLength(1);
  });

  test('a deletion stays in doubt if the next try is cancelled before its request', async () => {
    // One request takes 200 records, so the second item has one of its own.
    const { records } = await place.open({ records: Array.from({ length: 201 }, () => ({ Name: 'x' })) });
    let stop = (): void => undefined;
    const cancel = new Promise<void>((resolve) => (stop = resolve));
    const requests = { action: 'delete_data' };
    // The first try sends each request twice.
    const lost = { ...requests, kind: 'drop', when: 'before', times: 4 } as const;
    await place.meanwhile({ ...requests, skip: 4 }, () => stop(), [lost]);
    const { run } = await place.delete(
      '={{ $json.ids }}',
      {},
      { input: itemsOf({ ids: records.slice(0, 200) }, { ids: records.slice(200) }), node: RETRY, cancel },
    );
    await place.engine.idle();
    const sent = (await place.sent('delete_data')).map(({ data_id }) => data_id?.split(',').length);
    expect(sent).toEqual([200, 200, 1, 1, 200]);
    expect(JSON.stringify(run.data.executionData?.contextData)).toMatch(/"items":\[1\],.*"doubt":\{/);
  });
});
