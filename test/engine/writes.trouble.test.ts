import { fromModel, testAgent } from './support/agent';
import { ORDER, ORDER_PARTS } from './support/orders';
import { useQuickRetries } from './support/quickRetries';
import { LINES, rowOf } from './support/rows';
import { CONTINUE, drop, http, ng, testTable } from './support/table';
import { RETRY, useWorkplace } from './support/workplace';

useQuickRetries();

/** Former faults of writes and outages. */
const place = useWorkplace(null);
const nth = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ n: `n${n}`, id: String(n + 1), p: n }));
const count = async (action: string) => (await place.calls(action)).length;
const app = (value: string) => ({ application: { __rl: true, mode: 'id', value } });
const other = async () =>
  await place.sandbox.createApplication({
    name: 'Other',
    identifier: 'other',
    parts: [{ name: 'Name', type: 'textbox' }],
  });
const files = async () => ((await place.storedAt())?.values.Docs ?? []) as { id: string; name: string }[];
const Name = '={{ $json.n }}';
const orders = { application: { parts: ORDER_PARTS, records: [ORDER] } };

testTable(
  place,
  { operation: 'create', values: { Name } },
  [
    {
      name: 'get_app was waited for in vain once, then the service is there: the run goes on',
      faults: [http(502, 'get_app', { times: 6 })],
      items: nth(20),
      after: async (_, { json }) => {
        expect(json.filter(({ outcome }) => outcome === 'created').length).toBe(19);
        expect(await count('get_app')).toBeLessThanOrEqual(8);
      },
    },
    {
      name: 'the same where the parts are told by identifiers',
      application: {
        parts: [{ name: 'Name', type: 'textbox', identifier: 'nm' }],
        partIdentifierMode: true,
        records: [{ Name: 'x' }],
      },
      faults: [http(502, 'list_data', { times: 6 })],
      items: nth(20),
      after: (_, { json }) => expect(json.filter(({ outcome }) => outcome === 'created').length).toBe(19),
    },
  ],
  { application: { records: [] }, node: CONTINUE },
);

test('a 403 `ng` is an answer: the items of another application are written', async () => {
  await place.open({ records: [] });
  const { id } = await other();
  await place.sandbox.setFaults([ng('get_app', { status: 403, times: 2 })]);
  const input = [place.app.id, id, id].map((a) => ({ json: { a, n: 'x' } }));
  const { json } = await place.run(
    'create',
    { values: { Name }, ...app('={{ $json.a }}') },
    { input, node: CONTINUE },
  );
  expect(json.map(({ outcome }) => outcome)).toEqual([undefined, 'created', 'created']);
});

test('two applications in doubt: each is asked', async () => {
  await place.open({ records: [] });
  const { id } = await other();
  await place.meanwhile(
    { action: 'get_app', skip: 2, times: 1 },
    async () => await place.sandbox.changeApplication(place.app.id, { status: 'maintenance' }),
    [{ kind: 'latency', where: 'network', ms: 20, action: 'insert_data' }, drop('insert_data', 'before', 2)],
  );
  const input = nth(16).map(({ p, n }) => ({ json: { n, a: p % 2 === 0 ? place.app.id : id } }));
  const { json } = await place.run(
    'create',
    { values: { Name }, ...app('={{ $json.a }}') },
    { input, node: CONTINUE },
  );
  expect(json[14]).toMatchObject({ details: { outcome: 'notDone' } });
});

testTable(place, { operation: 'delete', recordId: '={{ $json.id }}' }, [
  {
    name: 'Delete: a firewall refuses one request of three, the others are sent',
    application: { records: nth(600).map(() => ({ Name: 'x' })) },
    items: nth(600),
    node: CONTINUE,
    faults: [{ kind: 'html', status: 403, action: 'delete_data', times: 1 }],
    after: async (_, { json }) => {
      expect([await count('delete_data'), json.filter(({ deleted }) => deleted).length]).toEqual([3, 400]);
    },
  },
]);

testTable(place, { operation: 'upsert', values: { Name, Price: '={{ $json.p }}' }, matchBy: ['Name'] }, [
  {
    name: 'a firewall refuses the look-up of one key: the other items are written',
    application: { records: [{ Name: 'n0' }, { Name: 'n1' }] },
    items: nth(3),
    node: CONTINUE,
    faults: [{ kind: 'html', status: 403, action: 'list_data', skip: 1, times: 1 }],
    after: (_, { json }) => expect(json.filter(({ error }) => error === undefined).length).toBe(2),
  },
  {
    name: 'an insert in doubt: one question, however many items have its key',
    application: { records: [] },
    items: nth(50),
    run: { values: { Name: 'x', Price: '={{ $json.p }}' } },
    node: CONTINUE,
    faults: [drop('insert_data', 'before')],
    after: async () => expect(await count('get_app')).toBeLessThan(6),
  },
]);

