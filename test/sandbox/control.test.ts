import { get } from 'node:http';
import { anyText } from './support/matchers';
import { useClient } from './support/serviceCall';

/** docs/dev/sandbox.md, "Control". */
const client = useClient();

it('logs calls without keys', async () => {
  const query = `?action=count_data&app_id=301&access_key=${client.accessKey}`;
  await client.fetch({ method: 'GET', query });
  await client.call('get_data', { app_id: '301', data_id: '99' });
  const log = await client.sandbox.log();
  expect(log).toMatchObject([
    { method: 'GET', action: 'count_data', user: '1001', httpStatus: 200, outcome: 'ok' },
    { method: 'POST', action: 'get_data', outcome: 'ng', errorno: -10021 },
  ]);
  expect(JSON.stringify(log)).not.toContain(client.accessKey);
  expect(log[0]?.parameters).toEqual([
    ['action', 'count_data'],
    ['app_id', '301'],
  ]);
  expect(await client.sandbox.log(log[0]?.number)).toHaveLength(1);
});

it('changes records as another user, and quietly', async () => {
  await client.sandbox.setClock('2030-01-01T00:00:00');
  const changed = await client.sandbox.changeRecord('301', '1', { Contact: 'New' }, { as: '1002' });
  expect(changed).toMatchObject({ revision: 2, updatedBy: '1002', updatedAt: '2030-01-01T00:00' });
  await client.sandbox.setClock('2031-01-01T00:00:00');
  const quiet = await client.sandbox.changeRecord('301', '1', { Contact: 'Q' }, { quietly: true });
  expect(quiet).toMatchObject({ revision: 3, updatedAt: '2030-01-01T00:00', values: { Contact: 'Q' } });
  const [id] = await client.sandbox.addRecords('301', [{ Company: 'C', 'Account Managers': ['1001'] }]);
  await client.sandbox.removeRecord('301', id ?? '');
  expect(await client.sandbox.records('301')).toHaveLength(4);
});

it('changes an application: parts are renamed, added and removed', async () => {
  const { parts } = await client.sandbox.changeApplication('customers', {
    parts: { Contact: { name: 'Person' } },
    addParts: [{ name: 'Shoe Size', type: 'number' }],
    removeParts: ['Rank'],
  });
  expect(parts).toMatchObject({ Person: '102', 'Shoe Size': anyText() });
  expect(parts).not.toHaveProperty('Rank');
  expect((await client.record('301', '1')).Person).toEqual({ val: 'Lena Hofer' });
});

it.each([
  [{ name: '', parts: [] }, 'name'],
  [{ name: 'X', identifier: 'customers', parts: [] }, 'customers'],
  [{ name: 'X', parts: [{ name: 'A', type: 'color' }] }, 'color'],
  [{ name: 'X', parts: [{ name: 'A', type: 'expression', formula: '1 +' }] }, 'Formula'],
  [{ name: 'X', parts: [{ name: 'A', type: 'number' }], records: [{ A: 'many' }] }, 'number'],
  [{ name: 'X', parts: [], records: [{ B: 1 }] }, 'no part'],
])('refuses the application %j and stores nothing of it', async (definition, because) => {
  await expect(client.sandbox.createApplication(definition)).rejects.toThrow(because);
  expect(await client.list('list_apps')).toHaveLength(5);
});

// The first access key is published: a web page must not be able to use it through a person's browser.
it.each<[string, Readonly<Record<string, string>>, number, number]>([
  ['a program', {}, 200, 200],
  ['a container, by the name of the service', { host: 'sandbox:8787' }, 403, 200],
  ['a container, by the name of the machine', { host: 'host.docker.internal:8787' }, 403, 200],
  ['a web page of another address', { origin: 'https://evil.example' }, 403, 403],
  ['a web page by a name that leads to this machine', { host: 'evil.example:8787' }, 403, 403],
  ['a web page in a frame without an address', { origin: 'null' }, 403, 403],
])('answers %s', async (_who, headers, control, data) => {
  const key = { 'x-service-auth': client.accessKey };
  expect(await statusOf(`${client.sandbox.controlUrl}/users`, headers)).toBe(control);
  expect(await statusOf(`${client.sandbox.dataUrl}?action=list_apps`, { ...key, ...headers })).toBe(data);
});

/** `fetch` does not let a caller choose the host. */
function statusOf(address: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    get(address, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    }).on('error', reject);
  });
}
