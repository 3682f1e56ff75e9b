import type { Fault } from '../support/sandbox';
import { bodyOf, useClient } from './support/serviceCall';

/** The queue, and faults on request (docs/dev/sandbox.md, "Faults"). */
const client = useClient();

const list = () => client.fetch({ body: bodyOf({ action: 'list_apps' }) });
const insert = () =>
  client.fetch({ body: bodyOf({ action: 'insert_data', app_id: '303', '{{Item No}}': 'F' }) });
const inserted = async () => (await client.sandbox.records('303')).length - 4;
const timed = async (work: () => Promise<unknown>) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

describe('the one queue', () => {
  it('processes calls one at a time', async () => {
    await client.sandbox.setFaults([{ kind: 'latency', where: 'work', ms: 300 }]);
    const ms = await timed(() => Promise.all([list(), list(), list(), list()]));
    expect(ms).toBeGreaterThanOrEqual(1150);
    expect((await client.sandbox.statistics()).mostInFlight).toBe(4);
    expect((await client.sandbox.statistics()).mostWaiting).toBe(3);
  });

  it('answers 429 for a while if more than ten wait, and processes those that wait', async () => {
    await client.sandbox.setDialect({ overloadMs: 2000 });
    // The first call is in progress until all others have arrived.
    await client.sandbox.setFaults([{ kind: 'latency', where: 'work', ms: 600, times: 1 }]);
    const statuses = (await Promise.all(Array.from({ length: 15 }, list))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(11);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
    const refused = await list();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 2050));
    expect((await list()).status).toBe(200);
  });
});

describe('latency', () => {
  it('in the network does not block the queue', async () => {
    await client.sandbox.setFaults([{ kind: 'latency', where: 'network', ms: 500 }]);
    const ms = await timed(() => Promise.all(Array.from({ length: 8 }, list)));
    expect(ms).toBeGreaterThanOrEqual(495);
    // One after the other, they would take four seconds.
    expect(ms).toBeLessThan(3000);
  });

  it('grows with the items that a list returns', async () => {
    await client.sandbox.setFaults([{ kind: 'latency', where: 'work', ms: 0, itemMs: 100 }]);
    const listed = async (limit: number) =>
      await timed(() => client.fetch({ body: bodyOf({ action: 'list_apps', limit: String(limit) }) }));
    expect(await listed(3)).toBeGreaterThanOrEqual(295);
    expect(await listed(1)).toBeLessThan(295);
  });
});

it('calls at fault are all, of one action, the next N, or after some', async () => {
  await client.sandbox.setFaults([
    { kind: 'status', status: 503, action: 'list_apps', skip: 1, times: 2 },
    { kind: 'status', status: 502, action: 'list_applabels' },
  ]);
  const statuses: number[] = [];
  for (let at = 0; at < 4; at++) statuses.push((await list()).status);
  expect(statuses).toEqual([200, 503, 503, 200]);
  for (let at = 0; at < 3; at++) {
    expect((await client.fetch({ body: bodyOf({ action: 'list_applabels' }) })).status).toBe(502);
  }
  await client.sandbox.clearFaults();
  expect((await client.call('list_applabels')).status).toBe('ok');
});

const refusal = { kind: 'ng', errorno: -77, message: 'Not today' } as const;
const ng = '{"status":"ng","errorno":-77,"errormessage":"W:Not today [W77]","errmsgadd":""}';
const date = 'Fri, 01 Jan 2027 00:00:00 GMT';

it.each<[Fault, status: number, body: string, done: number, retryAfter?: string]>([
  [{ kind: 'status', status: 429, retryAfter: 3 }, 429, '', 0, '3'],
  [{ kind: 'status', status: 503, retryAfter: date }, 503, '', 0, date],
  [{ kind: 'status', status: 502 }, 502, '', 0],
  [{ kind: 'status', status: 503, body: 'Down for repair', when: 'after' }, 503, 'Down for repair', 1],
  [{ ...refusal, partKey: 'Item No' }, 200, ng.replace('""', '"{{Item No}}"'), 0],
  [{ ...refusal, status: 200, when: 'before' }, 200, ng, 0],
  [{ ...refusal, status: 200, when: 'after' }, 200, ng, 1],
  [{ ...refusal, status: 409, when: 'after' }, 409, ng, 1],
  [{ ...refusal, status: 500, when: 'after' }, 500, ng, 1],
  [{ kind: 'html', when: 'before' }, 200, '<!DOCTYPE html>', 0],
  [{ kind: 'html', when: 'after' }, 200, '<!DOCTYPE html>', 1],
])('%j', async (fault, status, body, done, ...[retryAfter]) => {
  await client.sandbox.setFaults([fault]);
  const response = await insert();
  expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter ?? null]);
  expect((await response.text()).slice(0, body.length)).toBe(body);
  expect(await inserted()).toBe(done);
});