test('what cannot be asked any more is not asked: the keys of another application are not looked up', async () => {
  await place.open({ records: [] });
  const { id } = await other();
  await place.sandbox.setFaults([{ kind: 'status', status: 502, skip: 1 }]);
  const input = nth(6).map(({ n, p }) => ({ json: { n, a: p < 3 ? place.app.id : id } }));
  await place.run(
    'upsert',
    { values: { Name }, matchBy: ['Name'], ...app('={{ $json.a }}') },
    { input, node: CONTINUE },
  );
  expect(await count('list_data')).toBe(0);
});

test('a further try removes no file that somebody else has added meanwhile', async () => {
  await place.open({ parts: ORDER_PARTS, records: [ORDER] });
  const add = async () => {
    const form = new FormData();
    const fields = { action: 'update_data', app_id: place.app.id, data_id: '1', '{{revision}}': '0' };
    for (const [key, value] of Object.entries(fields)) form.append(key, value);
    form.append('{{Docs}}', new Blob(['c']), 'colleague.txt');
    await fetch(place.sandbox.dataUrl, {
      method: 'POST',
      headers: { 'X-Service-Auth': place.sandbox.accessKey },
      body: form,
    });
  };
  // The first removal is refused; before the next try reads the record, a colleague adds a file.
  await place.meanwhile({ action: 'get_data', skip: 3, times: 1 }, add, [
    ng('update_data', { skip: 1, times: 1 }),
  ]);
  await place.run(
    'update',
    {
      recordId: '1',
      values: { Name: 'x' },
      conflictPolicy: 'fail',
      revision: '1',
      options: { partsToEmpty: ['Docs'] },
    },
    { node: RETRY },
  );
  expect((await files()).map(({ name }) => name)).toEqual(['colleague.txt']);
});

describe('a removal in doubt, judged by a further try', () => {
  const faults = [drop('update_data', 'after'), ng('get_data', { skip: 1, times: 1 })];
  test('a row that holds what was sent, and a file of it that is still to be removed (Table Row > Update)', async () => {
    await place.open({
      parts: [{ name: 'Name', type: 'textbox' }, LINES],
      records: [{ Lines: [{ Item: 'a', Plan: [{ name: 'p', text: 'p' }] }] }],
    });
    const [row] = (await place.storedAt())?.values.Lines as { id: string; Plan: [{ id: string }] }[];
    await place.sandbox.setFaults(faults);
    const { error } = await place.run(
      'update',
      { ...rowOf({ Item: 'b', Plan: { remove: [row!.Plan[0].id] } }), rowId: row!.id },
      { node: RETRY },
    );
    expect(error?.message).toBeUndefined();
  });
  test('values that are held: the removals that follow are not announced again (Update)', async () => {
    await place.open(orders.application);
    const remove = (await files()).map(({ id }) => id);
    await place.sandbox.setFaults(faults);
    await place.run('update', { recordId: '1', values: { Name: 'x', Docs: { remove } } }, { node: RETRY });
    expect((await place.sent('update_data')).map(({ auto_action }) => auto_action)).toEqual([
      undefined,
      'off',
      'off',
    ]);
  });
});

testAgent(
  place,
  {
    operation: 'delete',
    resource: 'tableRow',
    recordId: '1',
    tablePart: 'Lines',
    rowId: fromModel('id', 'Row'),
    options: { failIfNotFound: true },
  },
  [
    {
      name: 'a row that was not there is looked for again by the next call',
      application: {
        parts: [{ name: 'Name', type: 'textbox' }, LINES],
        records: [{ Lines: [{ Item: 'x' }] }],
      },
      before: async () =>
        await place.meanwhile(
          { action: 'get_app', skip: 1, times: 1 },
          async () => await place.change({ Lines: [{ id: '1', Item: 'x' }, { Item: 'y' }] }),
        ),
      says: [{ id: '2' }, { id: '2' }],
      after: async () => expect((await place.storedAt())?.values.Lines).toHaveLength(1),
    },
  ],
);
testAgent(
  place,
  {
    operation: 'update',
    recordId: '1',
    values: { Name: 'x' },
    conflictPolicy: 'fail',
    revision: fromModel('rev', 'Revision'),
  },
  [
    {
      name: 'a call under another revision is another write',
      before: async () =>
        await place.meanwhile(
          { action: 'get_app', skip: 1, times: 1 },
          async () => await place.change({ Price: '5' }),
          [drop('update_data', 'before'), ng('get_data', { times: 1 })],
        ),
      says: [{ rev: '1' }, { rev: '2' }],
      after: async () => expect((await place.storedAt())?.values.Name).toBe('x'),
    },
  ],
);

