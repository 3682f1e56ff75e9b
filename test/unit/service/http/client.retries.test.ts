import { RETRIES } from '../../../../nodes/ApplicationDataService/service/http/client';
import {
  clientOf,
  failureOf,
  lost,
  noAnswer,
  ok,
  refused,
  reply,
  type Reply,
} from '../support/preparedClient';

const WORDS = { status: 'ng', errorno: -9, errormessage: 'E:The disk is full [E9]' };
const LOGIN = '<html><input type="password"></html>';
const PAGE = '<html><h1>Internal error</h1>';

/** How often a call is made that first gets this answer, and then a good one; and how a write that is not fails. */
test.each<[string, Reply, { read: number; write: number; fails?: string }]>([
  ['a full queue', reply(429, ''), { read: 2, write: 2 }],
  ['a refused connection', refused, { read: 2, write: 2 }],
  ['an unknown host', noAnswer('ENOTFOUND'), { read: 2, write: 2 }],
  ['a lost connection', lost, { read: 2, write: 1, fails: 'inDoubt' }],
  ['a time-out', noAnswer('ETIMEDOUT'), { read: 2, write: 1, fails: 'inDoubt' }],
  ['a gateway', reply(502, ''), { read: 2, write: 1, fails: 'inDoubt' }],
  ['a busy gateway in the words of a refusal', reply(503, WORDS), { read: 2, write: 1, fails: 'inDoubt' }],
  ['a failure', reply(500, ''), { read: 2, write: 1, fails: 'inDoubt' }],
  ['a failure in the words of a refusal', reply(500, WORDS), { read: 2, write: 1, fails: 'inDoubt' }],
  ['a failure shown as a page', reply(500, PAGE), { read: 2, write: 1, fails: 'inDoubt' }],
  ['a full disk', reply(507, WORDS), { read: 2, write: 1, fails: 'inDoubt' }],
  ['a cut answer', reply(200, '{"status":"o'), { read: 2, write: 1, fails: 'inDoubt' }],
  ['a redirect', reply(302, '', { location: 'https://x/' }), { read: 1, write: 1, fails: 'inDoubt' }],
  ['a login page', reply(200, LOGIN), { read: 1, write: 1, fails: 'inDoubt' }],
  ['a refusal', reply(200, WORDS), { read: 1, write: 1, fails: 'refused' }],
  ['a refused key', reply(401, ''), { read: 1, write: 1, fails: 'unauthorized' }],
  ['a wrong path', reply(404, ''), { read: 1, write: 1, fails: 'wrongAddress' }],
  ['a bad certificate', noAnswer('DEPTH_ZERO_SELF_SIGNED_CERT'), { read: 1, write: 1, fails: 'unreachable' }],
])('after %s', async (_, first, { read, write, fails = 'none' }) => {
  const outcome = async (action: string): Promise<readonly [number, string]> => {
    const { client, requests } = clientOf(first, ok);
    const kind = await client.call(action).then(
      () => 'none',
      (error: { kind: string }) => error.kind,
    );
    return [requests.length, kind];
  };
  expect((await outcome('get_data'))[0]).toBe(read);
  for (const action of ['insert_data', 'update_data', 'delete_data'])
    expect(await outcome(action)).toEqual([write, fails]);
});

test("a failure's own words come first", async () => {
  for (const status of [500, 503]) {
    const failure = await failureOf(clientOf(reply(status, WORDS)).client.call('get_data'));
    expect(failure.message).toMatch(/^The service .*\(HTTP 50\d\).* \(tried 6 times\)$/);
    expect(failure.description).toMatch(/^The disk is full \[E9\]\. Try again later/);
  }
});

test('a call on which nothing comes is made twice at most: each takes minutes', async () => {
  const { client, requests } = clientOf(noAnswer('ETIMEDOUT'));
  const failure = await failureOf(client.call('get_data'));
  expect([failure.kind, requests.length]).toEqual(['lost', 2]);
  expect(failure.message).toBe('https://host.example did not answer in time (tried 2 times)');
});

test('each wait is longer, and all outlast ten seconds', async () => {
  const { client, requests, waits } = clientOf(reply(503, ''));
  await failureOf(client.call('get_data'));
  expect(requests).toHaveLength(RETRIES.tries);
  expect([...waits].sort((a, b) => a - b)).toEqual(waits);
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(10_000);
});

test('a full queue is waited for at the limiter, and told after two minutes', async () => {
  const { client, requests, waits, clock } = clientOf(reply(429, ''));
  const failure = await failureOf(client.call('insert_data'));
  expect(failure.message).toBe('The service is busy (HTTP 429): it has accepted no call for 120 seconds');
  expect([requests.length, waits, clock.now(), failure.details.status]).toEqual([13, [], 120_000, 429]);
});

test.each([502, 503])('a full queue counts as no try beside HTTP %i', async (status) => {
  const busy = Array.from({ length: 5 }, () => [reply(status, ''), reply(429, '')]).flat();
  const { client, requests, waits } = clientOf(...busy, ok);
  await client.call('get_data');
  expect([requests.length, waits.length]).toEqual([11, 5]);
});

test.each([
  // HTTP status, Retry-After, the wait
  [503, '3', [3000]],
  [503, '75', [75_000]],
  [503, '3600', []],
  [429, '75', []],
])('HTTP %i with Retry-After %s is waited for as it says, unless that is too long', async (...row) => {
  const [status, after, expected] = row;
  const { client, waits, clock } = clientOf(reply(status, '', { 'retry-after': after }), ok);
  await client.call('get_data').catch(() => undefined);
  expect([waits, clock.now() >= 75_000]).toEqual([expected, status === 429]);
});
