import { Receiver } from '../support/receiver';
import { anyNumber, anyText, matching } from './support/matchers';
import { ServiceClient } from './support/serviceCall';

/** service-facts, "Notifications": what automatic processing sends to an address. */
let client: ServiceClient;
let receiver: Receiver;
const notifyOf = (application: string, settings = {}) =>
  client.sandbox.changeApplication(application, {
    notification: { address: receiver.address, token: 'secret-token', ...settings },
  });
beforeAll(async () => {
  client = await ServiceClient.start();
  receiver = await Receiver.start();
});
beforeEach(async () => {
  await client.sandbox.reset();
  receiver.received.length = 0;
  receiver.answer = (_received, response) => void response.end('{"message":"ok"}');
});
afterAll(async () => {
  await receiver.stop();
  await client.sandbox.stop();
});

it('say what was added and changed, and go to the set address', async () => {
  await notifyOf('customers', { actionName: 'Tell n8n' });
  const id = await client.insert('301', { '{{Company}}': 'Cedar', '{{Credit Limit}}': '7' });
  await client.update('301', id, { '{{Contact}}': 'Ann' });
  expect(receiver.received.map(({ method, headers }) => [method, headers['content-type']])).toEqual([
    ['POST', 'application/json'],
    ['POST', 'application/json'],
  ]);
  const common = { app_id: '301', data_id: id, app_name: 'Customers', action_name: 'Tell n8n' };
  const urls = { url: matching(/^http:.*dneo\.cgi/), external_url: anyText() };
  expect(receiver.received.map(({ body }) => body)).toMatchObject([
    { ...common, ...urls, type: 'added', access_token: 'secret-token' },
    { ...common, ...urls, type: 'updated', data: { Contact: { val: 'Ann' }, revision: { val: '2' } } },
  ]);
});

it('contain the record regardless of rights, with part names as keys', async () => {
  await client.sandbox.setUser('1002', {
    rights: { requests: { parts: { Subject: 'read', amount: 'none' } } },
  });
  await notifyOf('requests');
  await client.as('sandbox-key-tanaka').update('304', '1', { '{{reason}}': 'New' });
  const { data } = receiver.received[0]!.body as { data: Record<string, unknown> };
  expect(data).toMatchObject({
    Subject: { val: 'Second monitor' },
    Amount: { val: '240' },
    Reason: { val: 'New' },
  });
  expect(data).toHaveProperty('Internal Remark');
  expect(JSON.stringify(data)).not.toMatch(/deny_write|permissions|unauthorized/);
});

it.each([
  ['of events that are not wanted', { events: ['added'] }, {}],
  ['without automatic processing', {}, { auto_action: 'off' }],
])('are not sent %s', async (_, settings, parameters) => {
  await notifyOf('customers', settings);
  await client.update('301', '1', { '{{Contact}}': 'Ann', ...parameters });
  await client.call('delete_data', { app_id: '301', data_id: '2' });
  expect(receiver.received).toEqual([]);
});

it('are not sent for a refused change, nor after they are switched off', async () => {
  await notifyOf('customers');
  await client.update('301', '1', { '{{Company}}': '' });
  await client.sandbox.changeApplication('customers', { notification: null });
  await client.update('301', '1', { '{{Company}}': 'A' });
  expect(receiver.received).toEqual([]);
});

it('block the queue until they are answered', async () => {
  await notifyOf('customers');
  let asked: Promise<unknown> | undefined;
  receiver.answer = async (_received, response) => {
    asked = client.call('get_data', { app_id: '301', data_id: '1' });
    while ((await client.sandbox.statistics()).mostWaiting < 1) continue;
    response.end();
  };
  expect(await client.update('301', '1', { '{{Contact}}': 'Ann' })).toMatchObject({ status: 'ok' });
  expect(await asked).toMatchObject({ status: 'ok' });
  expect((await client.sandbox.log()).map(({ action }) => action)).toEqual(['update_data', 'get_data']);
});

it('are sent after the answer if the dialect says so', async () => {
  await client.sandbox.setDialect({ notifications: 'after' });
  await notifyOf('customers');
  const asked = new Promise((resolve) => {
    receiver.answer = async (_received, response) => {
      resolve((await client.call('get_data', { app_id: '301', data_id: '1' })).status);
      response.end();
    };
  });
  expect(await client.update('301', '1', { '{{Contact}}': 'Ann' })).toMatchObject({ status: 'ok' });
  expect(await asked).toBe('ok');
});

it('are logged with the answer, never with token or values', async () => {
  await notifyOf('customers');
  receiver.answer = (_received, response) => void response.writeHead(403).end('Forbidden');
  await client.update('301', '1', { '{{Contact}}': 'Ann Other' });
  await notifyOf('customers', { address: 'http://127.0.0.1:1/' });
  await client.update('301', '1', { '{{Contact}}': 'Ann Other' });
  const log = await client.sandbox.notifications();
  const common = { application: '301', record: '1', type: 'updated' };
  expect(log).toMatchObject([
    { ...common, number: anyNumber(), httpStatus: 403, outcome: 'refused', answer: 'Forbidden' },
    { ...common, httpStatus: 0, outcome: matching(/ECONNREFUSED|bad port/), answer: '' },
  ]);
  expect(JSON.stringify(log)).not.toMatch(/secret-token|Ann Other/);
  expect(await client.sandbox.notifications(log[0]?.number)).toHaveLength(1);
});

it.each([
  [{ address: 'ftp://example.org/' }, 'must begin with http'],
  [{ address: 'here' }, 'must begin with http'],
  [{ events: ['deleted'] }, 'added, updated'],
])('refuse the settings %j', async (settings, text) => {
  await expect(notifyOf('customers', settings)).rejects.toThrow(text);
});
