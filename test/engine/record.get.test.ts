import type { INodeParameters } from 'n8n-workflow';

import { Engine, type EngineOptions, type EngineResult } from '../support/engine';
import { recordParameters, tickets, useTickets } from './support/tickets';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

const place = useTickets();
let first: string;

beforeAll(() => {
  first = place.app.records[0]!;
});

async function get(parameters: INodeParameters = {}, options: EngineOptions = {}): Promise<EngineResult> {
  return await place.run('get', { recordId: first, ...parameters }, options);
}

async function getCalls(): Promise<Readonly<Record<string, string>>[]> {
  const calls = (await place.sandbox.log()).filter(({ action }) => action === 'get_data');
  return calls.map(({ parameters }) => Object.fromEntries(parameters) as Record<string, string>);
}

test('returns the record with every part, by its ID alone', async () => {
  const { json, error, hints } = await get();
  expect([error, hints]).toEqual([undefined, []]);
  expect(json).toEqual([
    expect.objectContaining({
      id: first,
      revision: 1,
      canWrite: true,
      canDelete: true,
      Title: 'Acme Engineering',
      Hours: 1.5,
      From: '09:30:00',
      Sum: 3,
      Team: [expect.objectContaining({ id: '201', name: 'Sales' }), expect.objectContaining({ id: '202' })],
      Related: [expect.objectContaining({ Company: 'Acme Engineering' })],
    }),
  ]);
  expect((await place.sandbox.log()).map(({ action }) => action)).toEqual(['get_app', 'get_data']);
  expect(await getCalls()).toEqual([{ action: 'get_data', app_id: place.app.id, data_id: first }]);
});

test('without reference lists, they have no key', async () => {
  const { json } = await get({ options: { loadReferenceLists: false } });
  expect(json[0]).not.toHaveProperty('Related');
  expect(json[0]).toHaveProperty('Lines');
  expect((await getCalls())[0]).toMatchObject({ load_rel_list: 'off' });
});

test('returns only the parts to return', async () => {
  const { json } = await get({ options: { partsToReturn: ['Title', place.app.parts.Hours!] } });
  expect(json).toEqual([
    { id: first, revision: 1, canWrite: true, canDelete: true, Title: 'Acme Engineering', Hours: 1.5 },
  ]);
});

test('raw output is the object of the service, with only the parts to return', async () => {
  const [whole] = (await get({ simplify: false })).json;
  expect(whole).toMatchObject({
    Title: { val: 'Acme Engineering' },
    revision: { val: '1', deny_write: 'on' },
  });
  const [narrow] = (await get({ simplify: false, options: { partsToReturn: ['Title'] } })).json;
  expect(narrow).toEqual({
    ID: whole?.ID,
    Title: whole?.Title,
    revision: whole?.revision,
    '\\permissions': whole?.['\\permissions'],
  });
});

test('parts with an error have no key but say why', async () => {
  const key = 'limited-key';
  await place.sandbox.setUser('1050', {
    name: 'Limited',
    accessKey: key,
    rights: { tickets: { access: true, write: 'none', delete: 'none', parts: { Hours: 'none' } } },
  });
  const limited = new Engine({ baseUrl: place.sandbox.baseUrl, accessKey: key });
  const { json } = await limited.run(recordParameters('get', place.app, { recordId: first }));
  expect(json[0]).toMatchObject({ canWrite: false, canDelete: false, partErrors: { Hours: 'unauthorized' } });
  expect(json[0]).not.toHaveProperty('Hours');
});

test('one record for each item, and the same one is read once', async () => {
  const input = [0, 1, 0, 2].map((index) => ({ json: { id: place.app.records[index] } }));
  const { json, items } = await get({ recordId: '={{ $json.id }}' }, { input });
  expect(json.map(({ id }) => id)).toEqual([0, 1, 0, 2].map((index) => place.app.records[index]));
  expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
  expect(await getCalls()).toHaveLength(3);
});

test.each<[string, INodeParameters, RegExp]>([
  ['an empty id', { recordId: '={{ $json.missing }}' }, /record ID is empty/],
  ['a record that does not exist', { recordId: '999' }, /^There is no record 999 in Tickets$/],
  ['an unknown part', { options: { partsToReturn: ['Nope'] } }, /There is no part "Nope"/],
  [
    'no application',
    { application: { __rl: true, mode: 'id', value: '={{ $json.missing }}' } },
    /No application is selected/,
  ],
  [
    'an unknown application',
    { application: { __rl: true, mode: 'id', value: '999' } },
    /^The application 999 cannot be read\. The service refused: /,
  ],
])('refuses %s', async (_, parameters, message) => {
  const { error } = await get(parameters);
  expect(error?.message).toMatch(message);
  expect(error?.context?.itemIndex).toBe(0);
});

test('Continue On Fail returns the failed item in its place, or on the error output', async () => {
  const input = [{ json: { id: first } }, { json: { id: '999' } }, { json: { id: place.app.records[1] } }];
  const regular = await get(
    { recordId: '={{ $json.id }}' },
    { input, node: { onError: 'continueRegularOutput' } },
  );
  expect(regular.items.map(({ json, pairedItem }) => [json.id ?? typeof json.error, pairedItem])).toEqual([
    [first, { item: 0 }],
    ['string', { item: 1 }],
    [place.app.records[1], { item: 2 }],
  ]);
  const split = await get(
    { recordId: '={{ $json.id }}' },
    { input, node: { onError: 'continueErrorOutput' } },
  );
  expect(split.json.map(({ id }) => id)).toEqual([first, place.app.records[1]]);
  expect(split.errorItems).toHaveLength(1);
});

test.each<[string, Record<string, unknown>]>([
  ['ids and counts as numbers', { ids: 'number', counts: 'number' }],
  ['dates as objects', { dates: 'object' }],
  ['numbers with separators', { numbers: 'separators' }],
  ['JSON numbers', { numbers: 'number' }],
  ['single items as objects', { singleItem: 'object' }],
  ['row ids as values', { rowIds: 'value' }],
  ['permissions with two backslashes', { permissionsKey: 'two' }],
  ['permissions without a backslash', { permissionsKey: 'plain' }],
  ['a list of some parts without revision', { listRevision: 'never' }],
])('reads the same with %s', async (_, dialect) => {
  const plain = await get();
  await place.sandbox.setDialect(dialect);
  expect((await get()).json).toEqual(plain.json);
});

test('reads rows without ids', async () => {
  await place.sandbox.setDialect({ rowIds: 'none' });
  expect((await get()).json[0]?.Lines).toEqual([
    { id: null, Item: 'Bolt', Qty: 3 },
    { id: null, Item: 'Nut', Qty: null },
  ]);
});

test('reads by identifier, and refuses to return a part that has none', async () => {
  await place.sandbox.changeApplication(place.app.id, { partIdentifierMode: true });
  expect((await get({ options: { partsToReturn: ['Title'] } })).json).toEqual([
    expect.objectContaining({ id: first, title: 'Acme Engineering' }),
  ]);
  const { error } = await get({ options: { partsToReturn: ['Created at'] } });
  expect(error?.message).toMatch(/"Created at" .* has no part identifier/);
});

test.each(['maintenance', 'stopped'] as const)('says that the application is in %s', async (status) => {
  const closed = await place.sandbox.createApplication(tickets({ name: status, identifier: status, status }));
  const { error } = await place.engine.run(
    recordParameters('get', closed, { recordId: closed.records[0] ?? '1' }),
  );
  expect(error?.message).toBe(`The application "${status}" is not running (${status})`);
});
