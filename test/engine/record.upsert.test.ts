import { itemsOf, useWorkplace, type Workplace } from './support/workplace';

const place = useWorkplace({
  records: [
    { Name: 'Bolt', Price: '12.5', Kind: 'Screw', Colours: ['red', 'blue'] },
    { Name: 'Nut', Price: '7' },
    { Name: 'Twin', Price: '1', Kind: 'Nut' },
    { Name: 'Twin', Price: '2', Kind: 'Screw' },
  ],
});

const names = async () => (await place.stored()).map(({ values }) => [values.Name, values.Price]);
const byName = { values: { Name: '={{ $json.n }}', Price: '={{ $json.p }}' }, matchBy: ['Name'] };

describe('finding the record', () => {
  test('one match is updated, and nothing is created', async () => {
    const { items } = await place.upsert(byName, {
      input: itemsOf({ n: 'Nut', p: 8 }, { n: 'Cap', p: 9 }),
    });
    expect(items).toEqual([
      { json: { id: place.record(1), outcome: 'updated' }, pairedItem: { item: 0 } },
      { json: { id: '5', outcome: 'created' }, pairedItem: { item: 1 } },
    ]);
    expect(await names()).toEqual([
      ['Bolt', '12.5'],
      ['Nut', '8'],
      ['Twin', '1'],
      ['Twin', '2'],
      ['Cap', '9'],
    ]);
    expect((await place.sent('update_data'))[0]?.['{{revision}}']).toBe('0');
  });

  test('several matches are an error that names them, and nothing is written', async () => {
    const { error } = await place.upsert(byName, { input: itemsOf({ n: 'Twin', p: 8 }) });
    expect(error?.message).toMatch(
      new RegExp(`^2 records have "Name" \\(ID \\d+\\) = "Twin": ${place.record(2)}, ${place.record(3)}$`),
    );
    expect((await place.actions()).filter((action) => /insert|update/.test(action))).toEqual([]);
  });

  test('two matching parts distinguish records with the same value', async () => {
    const { json } = await place.upsert({
      values: { Name: 'Twin', Kind: 'Screw', Price: 5 },
      matchBy: [place.part('Name'), 'Kind'],
    });
    expect(json).toEqual([{ id: place.record(3), outcome: 'updated' }]);
  });

  test('a matching part may be a number, or one alone, as expressions return them', async () => {
    const value = { Name: 'Nut', Price: '8' };
    const id = place.part('Name');
    const outcomes = ['updated', 'unchanged'];
    for (const [index, matchingColumns] of [[Number(id)], id].entries()) {
      const parts = { mappingMode: 'defineBelow', value, matchingColumns, schema: [] };
      const { json } = await place.upsert({ parts });
      expect(json).toEqual([{ id: place.record(1), outcome: outcomes[index] }]);
    }
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a number in any format', { Price: '12.50', Note: 'x' }, 'Price'],
    ['choices in any order', { Colours: 'blue\nred', Note: 'x' }, 'Colours'],
  ])('%s', async (_, values, part) => {
    const { json } = await place.upsert({ values, matchBy: [part] });
    expect(json).toEqual([{ id: place.record(), outcome: 'updated' }]);
  });

  test('a text is compared exactly', async () => {
    const { json } = await place.upsert(byName, { input: itemsOf({ n: 'bolt', p: 1 }, { n: 'Bol', p: 1 }) });
    expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
  });

  test('the same key twice: the second updates what the first created', async () => {
    const { json } = await place.upsert(byName, {
      input: itemsOf({ n: 'Cap', p: 1 }, { n: 'x', p: 1 }, { n: 'Cap', p: 2 }),
    });
    expect(json).toEqual([
      { id: expect.any(String) as string, outcome: 'created' },
      { id: expect.any(String) as string, outcome: 'created' },
      { id: json[0]?.id, outcome: 'updated' },
    ]);
    expect((await names()).filter(([name]) => name === 'Cap')).toEqual([['Cap', '2']]);
    // One search for each key, and one read of all records; what the run has written is read again.
    expect(
      [await place.calls('list_data'), await place.calls('get_data')].map(({ length }) => length),
    ).toEqual([3, 1]);
  });

  test('works with Map Automatically, with the matching part named', async () => {
    const { json } = await place.upsert(
      { values: null, matchBy: ['Name'] },
      { input: itemsOf({ Name: 'Nut', Price: 3, id: '99' }) },
    );
    expect(json).toEqual([{ id: place.record(1), outcome: 'updated' }]);
  });

  test.each<[string, Parameters<Workplace['upsert']>[0], RegExp]>([
    ['no matching part', { values: { Name: 'x' } }, /Select the part that identifies the record/],
    ['an empty key', { values: { Name: '', Price: 1 }, matchBy: ['Name'] }, /has no value for "Name"/],
    ['a blank key', { values: { Name: ' \u3000', Price: 1 }, matchBy: ['Name'] }, /has no value for "Name"/],
    ['a key that is left out', { values: { Price: 1 }, matchBy: ['Name'] }, /has no value for "Name"/],
    ['rows as a key', { values: { Lines: [{ Item: 'x' }] }, matchBy: ['Lines'] }, /it holds rows/],
    [
      'a matching part that does not exist',
      { values: { Name: 'x' }, matchBy: ['Nam'] },
      /There is no part "Nam"/,
    ],
    [
      'merge with Map Automatically',
      { values: null, matchBy: ['Name'], conflictPolicy: 'merge' },
      /Merge does not work/,
    ],
  ])('%s is refused before anything is requested', async (_, settings, message) => {
    const { error } = await place.upsert(settings, { input: itemsOf({ Name: 'x' }) });
    expect(error?.message).toMatch(message);
    expect((await place.actions()).filter((action) => action !== 'get_app')).toEqual([]);
  });

  test('lists without ids are refused with a sentence, not as a fault of the node', async () => {
    const parts = [{ name: 'Name', type: 'textbox', identifier: 'name' }];
    await place.open({ parts, partIdentifierMode: true, records: [{ Name: 'a' }] });
    const { error } = await place.upsert({ values: { Name: 'b' }, matchBy: ['Name'] });
    expect(error?.message).toMatch(
      /has no part identifier, so this application's lists contain no record IDs/,
    );
    expect(await place.calls('insert_data')).toHaveLength(0);
  });

  test('a hidden matching part is refused, because its record would be created twice', async () => {
    await place.sandbox.setUser('1001', { rights: { goods: { parts: { Name: 'none' } } } });
    const { error } = await place.upsert({ values: { Name: 'Bolt', Price: 1 }, matchBy: ['Name'] });
    expect(error?.message).toMatch(/The record 1 does not show "Name"/);
    expect(await place.calls('insert_data')).toHaveLength(0);
  });
});

