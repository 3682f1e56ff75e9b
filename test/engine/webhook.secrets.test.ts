import type { Fault } from '../support/sandbox';
import { jsonOf, type WebhookEngine } from '../support/webhookEngine';
import { anyText } from './support/like';
import { useWebhookPlace, WEBHOOK_TOKEN as TOKEN, withoutWaiting } from './support/webhookPlace';

/** Key, token and the payload's values are in nothing that leaves the node. They cannot appear anywhere by chance. */
const KEY = 'k3y-THAT-must-stay-secret-4711';
const VALUE = 'v4lue-OF-the-payload-alone-2342';
const SECRETS = new RegExp([KEY, TOKEN, VALUE].join('|'));

const place = useWebhookPlace();
let node: WebhookEngine;
beforeEach(async () => {
  await place.sandbox.setUser('1001', { accessKey: KEY });
  node = place.engine({}, { accessKey: KEY });
});

const body = (more: object = {}) =>
  place.body({
    data: { Title: { val: VALUE }, Secret: { val: VALUE } },
    app_name: VALUE,
    action_name: VALUE,
    ...more,
  });

test.each<Fault>([
  { kind: 'status', status: 401 },
  { kind: 'status', status: 500, body: `<html>${KEY} ${TOKEN}</html>` },
  { kind: 'cut' },
  { kind: 'ng', errorno: -200, message: `The key ${KEY} is wrong`, partKey: 'Name' },
  { kind: 'redirect', location: `http://127.0.0.1:9/?access_key=${KEY}` },
])('if reading meets %o', async (fault) => {
  await place.sandbox.setFaults([{ ...fault, action: 'get_data' }]);
  const result = await node.receive(body(), { connect: withoutWaiting() });
  expect(jsonOf(result)).toMatchObject([{ readError: anyText }]);
  expect(JSON.stringify([result, node.logged])).not.toMatch(SECRETS);
});

test.each([
  ['is read', {}],
  [
    'repeats them in its address',
    { url: `http://x.example/?key=${KEY}&t=${encodeURIComponent(TOKEN)}&id=1` },
  ],
  ['is refused', { access_token: `${TOKEN}!` }],
  ['is not from the service', { type: undefined }],
  ['names a deleted record', { data_id: '99' }],
  ['names a deleted application', { app_id: VALUE.slice(0, 4) }],
])('if a notification %s', async (_, more) => {
  const results = [await node.receive(body(more)), await node.receive(body(more), { mode: 'manual' })];
  // The address is the service's own, and output as it is.
  for (const { json } of results.flatMap(({ items }) => items ?? [])) delete json.url;
  expect(JSON.stringify([results, node.logged])).not.toMatch(SECRETS);
});

test('nor in the log of the service that notifies', async () => {
  const results = await place.notifying(node);
  const form = { action: 'update_data', app_id: place.app, data_id: '1', '{{revision}}': '0' };
  await fetch(place.sandbox.dataUrl, {
    method: 'POST',
    headers: { 'X-Service-Auth': KEY },
    body: new URLSearchParams({ ...form, '{{Title}}': 'New' }),
  });
  expect(jsonOf(await results[0]!)).toMatchObject([{ Title: 'New' }]);
  const logs = [await place.sandbox.notifications(), await place.sandbox.log()];
  expect(JSON.stringify(logs)).not.toMatch(SECRETS);
});
