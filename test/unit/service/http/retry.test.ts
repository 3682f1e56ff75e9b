import { ConnectionError } from '../../../../nodes/ApplicationDataService/service/http/transport';
import { clientOf, failureOf, lost, ok, refused, reply, type Reply } from '../support/preparedClient';

describe('repeating', () => {
  test.each<[string, Reply]>([
    ['a full queue', reply(429, '')],
    ['a gateway', reply(503, '')],
    ['a failure', reply(500, '')],
    ['a failure in the words of a refusal', reply(500, { status: 'ng', errorno: -110, errormessage: 'no' })],
    ['a full disk', reply(507, { status: 'ng', errormessage: 'no' })],
    ['a lost connection', lost],
    ['a refused connection', refused],
    ['a cut answer', reply(200, '{"status":"o')],
  ])('a read is sent again after %s', async (_, first) => {
    const { client, requests } = clientOf(first, first, ok);
    await expect(client.call('get_data')).resolves.toMatchObject({ status: 'ok' });
    expect(requests).toHaveLength(3);
  });

  test.each<[string, Reply]>([
    ['a full queue', reply(429, '')],
    ['a refused connection', refused],
    ['an unknown host', new ConnectionError('ENOTFOUND', true)],
  ])('a write is sent again after %s: it cannot have been done', async (_, first) => {
    const { client, requests } = clientOf(first, ok);
    await expect(client.call('insert_data')).resolves.toMatchObject({ ID: '1' });
    expect(requests).toHaveLength(2);
  });

  test.each<[string, Reply]>([
    ['a lost connection', lost],
    ['a time-out', new ConnectionError('ETIMEDOUT', false)],
    ['a gateway', reply(502, '')],
    ['a failure', reply(500, '')],
    ['a failure shown as a page', reply(500, '<html><h1>Internal error</h1>')],
    ['a failure in the words of a refusal', reply(500, { status: 'ng', errormessage: 'no' })],
    ['a busy gateway in the words of a refusal', reply(503, { status: 'ng', errormessage: 'no' })],
    ['a redirect', reply(302, '', { location: 'https://other.example/' })],
    ['a login page', reply(200, '<html><input type="password"></html>')],
    ['a cut answer', reply(200, '{"status":"o')],
  ])('a write is never sent again after %s, and its outcome is reported as unknown', async (_, first) => {
    for (const action of ['insert_data', 'update_data', 'delete_data']) {
      const { client, requests } = clientOf(first, ok);
      const failure = await failureOf(client.call(action));
      expect([failure.kind, requests.length]).toEqual(['outcomeUnknown', 1]);
    }
  });

  test.each<[string, Reply, string]>([
    ['a refusal', reply(200, { status: 'ng', errormessage: 'no' }), 'refused'],
    ['a refused key', reply(401, ''), 'unauthorized'],
    ['a wrong path', reply(404, ''), 'wrongAddress'],
    ['a bad certificate', new ConnectionError('DEPTH_ZERO_SELF_SIGNED_CERT', false), 'unreachable'],
  ])('nothing is sent again after %s', async (_, first, kind) => {
    const { client, requests } = clientOf(first, ok);
    expect((await failureOf(client.call('get_data'))).kind).toBe(kind);
    expect(requests).toHaveLength(1);
  });

  it("gives a failure's own words first", async () => {
    const words = { status: 'ng', errorno: -9, errormessage: 'E:The disk is full [E9]' };
    const failure = await failureOf(clientOf(reply(500, words)).client.call('get_data'));
    expect(failure.message).toBe('The service failed (HTTP 500) on get_data (tried 6 times)');
    expect(failure.description).toMatch(/^The disk is full \[E9\]\. Try again later/);
    const busy = await failureOf(clientOf(reply(503, words)).client.call('get_data'));
    expect(busy.description).toMatch(/^The disk is full \[E9\]\. Try again later/);
  });

  it('a call on which nothing comes is made twice at most: each takes minutes', async () => {
    const { client, requests } = clientOf(new ConnectionError('ETIMEDOUT', false));
    const failure = await failureOf(client.call('get_data'));
    expect([failure.kind, requests.length]).toEqual(['lost', 2]);
    expect(failure.message).toBe('https://host.example did not answer in time (tried 2 times)');
  });

  it('waits longer each time, outlasts ten seconds, and reports the number of tries', async () => {
    const { client, requests, waits } = clientOf(reply(503, ''));
    const failure = await failureOf(client.call('get_data'));
    expect(failure.message).toMatch(/\(tried 6 times\)$/);
    expect(requests).toHaveLength(6);
    expect([...waits].sort((a, b) => a - b)).toEqual(waits);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(10_000);
  });

  it('waits at the limiter for a full queue, and reports it after two minutes', async () => {
    const { client, requests, waits, clock } = clientOf(reply(429, ''));
    const failure = await failureOf(client.call('insert_data'));
    expect(failure.message).toBe('The service is busy (HTTP 429): it has accepted no call for 120 seconds');
    expect(requests).toHaveLength(13);
    expect(waits).toEqual([]);
    expect(clock.now()).toBe(120_000);
    expect(failure.details).toMatchObject({ status: 429 });
  });

  it.each([502, 503])('does not count a refusal by a full queue as a try: beside HTTP %i', async (status) => {
    const busy = Array.from({ length: 5 }, () => [reply(status, ''), reply(429, '')]).flat();
    const { client, requests, waits } = clientOf(...busy, ok);
    await client.call('get_data');
    expect(requests).toHaveLength(11);
    expect(waits).toHaveLength(5);
  });

  it('waits as long as the service asks, unless that is too long', async () => {
    const patient = clientOf(reply(503, '', { 'retry-after': '3' }), ok);
    await patient.client.call('get_data');
    expect(patient.waits).toEqual([3000]);

    const slow = clientOf(reply(503, '', { 'retry-after': '75' }), ok);
    await slow.client.call('get_data');
    expect(slow.waits).toEqual([75_000]);

    const full = clientOf(reply(429, '', { 'retry-after': '75' }), ok);
    await full.client.call('get_data');
    expect(full.clock.now()).toBeGreaterThanOrEqual(75_000);

    const busy = clientOf(reply(503, '', { 'retry-after': '3600' }), ok);
    expect((await failureOf(busy.client.call('get_data'))).kind).toBe('busy');
    expect(busy.waits).toEqual([]);
  });
});