describe('policies and options', () => {
  test('the matched revision guards the update', async () => {
    const { json } = await place.upsert({
      values: { Name: 'Nut', Price: 9 },
      matchBy: ['Name'],
      conflictPolicy: 'fail',
    });
    expect(json[0]?.outcome).toBe('updated');
    expect((await place.sent('update_data'))[0]?.['{{revision}}']).toBe('1');
  });

  test.each<[string, RegExp | string]>([
    ['fail', /was changed in the meantime: the item has revision 1, the service 2/],
    ['skip', 'conflict'],
  ])('%s, if somebody is faster', async (conflictPolicy, expected) => {
    await place.meanwhile(
      { action: 'update_data', times: 1 },
      async () => await place.change({ Price: '5' }, 1),
    );
    const settings = { values: { Name: 'Nut', Price: 9 }, matchBy: ['Name'], conflictPolicy };
    const result = await place.upsert(settings);
    if (typeof expected === 'string') expect(result.json[0]?.outcome).toBe(expected);
    else expect(result.error?.message).toMatch(expected);
    expect((await place.storedAt(1))?.values.Price).toBe('5');
  });

  test('Parts to Empty and Return Record', async () => {
    const emptied = await place.upsert({
      values: { Name: 'Nut' },
      matchBy: ['Name'],
      options: { partsToEmpty: ['Price'], returnRecord: true },
    });
    expect(emptied.json[0]).toMatchObject({
      id: place.record(1),
      Name: 'Nut',
      Price: null,
      outcome: 'updated',
    });
  });

  test('Dry Run shows for each item what would be done, and writes nothing', async () => {
    const before = await place.stored();
    const { json } = await place.upsert(
      { ...byName, options: { dryRun: true } },
      { input: itemsOf({ n: 'Nut', p: 8 }, { n: 'Cap', p: 1 }, { n: 'Cap', p: 2 }, { n: 'Nut', p: 8 }) },
    );
    expect(json).toEqual([
      expect.objectContaining({
        id: place.record(1),
        outcome: 'updated',
        dryRun: true,
        changes: { Price: { from: 7, to: 8 } },
      }),
      expect.objectContaining({ outcome: 'created', changes: { Name: { to: 'Cap' }, Price: { to: 1 } } }),
      expect.objectContaining({ outcome: 'updated', changes: { Price: { from: 1, to: 2 } } }),
      expect.objectContaining({ id: place.record(1), outcome: 'unchanged', changes: {} }),
    ]);
    for (const each of json.slice(1, 3)) expect(each).not.toHaveProperty('id');
    expect(await place.stored()).toEqual(before);
  });
});

