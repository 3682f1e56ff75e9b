import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace();

const added = async () => (await place.stored()).slice(2);

describe('requests and output', () => {
  test('one output item for each input item, with its id, and one request each', async () => {
    const { items, error, hints } = await place.create(
      { values: { [place.part('Name')]: '={{ $json.n }}', Price: '={{ $json.p }}' } },
      { input: itemsOf({ n: 'Cap', p: '1,200' }, { n: 'Pin', p: 0.5 }) },
    );
    expect([error, hints]).toEqual([undefined, []]);
    const ids = (await added()).map(({ id }) => id);
    expect(items).toEqual([
      { json: { id: ids[0], outcome: 'created' }, pairedItem: { item: 0 } },
      { json: { id: ids[1], outcome: 'created' }, pairedItem: { item: 1 } },
    ]);
    expect((await added()).map(({ values }) => values)).toEqual([
      expect.objectContaining({ Name: 'Cap', Price: '1200' }),
      expect.objectContaining({ Name: 'Pin', Price: '0.5' }),
    ]);
    expect((await place.actions()).sort()).toEqual(['get_app', 'insert_data', 'insert_data']);
  });

  test('every part type is sent as interface.md says', async () => {
    const { error } = await place.create({
      values: {
        Name: true,
        Price: 12.5,
        Colours: ['red', 'green'],
        Kind: 'Nut',
        Due: '2026-03-01',
        Seen: '2026-03-01T00:30Z',
        Owner: [{ id: '1002', name: 'Ken' }, 1003],
        Note: 'one\ntwo',
        Lines: '[{"Item":"Bolt","Qty":3},{"Qty":"4"}]',
      },
    });
    expect(error).toBeUndefined();
    const [fields] = await place.sent('insert_data');
    expect(fields).toEqual({
      action: 'insert_data',
      app_id: place.app.id,
      '{{Name}}': 'true',
      '{{Price}}': '12.5',
      '{{Colours}}': 'red\tgreen',
      '{{Kind}}': 'Nut',
      '{{Due}}': '2026-03-01',
      '{{Seen}}': '2026-03-01T09:30',
      '{{Owner}}': '1002\t1003',
      '{{Note}}': 'one\ntwo',
      '{{Lines}}': '[{"Item":"Bolt","Qty":"3"},{"Qty":"4"}]',
    });
  });

  test('a value with an offset is converted to the time zone of the credential', async () => {
    const values = { Name: 'x', Seen: '2026-03-08T02:30-05:00' };
    await place.inZone('America/Los_Angeles').run(place.parameters('create', { values }));
    expect(await place.sent('insert_data')).toMatchObject([{ '{{Seen}}': '2026-03-07T23:30' }]);
  });

  test('binary fields are uploaded', async () => {
    const binary = {
      data: { data: Buffer.from('hello').toString('base64'), mimeType: 'text/plain', fileName: 'a.txt' },
      photo: { data: Buffer.from('png').toString('base64'), mimeType: 'image/png', fileName: '写真.png' },
    };
    const { error } = await place.create(
      { values: { Name: 'With files', Photo: 'data, photo' } },
      { input: [{ json: {}, binary }] },
    );
    expect(error).toBeUndefined();
    expect((await place.calls('insert_data'))[0]?.files).toEqual([
      { field: '{{Photo}}', name: 'a.txt', size: 5 },
      { field: '{{Photo}}', name: '写真.png', size: 3 },
    ]);
    expect((await added())[0]?.values).toMatchObject({ Name: 'With files' });
  });

  test('automatic processing is on unless it is switched off', async () => {
    await place.open({ automatic: [{ on: 'insert', part: 'Done By', value: '{user}' }] });
    await place.create({ values: { Name: 'a' } });
    await place.create({ values: { Name: 'b' }, options: { autoAction: false } });
    expect((await added()).map(({ values }) => values['Done By'])).toEqual(['Aiko Mori', undefined]);
    expect((await place.sent('insert_data')).map((fields) => fields.auto_action)).toEqual([undefined, 'off']);
  });

  test('lookup key parts are named, and must be among the values', async () => {
    const orders = { application: { __rl: true, mode: 'identifier', value: '@orders' } } as const;
    const { parts } = await place.sandbox.changeApplication('orders', {});
    const key = parts['Customer ID']!;
    const { error, json } = await place.create({
      ...orders,
      values: { 'Order No': 'O-1', [key]: 1 },
      options: { relookupKeyParts: [key] },
    });
    expect(error).toBeUndefined();
    expect((await place.sent('insert_data'))[0]?.relookup_key_field).toBe(key);
    const stored = await place.sandbox.records('orders');
    expect(stored.find(({ id }) => id === json[0]?.id)?.values['Delivery Name']).toBe('Acme Engineering');

    const refused = await place.create({
      ...orders,
      values: { 'Order No': 'O-2' },
      options: { relookupKeyParts: '={{ "Customer ID" }}' },
    });
    expect(refused.error?.message).toMatch(/lookup key part "Customer ID" has no value/);
    expect(await place.calls('insert_data')).toHaveLength(1);
  });

  test('Return Record outputs the record as Get does, and the outcome', async () => {
    const { json } = await place.create({
      values: { Name: 'Cap', Price: 3 },
      options: { returnRecord: true },
    });
    expect(json).toEqual([
      expect.objectContaining({ revision: 1, Name: 'Cap', Price: 3, Double: 6, outcome: 'created' }),
    ]);
    const got = await place.run('get', { recordId: json[0]?.id });
    expect(json[0]).toEqual({ ...got.json[0], outcome: 'created' });
  });

  test('if Return Record cannot read, the message says that the record was created', async () => {
    await place.sandbox.setFaults([{ kind: 'ng', action: 'get_data', errorno: -1, message: 'no' }]);
    const { error } = await place.create({ values: { Name: 'Cap' }, options: { returnRecord: true } });
    expect(error?.message).toMatch(/^The record \d+ is created, but could not be read afterwards/);
    expect(await added()).toHaveLength(1);
  });
});

