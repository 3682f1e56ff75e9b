import type { INodeParameters } from 'n8n-workflow';

import type { EngineOptions, EngineResult } from '../support/engine';
import { useTickets } from './support/tickets';

const place = useTickets({ overview: '<p>What is to be <b>done</b></p>' });

async function run(
  operation: string,
  parameters: INodeParameters = {},
  options?: EngineOptions,
): Promise<EngineResult> {
  return await place.engine.run({ resource: 'application', operation, ...parameters }, options);
}

async function actions(): Promise<string[]> {
  return (await place.sandbox.log()).map(({ action }) => action);
}

describe('Get', () => {
  const application = { __rl: true, mode: 'identifier', value: 'tickets' };

  test('returns the application with its parts', async () => {
    const { json } = await run('get', { application });
    expect(json).toHaveLength(1);
    const [{ parts, ...own } = { parts: [] }] = json;
    expect(own).toEqual({
      id: place.app.id,
      name: 'Tickets',
      status: 'running',
      overview: '<p>What is to be <b>done</b></p>',
      portalIcon: expect.any(String) as string,
      palletMenuIcon: expect.any(String) as string,
    });
    expect(parts).toHaveLength(19);
    expect(parts).toContainEqual({
      id: place.app.parts.Kind,
      name: 'Kind',
      identifier: 'kind',
      type: 'select',
      readOnly: false,
      system: false,
      reference: false,
      options: ['Bug', 'Wish', 'Question'],
      allowOther: false,
      timeUnit: null,
      children: [],
    });
    expect(parts).toContainEqual(
      expect.objectContaining({
        name: 'Lines',
        children: [
          expect.objectContaining({ name: 'Item', type: 'textbox' }),
          expect.objectContaining({ name: 'Qty', type: 'number' }),
        ],
      }),
    );
  });

  test('raw output is the object of the service', async () => {
    const { json } = await run('get', { application, simplify: false });
    expect(json[0]).toMatchObject({
      status: 'ok',
      app_status: 'running',
      fields: { item: expect.any(Array) as [] },
    });
  });

  test('reads the same whatever numbers and lists look like', async () => {
    const plain = await run('get', { application });
    await place.sandbox.setDialect({ ids: 'number', counts: 'number', singleItem: 'object' });
    expect((await run('get', { application })).json).toEqual(plain.json);
  });

  test('reads an application once, however many items ask for it', async () => {
    const input = [{ json: {} }, { json: {} }, { json: {} }];
    const { items } = await run('get', { application }, { input });
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
    expect(await actions()).toEqual(['get_app']);
  });

  test('Continue On Fail returns the failed item in its place', async () => {
    const input = ['tickets', 'nowhere', ''].map((name) => ({ json: { name } }));
    const { json } = await run(
      'get',
      { application: { __rl: true, mode: 'identifier', value: '={{ $json.name }}' } },
      { input, node: { onError: 'continueRegularOutput' } },
    );
    expect(json).toEqual([
      expect.objectContaining({ name: 'Tickets' }),
      {
        error: expect.stringMatching(
          /^The application @nowhere cannot be read\. The service refused: /,
        ) as string,
        details: { outcome: 'refused' },
      },
      { error: 'No application is selected' },
    ]);
  });
});

describe('Get Many', () => {
  test('returns summaries, up to the limit', async () => {
    const { json } = await run('getAll', { limit: 2 });
    expect(json).toHaveLength(2);
    expect(json[0]).toEqual({
      id: '301',
      name: 'Customers',
      status: 'running',
      overviewText: 'All companies we sell to, with their contacts and terms.',
      portalIcon: expect.any(String) as string,
      palletMenuIcon: expect.any(String) as string,
    });
    expect((await run('getAll', { returnAll: true })).json).toHaveLength(6);
  });

  test.each<[string, INodeParameters, string[]]>([
    ['a keyword', { keyword: 'done' }, ['Tickets']],
    ['a keyword that finds nothing', { keyword: 'no such thing' }, []],
    ['a label of the service', { label: 'favorite' }, ['Customers']],
    ['a label', { label: '={{ "1" }}' }, ['Customers']],
  ])('is filtered by %s', async (_, options, expected) => {
    const { json } = await run('getAll', { returnAll: true, options });
    expect(json.map(({ name }) => name)).toEqual(expect.arrayContaining(expected));
    expect(json.length).toBeLessThan(5);
  });

  test('reads an empty list, whatever it looks like', async () => {
    for (const emptyList of ['array', 'error', 'emptyString', 'noItem', 'noList']) {
      await place.sandbox.setDialect({ emptyList });
      const { json, error } = await run('getAll', { options: { keyword: 'no such thing' } });
      expect([json, error]).toEqual([[], undefined]);
    }
  });

  test('requests once what several items have in common', async () => {
    const { items } = await run('getAll', { limit: 1 }, { input: [{ json: {} }, { json: {} }] });
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
    expect(await actions()).toEqual(['list_apps']);
  });

  test('refuses a limit of 0', async () => {
    const { error } = await run('getAll', { limit: -1 });
    expect(error?.message).toMatch(/^"Limit" must be a whole number of 1 or more, not -1$/);
    expect(await actions()).toEqual([]);
  });

  test('succeeds despite a full queue and a dropped connection', async () => {
    await place.sandbox.setFaults([
      { kind: 'status', status: 429, retryAfter: 0, action: 'list_apps', times: 1 },
      { kind: 'drop', when: 'after', action: 'list_apps', skip: 1, times: 1 },
    ]);
    expect((await run('getAll', { limit: 2 })).json).toHaveLength(2);
  });

  test('reports a page that is not the service', async () => {
    await place.sandbox.setFaults([{ kind: 'html', action: 'list_apps' }]);
    expect((await run('getAll')).error?.message).toMatch(/instead of/);
  });
});