describe('an insert whose answer was lost', () => {
  test('is looked up and settled', async () => {
    await place.sandbox.setFaults([{ kind: 'drop', when: 'after', action: 'insert_data', times: 1 }]);
    const { json } = await place.upsert(byName, { input: itemsOf({ n: 'Cap', p: 1 }) });
    expect(json).toEqual([{ id: '5', outcome: 'created' }]);
    expect(await place.calls('insert_data')).toHaveLength(1);
  });

  test('stays unknown if it is not found, also for other items with the same key', async () => {
    await place.sandbox.setFaults([{ kind: 'drop', when: 'before', action: 'insert_data', times: 1 }]);
    const { json } = await place.upsert(byName, {
      input: itemsOf({ n: 'Cap', p: 1 }, { n: 'Cap', p: 2 }, { n: 'Hat', p: 3 }),
      node: { onError: 'continueRegularOutput' },
    });
    expect(json).toEqual([
      { error: expect.stringMatching(/outcome unknown/) as string, details: { outcome: 'unknown' } },
      { error: expect.stringMatching(/outcome unknown/) as string, details: { outcome: 'unknown' } },
      { id: expect.any(String) as string, outcome: 'created' },
    ]);
    expect(await place.calls('insert_data')).toHaveLength(2);
  });

  test('changes the record that somebody else added meanwhile, and later items with the key follow', async () => {
    const lost = { kind: 'drop', when: 'before', action: 'insert_data', times: 1 } as const;
    const addOne = async (): Promise<unknown> =>
      await place.sandbox.addRecords(place.app.id, [{ Name: 'Cap', Price: '9' }]);
    await place.meanwhile({ action: 'insert_data', times: 1 }, addOne, [lost]);
    const input = itemsOf({ n: 'Cap', p: 1 }, { n: 'Cap', p: 2 });
    const { json, error } = await place.upsert(byName, { input });
    expect([error, json.map(({ outcome }) => outcome)]).toEqual([undefined, ['updated', 'updated']]);
    expect(await place.calls('insert_data')).toHaveLength(1);
    expect((await place.stored()).at(-1)?.values).toMatchObject({ Name: 'Cap', Price: '2' });
  });

  test('stays unknown if somebody else has added two records of the key', async () => {
    const lost = { kind: 'drop', when: 'before', action: 'insert_data', times: 1 } as const;
    const addTwo = async (): Promise<unknown> =>
      await place.sandbox.addRecords(place.app.id, [
        { Name: 'Cap', Price: '9' },
        { Name: 'Cap', Price: '9' },
      ]);
    await place.meanwhile({ action: 'insert_data', times: 1 }, addTwo, [lost]);
    const { error } = await place.upsert(byName, { input: itemsOf({ n: 'Cap', p: 1 }) });
    expect(error?.message).toMatch(/outcome unknown/);
    expect(await place.calls('update_data')).toHaveLength(0);
  });

  test('stays unknown if the search fails, which does not hide it', async () => {
    await place.sandbox.setFaults([
      { kind: 'drop', when: 'after', action: 'insert_data', times: 1 },
      { kind: 'ng', errorno: -1, message: 'no', action: 'list_data', skip: 2 },
    ]);
    const { error } = await place.upsert(byName, { input: itemsOf({ n: 'Cap', p: 1 }) });
    expect(error?.message).toMatch(/outcome unknown/);
  });
});

describe('an insert that the service refuses', () => {
  const input = itemsOf({ n: 'Cap', p: 1 }, { n: 'Cap', p: 2 });
  const node = { onError: 'continueRegularOutput' } as const;

  test.each([
    ['after', ['refused', 'updated'], 1],
    ['before', ['refused', 'created'], 2],
  ] as const)('%s doing it is looked up for the next item of its key', async (when, outcomes, inserts) => {
    await place.sandbox.setFaults([
      { kind: 'ng', when, action: 'insert_data', errorno: -5, message: 'stamped', times: 1 },
    ]);
    const { json } = await place.upsert(byName, { input, node });
    const told = json.map(({ outcome, details }) => outcome ?? (details as { outcome?: string }).outcome);
    expect(told).toEqual(outcomes);
    expect((await names()).filter(([name]) => name === 'Cap')).toEqual([['Cap', '2']]);
    expect(await place.calls('insert_data')).toHaveLength(inserts);
  });
});
