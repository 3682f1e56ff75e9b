import { OPERATIONS } from '../../nodes/ApplicationDataService/operations/registry';
import type { LoggedCall } from '../support/sandbox';
import { some } from './support/like';
import { ORDER_PARTS } from './support/orders';
import { rowOf, withFiles } from './support/rows';
import { useWorkplace, type RunSettings } from './support/workplace';

/** The request that a dry run shows is the first one of a real run, field by field. */
const place = useWorkplace(null);

const RECORDS = [
  {
    Name: 'Order',
    Note: 'old',
    Docs: [{ name: 'a.txt', text: 'a' }],
    Lines: [{ Item: 'first', Plan: [{ name: 'p.txt', text: 'p' }] }, { Item: 'second' }],
  },
  { Name: 'Other' },
];
const LINES = [{ id: '1', Item: 'changed' }, { Item: 'new' }];
const INPUT = [withFiles({ data: { name: 'data', text: 'x' }, more: { name: 'more', text: 'yy' } })];
const update = (values: RunSettings['values'], more: RunSettings = {}): [string, RunSettings] => [
  'update',
  { recordId: '1', values, ...more },
];
const byName = (values: RunSettings['values'], more: RunSettings = {}): RunSettings => ({
  values,
  matchBy: ['Name'],
  ...more,
});

const WRITES: readonly (readonly [string, string, RunSettings])[] = [
  [
    'Create',
    'create',
    {
      values: { Name: 'é"\\\n{{x}}', Docs: 'data, more', Lines: [{ Item: 'x', Plan: 'data' }] },
      options: { autoAction: false },
    },
  ],
  ['Update', ...update({ Name: 'N', Note: '' })],
  ['Update under a revision', ...update({ Name: 'N' }, { conflictPolicy: 'fail', revision: '1' })],
  ['Update of what differs', ...update({ Name: 'Order', Note: 'x' }, { options: { skipUnchanged: true } })],
  ['Update of rows', ...update({ Lines: LINES })],
  ['Update of all rows', ...update({ Lines: LINES }, { options: { tableRowMode: 'replace' } })],
  [
    'Update of rows without IDs',
    ...update({ Lines: [{ Item: 'x' }] }, { options: { tableRowMode: 'replace' } }),
  ],
  [
    'Update of files in rows',
    ...update({
      Lines: [
        { id: '2', Plan: 'data' },
        { Item: 'n', Plan: 'data, more' },
      ],
    }),
  ],
  ['Update of files', ...update({ Docs: { add: ['data', 'more'], remove: ['1'] } })],
  ['Update that empties', ...update({ Name: 'N' }, { options: { partsToEmpty: ['Note', 'Docs', 'Lines'] } })],
  ['Create or Update that creates', 'upsert', byName({ Name: 'New', Note: 'x' })],
  ['Create or Update that updates', 'upsert', byName({ Name: 'Order', Note: 'x', Lines: LINES })],
  [
    'Create or Update under a revision',
    'upsert',
    byName({ Name: 'Order', Note: 'x' }, { conflictPolicy: 'fail' }),
  ],
  ['Sync that creates', 'sync', byName({ Name: 'New', Note: 'x' })],
  ['Sync that updates', 'sync', byName({ Name: 'Order', Note: 'x', Lines: LINES })],
  [
    'Sync that deletes',
    'sync',
    byName({ Name: 'Order' }, { missing: 'delete', options: { allowMostRemovals: true } }),
  ],
  ['Table Row > Add', 'add', rowOf({ Item: 'x', Plan: 'data' })],
  ['Table Row > Update', 'update', rowOf({ Item: 'x', Plan: 'data' }, { rowId: '2' })],
  ['Table Row > Delete', 'delete', rowOf({}, { rowId: '1' })],
];

/** A request as a dry run shows it. A repeated field is a list, and a file is the name of its field. */
function shown({ action, parameters, files }: LoggedCall): Record<string, unknown> {
  const fields = parameters.filter(([name]) => name !== 'action');
  const request: Record<string, unknown> = { action };
  for (const [name, value] of [
    ...fields,
    ...files.map((file) => [file.field, `(file ${file.name})`] as const),
  ])
    request[name] = request[name] === undefined ? value : [request[name], value].flat();
  return request;
}

test.each(WRITES)('%s', async (_, operation, settings) => {
  await place.open({ parts: ORDER_PARTS, records: RECORDS });
  const dry = { ...settings, options: { ...settings.options, dryRun: true } };
  const planned = await place.run(operation, dry, { input: INPUT });
  expect(planned.hints.map(({ message }) => message)).toContain('Dry run: nothing was written');
  expect((await place.actions()).filter((action) => /^(insert|update|delete)_/.test(action))).toEqual([]);
  expect((await place.run(operation, settings, { input: INPUT })).json.length).toBeGreaterThan(0);
  const [sent] = (await place.sandbox.log()).filter(({ action }) => /^(insert|update|delete)_/.test(action));
  const requests = planned.json.flatMap(({ request }) =>
    request === undefined ? [] : [Object.entries(request as object)],
  );
  expect(requests).toEqual([Object.entries(shown(sent!))]);
});

test('every operation that can be tried without writing is here, but Delete', () => {
  const tried = WRITES.map(([, operation, { resource = 'record' }]) => `${String(resource)}.${operation}`);
  const planned = OPERATIONS.filter(({ options }) => 'dryRun' in options);
  const names = planned.map(({ resource, value }) => `${resource}.${value}`);
  expect(names.filter((name) => !tried.includes(name))).toEqual(['record.delete']);
});

test('Table Row: each item shows its own row, and the first their one request with the names of their files', async () => {
  await place.open({ parts: ORDER_PARTS, records: RECORDS });
  const settings = rowOf({ Item: 'x', Plan: 'data' }, { options: { dryRun: true } });
  const { json } = await place.run('add', settings, { input: [INPUT[0]!, INPUT[0]!] });
  expect(json.map(({ request }) => request)).toEqual([
    some({ '{{Lines}}2.{{Plan}}': '(file data)', '{{Lines}}3.{{Plan}}': '(file data)' }),
    undefined,
  ]);
  const row = { id: null, Item: 'x', Plan: { add: ['data'], remove: [] } };
  expect(json.map(({ changes }) => changes)).toEqual([{ Lines: { to: [row] } }, { Lines: { to: [row] } }]);
  expect(JSON.stringify(json)).not.toContain('0:data');
});
