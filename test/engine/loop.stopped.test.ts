import { Engine } from '../support/engine';
import { useQuickRetries } from './support/quickRetries';
import { itemsOf, useWorkplace } from './support/workplace';

useQuickRetries();

const place = useWorkplace();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const numbered = (count: number) => itemsOf(...Array.from({ length: count }, (_, n) => ({ n: n + 1000 })));

describe('what stops the whole run, with On Error = Continue', () => {
  const input = itemsOf({ n: 'a' }, { n: 'b' });
  const failed = (message: RegExp, item: number) => ({
    json: { error: expect.stringMatching(message) as string, details: { outcome: 'notDone' } },
    pairedItem: { item },
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['a malformed base URL', { baseUrl: 'https://' }, /address|URL/i],
    ['a key with a line break', { accessKey: 'a\nb' }, /access key contains characters/],
    ['an unknown time zone', { timeZone: 'Nowhere/City' }, /time zone/i],
    ['a path as data module', { dataModule: 'cgi/appsr.cgi' }, /data module/i],
  ])('%s is the error of each item, and none is passed on', async (_, credential, message) => {
    const { baseUrl, accessKey } = place.sandbox;
    const engine = new Engine({ baseUrl, accessKey, ...credential });
    const create = place.parameters('create', { values: { Name: '={{ $json.n }}' } });
    const { items } = await engine.run(create, { input, node: CONTINUE });
    expect(items).toEqual([failed(message, 0), failed(message, 1)]);
    const sync = place.parameters('sync', { values: { Name: '={{ $json.n }}' }, matchBy: ['Name'] });
    const routed = await engine.run(sync, { input, node: { onError: 'continueErrorOutput' } });
    expect([routed.items, routed.errorItems.length]).toEqual([[], 2]);
  });

  test.each<[string, string]>([
    ['an application that is not there', 'create'],
    ['an operation that this version does not have', 'replace'],
  ])('%s likewise', async (_, operation) => {
    const application = { __rl: true, mode: 'id', value: '999' };
    const { items } = await place.run(
      operation,
      { application, values: { Name: 'x' } },
      { input, node: CONTINUE },
    );
    expect(items.map(({ json, pairedItem }) => [Object.keys(json)[0], pairedItem])).toEqual([
      ['error', { item: 0 }],
      ['error', { item: 1 }],
    ]);
  });
});

describe('a run that goes on after failures', () => {
  test.each([
    ['', 0, {}],
    // Whether each was changed by somebody else only a read tells.
    [' under a revision', 100, { conflictPolicy: 'fail', revision: '1' }],
  ])('reads once for all that the service refuses%s', async (_, needed, policy) => {
    const { json } = await place.update(
      { recordId: '={{ $json.n }}', values: { Name: 'x' }, ...policy },
      { input: numbered(100), node: CONTINUE },
    );
    expect(json).toHaveLength(100);
    expect(json[0]?.error).toBe('There is no record 1000 in Goods');
    // Another record, and the first ten again.
    expect((await place.calls('get_data')).length).toBeLessThanOrEqual(needed + 11);
  });

  test('waits once for a service that is switched off', async () => {
    await place.sandbox.setFaults([{ kind: 'status', status: 503, action: 'get_data' }]);
    const { json } = await place.run(
      'get',
      { recordId: '={{ $json.n }}', simplify: false },
      { input: numbered(20), node: CONTINUE },
    );
    expect(json.map(({ error }) => error)).toEqual(
      json.map(() => expect.stringMatching(/HTTP 503/) as string),
    );
    // Four at once, six tries each.
    expect((await place.calls('get_data')).length).toBeLessThanOrEqual(24);
  });

  test('waits once for a service that can no longer tell what became of an update', async () => {
    await place.sandbox.setFaults([
      { kind: 'status', status: 503, action: 'update_data' },
      { kind: 'status', status: 503, action: 'get_data' },
    ]);
    const { json } = await place.update(
      { recordId: '={{ $json.n }}', values: { Name: 'x' } },
      { input: numbered(20), node: CONTINUE },
    );
    const details = (index: number) => ({
      outcome: index < 4 ? 'unknown' : 'notDone',
      ids: [String(1000 + index)],
    });
    expect(json.map((each) => each.details)).toEqual(json.map((_, index) => details(index)));
    expect(await place.calls('update_data')).toHaveLength(4);
    expect((await place.calls('get_data')).length).toBeLessThanOrEqual(24);
  });

  test('gives up a service that breaks the connections of four items', async () => {
    await place.sandbox.setFaults([{ kind: 'drop', when: 'before', action: 'get_data' }]);
    const { json } = await place.run(
      'get',
      { recordId: '={{ $json.n }}', simplify: false },
      { input: numbered(20), node: CONTINUE },
    );
    expect(json.map(({ error }) => error)).toEqual(json.map(() => expect.stringMatching(/lost/) as string));
    // Three more may be under way when the fourth fails.
    expect((await place.calls('get_data')).length).toBeLessThanOrEqual(42);
  });

  test('gives up for the connections that were lost, not for what was refused after them', async () => {
    await place.sandbox.setFaults([
      { kind: 'drop', when: 'before', action: 'list_data', times: 24 },
      // A list that is refused is asked for in other ways, too.
      { kind: 'ng', errorno: -9, message: 'no', action: 'list_data', skip: 24, times: 4 },
    ]);
    const values = {
      Name: 'a',
      Price: 1,
      Kind: 'Nut',
      Due: '2026-01-01',
      Note: 'n',
      Seen: '2026-01-01T00:00',
    };
    const parts = {
      mappingMode: 'defineBelow',
      value: values,
      matchingColumns: '={{ [$json.by] }}',
      schema: [],
    };
    const input = itemsOf(...['Price', 'Due', 'Kind', 'Seen', 'Note', 'Name'].map((by) => ({ by })));
    const { json } = await place.upsert({ parts }, { input, node: CONTINUE });
    const errors = [...Array.from({ length: 4 }, () => /lost/), /refused/, /lost/];
    expect(json.map(({ error }) => error)).toEqual(
      errors.map((error) => expect.stringMatching(error) as string),
    );
  });
});
