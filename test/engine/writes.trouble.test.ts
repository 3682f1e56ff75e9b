import type { IDataObject } from 'n8n-workflow';

import { ORDER, ORDER_PARTS, storedOrders } from './support/orders';
import { useQuickRetries } from './support/quickRetries';
import { LINES, rowOf } from './support/rows';
import { byIdentifier, mapped } from './support/saved';
import { CONTINUE, drop, each, http, ng, testTable } from './support/table';
import { RETRY, useWorkplace, type Workplace } from './support/workplace';

useQuickRetries();

/** Former faults of writes and outages. */
const place = useWorkplace(null);
const { docs, names } = storedOrders(place);
const nth = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ n: `n${n}`, id: String(n + 1), p: n }));
const count = async (action: string) => (await place.calls(action)).length;
const Name = '={{ $json.n }}';
const NAMED = { name: 'Name', type: 'textbox' };
const empty = { records: [] };
/** A second application, which some items name. */
const other = async ({ sandbox }: Workplace) =>
  await sandbox.createApplication({ name: 'Other', identifier: 'other', parts: [NAMED] });
const either = { application: byIdentifier('={{ $json.a }}') };

testTable(
  place,
  { operation: 'create', values: { Name } },
  {
    'get_app was waited for in vain once, then the service is there: the run goes on': {
      ...{ faults: [http(502, 'get_app', { times: 6 })], items: nth(20) },
      after: async (_, { json }) => {
        expect(json.filter(({ outcome }) => outcome === 'created').length).toBe(19);
        expect(await count('get_app')).toBeLessThanOrEqual(8);
      },
    },
    'the same where the parts are told by identifiers': {
      application: {
        ...{ parts: [{ ...NAMED, identifier: 'nm' }], partIdentifierMode: true, records: [{ Name: 'x' }] },
      },
      ...{ faults: [http(502, 'list_data', { times: 6 })], items: nth(20) },
      after: (_, { json }) => expect(json.filter(({ outcome }) => outcome === 'created').length).toBe(19),
    },
    'a 403 `ng` is an answer: the items of another application are written': {
      ...{ before: other, run: either, faults: [ng('get_app', { status: 403, times: 2 })] },
      items: ['goods', 'other', 'other'].map((a) => ({ a, n: 'x' })),
      outcomes: [expect.not.stringMatching('created'), 'created', 'created'],
    },
    'two applications in doubt: each is asked': {
      ...{
        before: other,
        run: either,
        items: nth(16).map(({ p, n }) => ({ n, a: p % 2 ? 'other' : 'goods' })),
      },
      meanwhile: [
        { action: 'get_app', skip: 2, times: 1 },
        ({ sandbox, app }) => sandbox.changeApplication(app.id, { status: 'maintenance' }),
      ],
      faults: [
        { kind: 'latency', where: 'network', ms: 20, action: 'insert_data' },
        drop('insert_data', 'before', 2),
      ],
      after: (_, { json }) => expect(json[14]).toMatchObject({ details: { outcome: 'notDone' } }),
    },
  },
  { application: empty, node: CONTINUE },
);

const deletion = { operation: 'delete', recordId: '={{ $json.id }}' };
testTable(place, deletion, {
  'Delete: a firewall refuses one request of three, the others are sent': {
    ...{ application: { records: nth(600).map(() => ({ Name: 'x' })) }, items: nth(600), node: CONTINUE },
    faults: [{ kind: 'html', status: 403, action: 'delete_data', times: 1 }],
    after: async (_, { json }) => {
      expect([await count('delete_data'), json.filter(({ deleted }) => deleted).length]).toEqual([3, 400]);
    },
  },
  'Delete: what was refused, and somebody else deletes then, is not our deletion': {
    ...{ items: [{ id: '1' }], node: RETRY, faults: [ng('delete_data', { times: 1 })] },
    meanwhile: [
      { action: 'get_app', skip: 1, times: 1 },
      ({ sandbox, app }) => sandbox.removeRecord(app.id, '1'),
    ],
    shows: [{ deleted: false, notFound: ['1'] }],
  },
});

testTable(
  place,
  { operation: 'upsert', values: { Name, Price: '={{ $json.p }}' }, matchBy: ['Name'] },
  {
    'a firewall refuses the look-up of one key: the other items are written': {
      ...{ application: { records: [{ Name: 'n0' }, { Name: 'n1' }] }, items: nth(3) },
      faults: [{ kind: 'html', status: 403, action: 'list_data', skip: 1, times: 1 }],
      after: (_, { json }) => expect(json.filter(({ error }) => error === undefined).length).toBe(2),
    },
    'a key whose look-up a firewall refuses is known if all records are read anyway': {
      application: { records: nth(200).map(({ n, p }) => ({ Name: n, Price: String(p) })) },
      ...{ dialect: { equals: 'misses:*' }, items: nth(3), outcomes: Array(3).fill('unchanged') },
      faults: [{ kind: 'html', status: 403, action: 'list_data', skip: 1, times: 1 }],
    },
    'an insert in doubt: one question, however many items have its key': {
      ...{ run: { values: { Name: 'x', Price: '={{ $json.p }}' } }, items: nth(50) },
      faults: [drop('insert_data', 'before')],
      after: async () => expect(await count('get_app')).toBeLessThan(6),
    },
    'what cannot be asked any more is not asked: the keys of another application are not looked up': {
      ...{
        before: other,
        run: { ...either, values: { Name } },
        faults: [{ kind: 'status', status: 502, skip: 1 }],
      },
      items: nth(6).map(({ n, p }) => ({ n, a: p < 3 ? 'goods' : 'other' })),
      sent: { list_data: 0 },
    },
    'an insert in doubt keeps an item of its key, which was not begun, from being added by a further try': {
      run: { values: { Name: 'x', Price: '={{ $json.n ?? $now.toMillis() + Math.random() }}' } },
      faults: [
        drop('insert_data', 'before', 1),
        ...['get_app', 'list_data'].map((action) => http(502, action, { skip: 2, times: 6 })),
      ],
      ...{ items: [{}, { n: 5 }], node: { ...RETRY, ...CONTINUE }, sent: { insert_data: 1 } },
    },
    // Twenty keys, each of which would be waited for in vain.
    ...each([http(502, 'list_data'), http(403, 'list_data')])(
      'look-ups end where the service does not answer: %s',
      (fault) => ({
        application: { records: Array.from({ length: 2000 }, () => ({ Name: 'x' })) },
        ...{ faults: [fault], items: nth(20) },
        after: async (_, { json }) => {
          expect(json.filter((item) => 'error' in item)).toHaveLength(20);
          // Four at once, six tries each.
          expect(await count('list_data')).toBeLessThanOrEqual(24);
        },
      }),
    ),
  },
  { application: empty, node: CONTINUE },
);

