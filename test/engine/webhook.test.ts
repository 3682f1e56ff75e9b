import type { INodeParameters } from 'n8n-workflow';

import { connect } from '../../nodes/ApplicationDataService/service/http/connect';
import { watchTickets } from '../support/triggerTickets';
import { jsonOf, type WebhookOptions } from '../support/webhookEngine';
import { anyText, like } from './support/like';
import { byId, byIdentifier } from './support/saved';
import { useWebhookPlace, withoutWaiting } from './support/webhookPlace';

const place = useWebhookPlace();
/** What becomes of a notification about the first ticket; `null` if no run is started. */
const items = async (body: object = {}, parameters: INodeParameters = {}, options: WebhookOptions = {}) => {
  const result = await place.engine(parameters).receive(place.body(body), options);
  return result.items === null ? null : jsonOf(result);
};
const INNER = 'http://inner.example/record';

describe('a notification', () => {
  it.each(['inside', 'after'])('sent %s, the call becomes the record as polls output it', async (when) => {
    await place.sandbox.setDialect({ notifications: when });
    const polling = watchTickets(place.sandbox);
    await polling.activate();
    const results = await place.notifying(place.engine({ application: byId(place.app) }));
    const three = { '{{Title}}': 'Three', '{{State}}': 'open' };
    await place.sandbox.call('insert_data', { app_id: place.app, ...three });
    await place.update({ Title: 'New' });
    while (results.length < 2) await new Promise(setImmediate);
    const [made, updated] = (await Promise.all(results)).flatMap(jsonOf);
    const own = { applicationId: place.app, url: like(/^http/) };
    const polled = await polling.poll();
    for (const json of polled) delete Object.assign(json, own).previousRevision;
    expect([updated, made]).toEqual(polled);
    expect(updated).toMatchObject({ event: 'updated', id: '1', Title: 'New', revision: 2 });
    expect(Object.keys(made!).slice(0, 3)).toEqual(['event', 'id', 'Title']);
    expect(await place.sandbox.notifications()).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok' }]);
  });

  it('is answered before any request to the service', async () => {
    const steps: string[] = [];
    await place.engine().receive(place.body(), {
      answered: (status) => void steps.push(`answered ${status}`),
      connect: async (...args) => {
        steps.push('asks');
        return await connect(...args);
      },
    });
    expect(steps).toEqual(['answered 200', 'asks']);
  });

  it('has the turn of its node, so that hundreds at once hold up no execution and no poll', async () => {
    const turns = new Set<unknown>();
    const node = place.engine();
    for (let each = 0; each < 3; each++)
      await node.receive(place.body(), {
        connect: async (context, caller, ...more) => {
          turns.add(caller?.turn);
          return await connect(context, caller, ...more);
        },
      });
    expect([...turns]).toEqual([like(/^webhook /)]);
  });

  it.each([
    ['any application', (): INodeParameters => ({})],
    ['its ID', () => ({ application: byId(place.app) })],
    ['its identifier', () => ({ application: byIdentifier('tickets') })],
  ])('that names the application by its identifier has its ID, where %s is wanted', async (_, wanted) => {
    const body = { app_id: '@tickets' };
    expect(await items(body, wanted())).toMatchObject([{ id: '1', Title: 'One', applicationId: place.app }]);
    expect(await items(body, { application: byId('999999') })).toBeNull();
  });

  it("never contains the notification's data: the rights are those of the key", async () => {
    await place.sandbox.setUser('1002', { rights: { tickets: { parts: { Price: 'none' } } } });
    const results = await place.notifying(place.engine({}, { accessKey: 'sandbox-key-tanaka' }));
    await place.sandbox.changeRecord(place.app, '1', { Price: '4711' });
    await place.update({ Title: 'New' });
    const { items } = await results[0]!;
    expect(place.receiver.received[0]?.body).toMatchObject({ data: { Price: { val: '4711' } } });
    expect(items?.[0]?.json).toMatchObject({ Title: 'New', partErrors: { Price: 'unauthorized' } });
    expect(JSON.stringify(items)).not.toContain('4711');
  });

  it('of another key mode is read by identifier', async () => {
    await place.sandbox.changeApplication(place.app, { partIdentifierMode: true });
    const results = await place.notifying(place.engine());
    await place.update({ title: 'By identifier' });
    expect(jsonOf(await results[0]!)).toMatchObject([{ title: 'By identifier' }]);
    expect(place.receiver.received[0]?.body).toMatchObject({ data: { Title: {} } });
  });

  it.each([
    [{ simplify: false }, { event: 'updated', id: '1', record: { Title: { val: 'One' } } }],
    [{ options: { partsToReturn: ['State'] } }, { State: 'open' }],
  ])('outputs what %j says', async (settings, expected) => {
    const [item] = (await items({}, settings))!;
    expect(item).toMatchObject({ ...expected, revision: 1, applicationId: place.app, url: INNER });
    expect(item).not.toHaveProperty('Title');
  });

  it('marks parts that are named like its own keys', async () => {
    await place.sandbox.changeApplication(place.app, { parts: { Title: { name: 'url' } } });
    expect(await items({ url: '' })).toMatchObject([{ 'url (part)': 'One', url: null }]);
  });

  it('downloads attachments', async () => {
    await place.sandbox.changeRecord(place.app, '1', { Files: [{ name: 'a.txt', text: 'Hello' }] });
    const { items } = await place.engine({ options: { downloadAttachments: true } }).receive(place.body());
    expect(items?.[0]?.json).toMatchObject({ Files: [{ name: 'a.txt', binary: 'attachment_0' }] });
    expect(items?.[0]?.binary?.attachment_0?.data).toBe(Buffer.from('Hello').toString('base64'));
  });

  it.each([
    ['', INNER],
    ['https://outer.example/r', 'https://outer.example/r'],
    ['javascript:alert(1)', null],
    [undefined, INNER],
  ])('with external_url %p has the url %p', async (external_url, url) => {
    expect(await items({ external_url })).toMatchObject([{ url }]);
  });

  it('accepts numeric IDs', async () => {
    const body = { app_id: Number(place.app), data_id: 1 };
    const shown = await items(body, { application: byId(place.app) });
    expect(shown).toMatchObject([{ id: '1', applicationId: place.app, Title: 'One' }]);
  });

  it('shows while listening for a test event', async () => {
    const mode = 'manual';
    expect(await items({}, {}, { mode })).toMatchObject([{ event: 'updated', Title: 'One' }]);
    const refused = await place.engine().receive(place.body({ access_token: 'x' }), { mode });
    expect(refused).toMatchObject({ status: 403, items: null });
  });

  it('that arrives twice is output twice', async () => {
    const node = place.engine();
    const both = await Promise.all([node.receive(place.body()), node.receive(place.body())]);
    expect(both.flatMap(jsonOf)).toMatchObject([1, 2].map(() => ({ id: '1', revision: 1 })));
  });
});

