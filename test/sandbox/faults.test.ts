import { bodyOf, useClient } from './support/serviceCall';

/** The queue, and faults on request (docs/dev/sandbox.md, "Faults"). */
describe('Queue and faults', () => {
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

    it('accepts eleven calls at a time', async () => {
      await client.sandbox.setFaults([{ kind: 'latency', where: 'work', ms: 5 }]);
      const statuses = (await Promise.all(Array.from({ length: 11 }, list))).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200]));
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

    it('jitters up to the set limit', async () => {
      await client.sandbox.setFaults([{ kind: 'latency', where: 'network', ms: 20, jitterMs: 30 }]);
      expect(await timed(list)).toBeGreaterThanOrEqual(19);
    });
  });

  describe('which calls', () => {
    it('all, one action, the next N, or after some', async () => {
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
  });

  it.each([
    [429, 3, '3'],
    [503, 'Fri, 01 Jan 2027 00:00:00 GMT', 'Fri, 01 Jan 2027 00:00:00 GMT'],
    [502, undefined, null],
  ])('status %i with Retry-After %s: the work is not done', async (status, retryAfter, header) => {
    const fault = { kind: 'status', status, times: 1 } as const;
    await client.sandbox.setFaults([retryAfter === undefined ? fault : { ...fault, retryAfter }]);
    const response = await insert();
    expect(response.status).toBe(status);
    expect(response.headers.get('retry-after')).toBe(header);
    expect(await inserted()).toBe(0);
  });

  it('ng: a refusal with any number', async () => {
    await client.sandbox.setFaults([{ kind: 'ng', errorno: -77, message: 'Not today', partKey: 'Item No' }]);
    expect(await (await insert()).json()).toEqual({
      status: 'ng',
      errorno: -77,
      errormessage: 'W:Not today [W77]',
      errmsgadd: '{{Item No}}',
    });
    expect(await inserted()).toBe(0);
  });

  it.each([
    [200, 'before', 0],
    [200, 'after', 1],
    [409, 'after', 1],
    [500, 'after', 1],
  ] as const)('ng at HTTP %i %s the work', async (status, when, count) => {
    await client.sandbox.setFaults([{ kind: 'ng', errorno: -77, message: 'Not today', status, when }]);
    const response = await insert();
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status: 'ng', errorno: -77 });
    expect(await inserted()).toBe(count);
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

  it('status after the work: any body', async () => {
    await client.sandbox.setFaults([{ kind: 'status', status: 503, body: 'Down for repair', when: 'after' }]);
    const response = await insert();
    expect([response.status, await response.text()]).toEqual([503, 'Down for repair']);
    expect(await inserted()).toBe(1);
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

  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('html %s the work', async (when, count) => {
    await client.sandbox.setFaults([{ kind: 'html', when }]);
    const response = await insert();
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<!DOCTYPE html>');
    expect(await inserted()).toBe(count);
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
    await client.sandbox.setFaults([
      { kind: 'redirect', location: 'https://elsewhere.invalid/', status: 307 },
    ]);
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

  it.each([
    { kind: 'explode' },
    { kind: 'hold' },
    { kind: 'latency', where: 'moon', ms: 1 },
    { kind: 'status' },
    { kind: 'slow', ms: -1 },
    { kind: 'ng', errorno: -1, message: '', status: 99 },
    { kind: 'status', status: 500, when: 'during' },
  ])('refuses the fault %j', async (fault) => {
    await expect(client.sandbox.setFaults([fault as never])).rejects.toThrow('error');
  });
});