describe('dry run of rows of two table parts of one record', () => {
  const table = (name: string, child: string) => ({
    name,
    type: 'input_list',
    children: [{ name: child, type: 'textbox' }],
  });
  const row = { mappingMode: 'defineBelow', value: '={{ $json.v }}', matchingColumns: [], schema: [] };
  const run = { ...rowOf(null), row, tablePart: '={{ $json.t }}', options: { dryRun: true } };
  const application = {
    parts: [{ name: 'Name', type: 'textbox' }, table('Lines', 'Item'), table('Notes', 'Word')],
    records: [{ Lines: [{ Item: 'a' }], Notes: [{ Word: 'b' }] }],
  };
  testTable(
    place,
    run,
    [
      {
        name: 'each item shows its own row (Add)',
        run: { operation: 'add' },
        items: [
          { t: 'Lines', v: { Item: 'L0' } },
          { t: 'Notes', v: { Word: 'N1' } },
          { t: 'Lines', v: { Item: 'L2' } },
        ],
        shows: [
          {},
          { changes: { Notes: { to: [{ Word: 'N1' }] } } },
          { changes: { Lines: { to: [{ Item: 'L2' }] } } },
        ],
      },
      {
        name: 'and what it is now (Update)',
        run: { operation: 'update', rowId: '={{ $json.r }}' },
        items: [
          { t: 'Lines', r: '1', v: { Item: 'x' } },
          { t: 'Notes', r: '2', v: { Word: 'y' } },
        ],
        shows: [{}, { changes: { Notes: { from: [{ Word: 'b' }], to: [{ Word: 'y' }] } } }],
      },
    ],
    { application },
  );
});

test('Attachment > Delete: a row that is not there is the failure of its own item', async () => {
  await place.open(orders.application);
  const [{ id } = { id: '' }] = await files();
  const input = [
    { p: 'Docs', r: '', f: id },
    { p: 'Lines.Plan', r: '99', f: '5' },
  ].map((json) => ({ json }));
  const settings = {
    resource: 'attachment',
    recordId: '1',
    attachmentPart: '={{ $json.p }}',
    rowId: '={{ $json.r }}',
    attachmentIds: '={{ $json.f }}',
  };
  const { json } = await place.run('delete', settings, { input, node: CONTINUE });
  expect(json[0]).toMatchObject({ outcome: 'deleted' });
});

test('an insert in doubt keeps an item of its key, which was not begun, from being added by a further try', async () => {
  await place.open({ records: [] });
  await place.sandbox.setFaults([
    drop('insert_data', 'before', 1),
    http(502, 'get_app', { skip: 2, times: 6 }),
    http(502, 'list_data', { skip: 2, times: 6 }),
  ]);
  const input = [{ json: {} }, { json: { n: 5 } }];
  await place.run(
    'upsert',
    { values: { Name: 'x', Price: '={{ $json.n ?? $now.toMillis() + Math.random() }}' }, matchBy: ['Name'] },
    { input, node: { ...RETRY, ...CONTINUE } },
  );
  expect(await count('insert_data')).toBe(1);
});

testTable(place, { operation: 'create', values: { Name: 'x' } }, [
  {
    name: '403 with a page: both causes',
    faults: [{ kind: 'html', status: 403, action: 'insert_data' }],
    application: { records: [] },
    error: /filter|firewall/,
  },
  {
    name: '407: a proxy wants a login',
    faults: [http(407, 'insert_data')],
    application: { records: [] },
    error: /proxy/i,
  },
]);

testAgent(
  place,
  {
    operation: 'update',
    recordId: '1',
    values: { Note: 'x' },
    options: { skipUnchanged: true, returnRecord: true },
  },
  [
    {
      name: 'a call that sent nothing is compared again',
      application: { records: [{ Name: 'k', Note: 'x' }] },
      before: async () =>
        await place.meanwhile(
          { action: 'get_app', skip: 1, times: 1 },
          async () => await place.change({ Note: 'theirs' }),
          [ng('get_data', { skip: 1, times: 1 })],
        ),
      says: [{}, {}],
      after: async () => expect((await place.storedAt())?.values.Note).toBe('x'),
    },
  ],
);

test('Delete: what was refused, and somebody else deletes then, is not our deletion', async () => {
  await place.open({ records: [{ Name: 'a' }, { Name: 'b' }] });
  await place.meanwhile(
    { action: 'get_app', skip: 1, times: 1 },
    async () => await place.sandbox.removeRecord(place.app.id, '1'),
    [ng('delete_data', { times: 1 })],
  );
  const { json } = await place.run('delete', { recordId: '1' }, { node: RETRY });
  expect(json[0]).toMatchObject({ deleted: false, notFound: ['1'] });
});

// Twenty keys, each of which would be waited for in vain.
testTable(
  place,
  { operation: 'upsert', values: { Name, Price: '={{ $json.p }}' }, matchBy: ['Name'] },
  [http(502, 'list_data'), http(403, 'list_data')].map((fault) => ({
    name: `Create or Update: look-ups end where the service does not answer (${JSON.stringify(fault)})`,
    application: { records: Array.from({ length: 2000 }, () => ({ Name: 'x' })) },
    ...{ faults: [fault], items: nth(20), node: CONTINUE },
    after: async (_: unknown, { json }: { json: readonly object[] }) => {
      expect(json.filter((item) => 'error' in item)).toHaveLength(20);
      // Four at once, six tries each.
      expect(await count('list_data')).toBeLessThanOrEqual(24);
    },
  })),
);