/** Somebody else adds a file, and the others keep their IDs. */
async function addFile({ sandbox, app }: Workplace): Promise<void> {
  const form = new FormData();
  const fields = { action: 'update_data', app_id: app.id, data_id: '1', '{{revision}}': '0' };
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  form.append('{{Docs}}', new Blob(['c']), 'colleague.txt');
  const headers = { 'X-Service-Auth': sandbox.accessKey };
  await fetch(sandbox.dataUrl, { method: 'POST', headers, body: form });
}

/** What an item says of the files that are there. */
const input: { json: IDataObject }[] = [{ json: {} }];
const says = (json: (ids: string[]) => IDataObject) => async () =>
  void (input[0]!.json = json((await docs()).map(({ id }) => id)));
const inDoubt = [drop('update_data', 'after'), ng('get_data', { skip: 1, times: 1 })];

testTable(
  place,
  { operation: 'update', recordId: '1' },
  {
    'a further try removes no file that somebody else has added meanwhile': {
      run: {
        ...{ values: { Name: 'x' }, conflictPolicy: 'fail', revision: '1' },
        options: { partsToEmpty: ['Docs'] },
      },
      // The first removal is refused; before the next try reads the record, a colleague adds a file.
      meanwhile: [{ action: 'get_data', skip: 3, times: 1 }, addFile],
      faults: [ng('update_data', { skip: 1, times: 1 })],
      after: async () => expect(await names()).toEqual(['colleague.txt']),
    },
    'values that a write in doubt holds: the removals that follow are not announced again': {
      ...{ before: says((remove) => ({ remove })), engine: { input, node: RETRY }, faults: inDoubt },
      run: { values: { Name: 'x', Docs: '={{ ({ remove: $json.remove }) }}' } },
      after: async () =>
        expect((await place.sent('update_data')).map(({ auto_action }) => auto_action)).toEqual([
          ...[undefined, 'off', 'off'],
        ]),
    },
    'a row that a write in doubt has changed, and a file of it that is still to be removed': {
      application: {
        parts: [NAMED, LINES],
        records: [{ Lines: [{ Item: 'a', Plan: [{ name: 'p', text: 'p' }] }] }],
      },
      before: async () => {
        const [line] = (await place.storedAt())?.values.Lines as { Plan: [{ id: string }] }[];
        input[0]!.json = { file: line!.Plan[0].id };
      },
      ...{ engine: { input, node: RETRY }, faults: inDoubt },
      run: rowOf({ Item: 'b', Plan: '={{ ({ remove: [$json.file] }) }}' }, { rowId: '1' }),
      outcomes: ['updated'],
    },
    'Attachment > Delete: a row that is not there concerns its own item alone': {
      before: says(([file]) => ({ p: 'Docs', r: '', file })),
      engine: { input: [...input, { json: { p: 'Lines.Plan', r: '99', file: '5' } }], node: CONTINUE },
      run: {
        ...{ resource: 'attachment', operation: 'delete', attachmentPart: '={{ $json.p }}' },
        ...{ rowId: '={{ $json.r }}', attachmentIds: '={{ $json.file }}' },
      },
      outcomes: ['deleted', 'notFound'],
    },
  },
  { application: { parts: ORDER_PARTS, records: [ORDER] }, node: RETRY },
);

const row = mapped('={{ $json.v }}');
const table = (name: string, child: string) => ({
  ...{ name, type: 'input_list', children: [{ name: child, type: 'textbox' }] },
});
const rowOfItem = { ...rowOf(null), row, tablePart: '={{ $json.t }}', options: { dryRun: true } };
testTable(place, rowOfItem, {
  'in a dry run of two table parts of one record, each item shows its own row, and what it is now': {
    application: {
      parts: [NAMED, table('Lines', 'Item'), table('Notes', 'Word')],
      records: [{ Lines: [{ Item: 'a' }], Notes: [{ Word: 'b' }] }],
    },
    run: { operation: 'update', rowId: '={{ $json.r }}' },
    items: [
      { t: 'Lines', r: '1', v: { Item: 'x' } },
      { t: 'Notes', r: '2', v: { Word: 'y' } },
    ],
    shows: [{}, { changes: { Notes: { from: [{ Word: 'b' }], to: [{ Word: 'y' }] } } }],
  },
});