it.each(['update_data', 'delete_data'])('ng after the work of %s', async (action) => {
  const [record] = await client.sandbox.records('303');
  await client.sandbox.setFaults([{ kind: 'ng', errorno: -77, message: 'Not today', when: 'after' }]);
  const call = { action, app_id: '303', data_id: record!.id };
  const update = { '{{revision}}': String(record!.revision), '{{Item No}}': 'Changed' };
  const response = await client.fetch({
    body: bodyOf(action === 'update_data' ? { ...call, ...update } : call),
  });
  expect(await response.json()).toMatchObject({ status: 'ng', errorno: -77 });
  const [first] = await client.sandbox.records('303');
  if (action === 'update_data') expect(first!.values['Item No']).toBe('Changed');
  else expect(first!.id).not.toBe(record!.id);
});

it.each([
  ['before', 0],
  ['after', 1],
] as const)('drop %s the work', async (when, count) => {
  await client.sandbox.setFaults([{ kind: 'drop', when, times: 1 }]);
  await expect(insert()).rejects.toThrow();
  expect(await inserted()).toBe(count);
  const [entry] = await client.sandbox.log();
  expect(entry).toMatchObject({ action: 'insert_data', httpStatus: 0, outcome: 'drop', faults: ['drop'] });
});

it('cut: a complete answer that is not JSON, or a connection that breaks within the body', async () => {
  await client.sandbox.setFaults([{ kind: 'cut', share: 0.5, times: 1 }]);
  const response = await list();
  const text = await response.text();
  expect(text.startsWith('{"status":"ok"')).toBe(true);
  expect(() => JSON.parse(text) as unknown).toThrow();
  await client.sandbox.setFaults([{ kind: 'cut', how: 'abort', times: 1 }]);
  await expect(list().then((broken) => broken.text())).rejects.toThrow();
});

it('slow: the body comes over time', async () => {
  await client.sandbox.setFaults([{ kind: 'slow', ms: 1000 }]);
  const start = performance.now();
  const response = await list();
  const headers = performance.now();
  expect(await response.json()).toMatchObject({ status: 'ok' });
  expect(performance.now() - start).toBeGreaterThanOrEqual(900);
  expect(performance.now() - headers).toBeGreaterThan(200);
});

it('redirect: to any address', async () => {
  await client.sandbox.setFaults([{ kind: 'redirect', location: 'https://elsewhere.invalid/', status: 307 }]);
  const response = await list();
  expect(response.status).toBe(307);
  expect(response.headers.get('location')).toBe('https://elsewhere.invalid/');
});

it.each([
  ['before', 0],
  ['after', 1],
] as const)('down %s the work: no answer, refused connections, and back', async (when, count) => {
  await client.sandbox.setFaults([{ kind: 'down', ms: 1500, when, times: 1 }]);
  await expect(insert()).rejects.toThrow();
  await expect(list()).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 1600));
  expect((await list()).status).toBe(200);
  expect(await inserted()).toBe(count);
});

it.each([
  ['before', 0],
  ['after', 1],
] as const)('hold %s the work: until an address has answered', async (when, count) => {
  const seen: unknown[] = [];
  const fault = await client.sandbox.holdDuring({ action: 'insert_data', when }, async (round, call) => {
    seen.push(round, call, await inserted());
  });
  await client.sandbox.setFaults([fault]);
  expect((await insert()).status).toBe(200);
  expect(seen).toEqual([1, { when, action: 'insert_data', record: '' }, count]);
  expect(await inserted()).toBe(1);
});

it('hold does not block the queue', async () => {
  const fault = await client.sandbox.holdDuring({ action: 'insert_data', when: 'after' }, list);
  await client.sandbox.setFaults([fault]);
  expect((await insert()).status).toBe(200);
  expect((await client.sandbox.log()).map(({ action }) => action)).toEqual(['list_apps', 'insert_data']);
});

// A typo must not do another thing than was meant.
it.each([
  [{ kind: 'explode' }, 'kind of a fault'],
  [{ kind: 'hold' }, 'address'],
  [{ kind: 'latency', where: 'moon', ms: 1 }, 'where'],
  [{ kind: 'status' }, 'status'],
  [{ kind: 'slow', ms: -1 }, 'ms'],
  [{ kind: 'ng', errorno: -1, message: '', status: 99 }, '200 to 599'],
  [{ kind: 'status', status: 500, when: 'during' }, 'when'],
  [{ kind: 'status', status: 600 }, '200 to 599'],
  [{ kind: 'status', status: 200.5 }, '200 to 599'],
  [{ kind: 'html', status: 0 }, '200 to 599'],
  [{ kind: 'redirect', location: '/', status: 1000 }, '200 to 599'],
  [{ kind: 'drop', when: 'before', action: 'get_dada' }, 'action'],
])('refuses the fault %j', async (fault, named) => {
  await expect(client.sandbox.setFaults([fault as never])).rejects.toThrow(named);
});