describe('Map Automatically', () => {
  test("accepts names and ids, and ignores parts that cannot be written and the node's own output keys", async () => {
    const json = {
      id: '77',
      revision: 3,
      canWrite: true,
      outcome: 'updated',
      partErrors: { Note: 'unauthorized' },
      Name: 'Cap',
      [place.part('Price')]: 5,
      Double: 99,
      'Done By': 'me',
      'Created by': [{ id: '1002', name: 'Ken' }],
    };
    const systemName = (await place.sandbox.call('get_app', { app_id: place.app.id })) as unknown as {
      fields: { item: { name: string; type: string; system: string }[] };
    };
    const creator = systemName.fields.item.find(({ type }) => type === 'user')?.name ?? '';
    const { 'Created by': by, ...rest } = json;
    const { error, hints } = await place.create(
      { values: null },
      { input: itemsOf({ ...rest, [creator]: by }) },
    );
    expect(error).toBeUndefined();
    expect((await place.sent('insert_data'))[0]).toEqual({
      action: 'insert_data',
      app_id: place.app.id,
      '{{Name}}': 'Cap',
      '{{Price}}': '5',
    });
    expect(hints).toEqual([
      expect.objectContaining({
        message: `Ignored because they cannot be written: Double, Done By, ${creator}`,
      }),
    ]);
  });

  test('refuses a key that is no part, with its name and a suggestion, unless it is to be ignored', async () => {
    const input = itemsOf({ Name: 'Cap', Prize: 5 });
    const refused = await place.create({ values: null }, { input });
    expect(refused.error?.message).toBe('There is no part "Prize"');
    expect(refused.error?.description).toMatch(/Did you mean "Price"\?/);
    expect(await place.actions()).toEqual(['get_app']);

    const { error } = await place.create({ values: null, options: { ignoreUnknown: true } }, { input });
    expect(error).toBeUndefined();
    expect((await place.sent('insert_data'))[0]).toMatchObject({ '{{Name}}': 'Cap' });
  });

  test('a record that was read is copied: its rows are new, its files are not copied', async () => {
    await place.open({
      records: [
        {
          Name: 'Bolt',
          Lines: [{ Item: 'a', Qty: '1' }, { Item: 'b' }],
          Photo: [{ name: 'a.txt', text: 'x' }],
        },
      ],
    });
    const { json } = await place.run('get', { recordId: place.record() });
    const { error } = await place.create({ values: null }, { input: itemsOf(json[0] ?? {}) });
    expect(error).toBeUndefined();
    const [original, copy] = await place.stored();
    expect(copy?.values).toMatchObject({ Name: 'Bolt', Lines: [{ Item: 'a', Qty: '1' }, { Item: 'b' }] });
    expect(copy?.values).not.toHaveProperty('Photo');
    expect(original?.revision).toBe(1);
  });
});
