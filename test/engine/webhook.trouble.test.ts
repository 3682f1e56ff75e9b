import { ServiceClient, type ClientOptions } from '../../nodes/ApplicationDataService/service/http/client';
import { connect } from '../../nodes/ApplicationDataService/service/http/connect';
import { Receiver } from '../support/receiver';
import { Sandbox, type Fault } from '../support/sandbox';
import { TICKETS } from '../support/triggerTickets';
import { jsonOf, WebhookEngine } from '../support/webhookEngine';

/** Texts that cannot appear anywhere by chance. */
const KEY = 'k3y-THAT-must-stay-secret-4711';
const TOKEN = 't0ken-THAT-must-stay-secret-0815';
const VALUE = 'v4lue-OF-the-payload-alone-2342';

let sandbox: Sandbox;
let app: string;
let node: WebhookEngine;

beforeAll(async () => {
  sandbox = await Sandbox.borrow();
});
afterAll(async () => {
  await sandbox.stop();
});
beforeEach(async () => {
  await sandbox.reset();
  app = (await sandbox.createApplication(TICKETS)).id;
  await sandbox.setUser('1001', { accessKey: KEY });
  node = new WebhookEngine({ baseUrl: sandbox.baseUrl, accessKey: KEY, webhookToken: TOKEN });
});

const body = (more: object = {}): object => ({
  app_id: app,
  data_id: '1',
  type: 'updated',
  access_token: TOKEN,
  data: { Title: { val: VALUE }, Secret: { val: VALUE } },
  app_name: VALUE,
  action_name: VALUE,
  url: 'http://inner.example/record',
  ...more,
});

/** A client that does not wait, but counts the time that it would have waited. */
function withoutWaiting(waited: (total: number) => Promise<void>): typeof connect {
  let total = 0;
  return async (...args) => {
    const { options } = (await connect(...args)) as unknown as { options: ClientOptions };
    const sleep = async (ms: number): Promise<void> => await waited((total += ms));
    return new ServiceClient({ ...options, retries: { ...options.retries, sleep } });
  };
}

test('waits for a service that goes down for ten seconds after its notification', async () => {
  let down = 0;
  await sandbox.stopListening();
  const result = await node.receive(body(), {
    connect: withoutWaiting(async (total) => {
      down = total;
      if (total >= 10_000) await sandbox.startListening();
    }),
  });
  expect(jsonOf(result)).toMatchObject([{ event: 'updated', id: '1', Title: 'One', revision: 1 }]);
  expect(jsonOf(result)[0]).not.toHaveProperty('readError');
  expect(down).toBeGreaterThanOrEqual(10_000);
});

test('outputs a readError for a service that stays down', async () => {
  await sandbox.stopListening();
  try {
    const waiting = withoutWaiting(async () => await Promise.resolve());
    const result = await node.receive(body(), { connect: waiting });
    expect(jsonOf(result)).toMatchObject([{ id: '1', readError: expect.any(String) as unknown }]);
  } finally {
    await sandbox.startListening();
  }
});

test('stops reading after two minutes', async () => {
  const time = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(time.signal);
  await sandbox.setFaults([{ kind: 'latency', where: 'work', ms: 1000, action: 'get_data' }]);
  const reading = node.receive(body(), { answered: () => setImmediate(() => time.abort()) });
  expect(jsonOf(await reading)).toMatchObject([
    { id: '1', readError: 'The service did not return the record within two minutes' },
  ]);
  expect(timeout.mock.calls[0]).toEqual([120_000]);
  timeout.mockRestore();
});

test.each([
  ['escaped characters', '\\"%u0041\\'.repeat(100_000)],
  ['an address', `http://inner.example/${'a%41/'.repeat(200_000)}`],
  ['spaces', `http://inner.example/${' '.repeat(1_000_000)}.`],
])('a megabyte of %s in every field holds up n8n for less than 100 ms', async (_, text) => {
  const fields = { url: text, app_name: text, action_name: text, data: { Title: { val: text } } };
  for (const more of [fields, { ...fields, app_id: text }, { ...fields, data_id: text }, { type: text }]) {
    let answered = 0;
    const result = await node.receive(body(more), { answered: () => void (answered = performance.now()) });
    // What is not read needs no service: the time is the node's own.
    if (result.status !== 200 || 'type' in more) expect(performance.now() - answered).toBeLessThan(100);
    for (const json of jsonOf(result)) expect(json.url).toBeNull();
  }
});

const faults: readonly Fault[] = [
  { kind: 'status', status: 401 },
  { kind: 'status', status: 500, body: `<html>${KEY} ${TOKEN}</html>` },
  { kind: 'html' },
  { kind: 'cut' },
  { kind: 'ng', errorno: -200, message: `The key ${KEY} is wrong`, partKey: 'Name' },
  { kind: 'redirect', location: `http://127.0.0.1:9/?access_key=${KEY}` },
];

describe("key, token and the payload's values", () => {
  test.each(faults)('are in no answer, item or log if reading meets %o', async (fault) => {
    await sandbox.setFaults([{ ...fault, action: 'get_data' }]);
    const waiting = withoutWaiting(async () => await Promise.resolve());
    const result = await node.receive(body(), { connect: waiting });
    expect(jsonOf(result)).toMatchObject([{ readError: expect.any(String) as unknown }]);
    expect(JSON.stringify([result, node.logged])).not.toMatch(new RegExp([KEY, TOKEN, VALUE].join('|')));
  });

  test.each([
    ['is read', {}],
    [
      'repeats them in its address',
      { url: `http://inner.example/record?key=${KEY}&t=${encodeURIComponent(TOKEN)}&id=1` },
    ],
    ['is refused', { access_token: `${TOKEN}!` }],
    ['is not from the service', { type: undefined }],
    ['names a deleted record', { data_id: '99' }],
    ['names a deleted application', { app_id: VALUE.slice(0, 4) }],
  ])('are in no answer, item or log if a notification %s', async (_, more) => {
    const results = [await node.receive(body(more)), await node.receive(body(more), { mode: 'manual' })];
    // The address is the service's own, and output as it is.
    for (const { json } of results.flatMap(({ items }) => items ?? [])) delete json.url;
    expect(JSON.stringify([results, node.logged])).not.toMatch(new RegExp([KEY, TOKEN, VALUE].join('|')));
  });

  test('are not in the log of the service that notifies', async () => {
    const receiver = await Receiver.start();
    try {
      await sandbox.changeApplication(app, { notification: { address: receiver.address, token: TOKEN } });
      const results = node.listen(receiver);
      await fetch(sandbox.dataUrl, {
        method: 'POST',
        headers: { 'X-Service-Auth': KEY },
        body: new URLSearchParams({
          action: 'update_data',
          app_id: app,
          data_id: '1',
          '{{revision}}': '0',
          '{{Title}}': 'New',
        }),
      });
      expect(jsonOf(await results[0]!)).toMatchObject([{ Title: 'New' }]);
      expect(JSON.stringify([await sandbox.notifications(), await sandbox.log()])).not.toMatch(
        new RegExp([KEY, TOKEN].join('|')),
      );
    } finally {
      await receiver.stop();
    }
  });
});