test('a hundred notifications at once are all read, within the queue', async () => {
  const records = Array.from({ length: 100 }, (_, index) => ({ Title: `Ticket ${index}`, State: 'open' }));
  const ids = await place.sandbox.addRecords(place.app, records);
  await place.sandbox.clearStatistics();
  const node = place.engine({ application: byIdentifier('tickets') });
  const results = await Promise.all(
    ids.map((id) => node.receive(place.body({ data_id: id, type: 'added' }))),
  );
  expect(results.flatMap(jsonOf).map(({ id, Title, readError }) => [id, Title, readError])).toEqual(
    ids.map((id, index) => [id, `Ticket ${index}`, undefined]),
  );
  const { callsByAction, mostInFlight } = await place.sandbox.statistics();
  expect(callsByAction.get_data).toBe(100);
  expect(mostInFlight).toBeLessThanOrEqual(5);
  expect(node.logged).toEqual([]);
});

describe('a service that is down', () => {
  afterEach(async () => await place.sandbox.startListening());

  test('for ten seconds after its notification is waited for', async () => {
    let down = 0;
    await place.sandbox.stopListening();
    const waiting = withoutWaiting(async (total) => {
      down = total;
      if (total >= 10_000) await place.sandbox.startListening();
    });
    const [item] = (await items({}, {}, { connect: waiting }))!;
    expect(item).toMatchObject({ event: 'updated', id: '1', Title: 'One', revision: 1 });
    expect(item).not.toHaveProperty('readError');
    expect(down).toBeGreaterThanOrEqual(10_000);
  });

  test('for good is a readError', async () => {
    await place.sandbox.stopListening();
    const shown = await items({}, {}, { connect: withoutWaiting() });
    expect(shown).toMatchObject([{ id: '1', readError: anyText }]);
  });
});

test('stops reading after two minutes', async () => {
  const time = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(time.signal);
  await place.sandbox.setFaults([{ kind: 'latency', where: 'work', ms: 1000, action: 'get_data' }]);
  const answered = () => setImmediate(() => time.abort());
  expect(await items({}, {}, { answered })).toMatchObject([
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
    let at = 0;
    const result = await place.engine().receive(place.body(more), {
      answered: () => void (at = performance.now()),
    });
    // What is not read needs no service: the time is the node's own.
    if (result.status !== 200 || 'type' in more) expect(performance.now() - at).toBeLessThan(100);
    if (!('type' in more)) for (const json of jsonOf(result)) expect(json.url).toBeNull();
  }
});
