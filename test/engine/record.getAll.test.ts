import type { INodeParameters } from 'n8n-workflow';

import type { EngineOptions, EngineResult } from '../support/engine';
import type { CreatedApplication } from '../support/sandbox';
import {
  listCalls,
  listing,
  numberedTickets,
  parameterOf,
  recordParameters,
  tickets,
  useTickets,
} from './support/tickets';

const place = useTickets();
const { getAll } = listing(place);

describe('reading', () => {
  test('returns every record with all its parts, by record ID', async () => {
    const { json, hints } = await getAll();
    expect(hints).toEqual([]);
    expect(json).toHaveLength(3);
    expect(json[0]).toMatchObject({
      id: place.app.records[0],
      revision: 1,
      canWrite: true,
      canDelete: true,
      Title: 'Acme Engineering',
      Text: 'One\nTwo, "three"',
      Marks: ['red', 'blue'],
      Hours: 1.5,
      Due: '2026-03-01',
      From: '09:30:00',
      Meeting: '2026-03-01T09:30',
      Owner: [{ id: '1001', name: 'Aiko Mori' }],
      Files: [{ name: 'a.txt', size: 52 }],
      Sum: 3,
      Lines: [
        { Item: 'Bolt', Qty: 3 },
        { Item: 'Nut', Qty: null },
      ],
    });
    expect(json[2]).toMatchObject({ Title: '=1+2', Text: null, Marks: [], Owner: [], Lines: [] });
  });

  test('returns more than the fifty default parts', async () => {
    const parts = Array.from({ length: 80 }, (_, index) => ({ name: `P${index}`, type: 'textbox' as const }));
    const wide = await place.sandbox.createApplication({ name: 'Wide', parts, records: [{ P79: 'last' }] });
    const { json } = await place.engine.run(recordParameters('getAll', wide));
    expect(json[0]).toMatchObject({ P0: null, P79: 'last', revision: 1 });
  });

  test('raw output is the object of the service', async () => {
    const { json } = await getAll({ simplify: false });
    expect(json[0]).toMatchObject({
      Title: { val: 'Acme Engineering' },
      revision: { val: '1', deny_write: 'on' },
      Marks: { val: 'red\tblue' },
      From: { val: 34200 },
    });
  });

  test('returns only the chosen parts, named by ID, name or identifier', async () => {
    const partsToReturn = [place.app.parts.Title!, 'Hours', 'due'];
    const { json } = await getAll({ limit: 1, returnAll: false, options: { partsToReturn } });
    const { canWrite, canDelete, ...record } = json[0] ?? {};
    expect([canWrite, canDelete]).toEqual([true, true]);
    expect(record).toEqual({
      id: place.app.records[0],
      revision: 1,
      Title: 'Acme Engineering',
      Hours: 1.5,
      Due: '2026-03-01',
    });
    const fields = parameterOf((await listCalls(place.sandbox)).at(-1), 'fields');
    expect(JSON.parse(fields ?? '')).toEqual(
      ['ID', 'Title', 'Hours', 'Due', 'revision'].map((field_name) => ({ field_name })),
    );
  });

  test('an expression may return the parts to return as text', async () => {
    const { json } = await getAll({ options: { partsToReturn: '={{ "Title, Hours" }}' } });
    expect(Object.keys(json[0] ?? {})).toEqual(['id', 'Title', 'Hours', 'revision', 'canWrite', 'canDelete']);
  });

  test('returns nothing for an application without records', async () => {
    const empty = await place.sandbox.createApplication(
      tickets({ name: 'Empty', identifier: 'empty', records: [] }),
    );
    for (const emptyList of ['array', 'error', 'emptyString', 'noItem', 'noList']) {
      await place.sandbox.setDialect({ emptyList });
      const { json, error } = await place.engine.run(recordParameters('getAll', empty, { returnAll: true }));
      expect([json, error]).toEqual([[], undefined]);
    }
  });

  test('reads once for each input item, and what they have in common only once', async () => {
    const input = [{ json: { n: 1 } }, { json: { n: 2 } }, { json: { n: 1 } }];
    const { items } = await getAll({ returnAll: false, limit: '={{ $json.n }}' }, { input });
    expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 1, 2].map((item) => ({ item })));
    expect((await listCalls(place.sandbox)).map((call) => parameterOf(call, 'limit'))).toEqual(['1', '2']);
  });

  test('reads parameters without an expression once', async () => {
    const input = Array.from({ length: 50 }, () => ({ json: {} }));
    const { items } = await getAll({ returnAll: false, limit: 2 }, { input });
    expect(items).toHaveLength(100);
    expect(await listCalls(place.sandbox)).toHaveLength(1);
    expect((await place.sandbox.log()).filter(({ action }) => action === 'get_app')).toHaveLength(1);
  });
});

describe('many records', () => {
  let many: CreatedApplication;

  beforeAll(async () => {
    many = await place.sandbox.createApplication(
      tickets({ name: 'Many', identifier: 'many', records: numberedTickets(12_000) }),
    );
  });

  const getMany = async (parameters: INodeParameters, options?: EngineOptions): Promise<EngineResult> =>
    await place.engine.run(recordParameters('getAll', many, parameters), options);

  test.each([
    [5000, 1],
    [5001, 2],
    [9000, 2],
    [11_999, 3],
  ])('outputs %i records in %i pages', async (limit, pages) => {
    const { json } = await getMany({ limit });
    expect(json.map(({ Title }) => Title)).toEqual(Array.from({ length: limit }, (_, index) => `T${index}`));
    expect(await listCalls(place.sandbox)).toHaveLength(pages);
  });

  test.each([
    [100, 1],
    [101, 2],
  ])('keeps %i of them for a second item: %i requests', async (limit, requests) => {
    const { json } = await getMany({ limit }, { input: [{ json: {} }, { json: {} }] });
    expect(json).toHaveLength(2 * limit);
    expect(await listCalls(place.sandbox)).toHaveLength(requests);
  });

  test('outputs all of them once, with several pages in flight', async () => {
    const { json } = await getMany({ returnAll: true });
    expect(new Set(json.map(({ id }) => id)).size).toBe(12_000);
    expect(json).toHaveLength(12_000);
    expect((await listCalls(place.sandbox)).map((call) => parameterOf(call, 'offset'))).toEqual([
      undefined,
      '4950',
      '9900',
    ]);
  });

  test('stays complete if records are deleted while it reads', async () => {
    const { records } = await place.sandbox.createApplication(
      tickets({ name: 'Shrinking', identifier: 'shrinking', records: numberedTickets(10_500) }),
    );
    // The second page waits, so that the deletions happen between the pages. The first request reads one record.
    const gone = records.slice(100, 200);
    const remove = async (): Promise<void> => {
      await Promise.all(gone.map(async (id) => await place.sandbox.removeRecord('shrinking', id)));
    };
    await place.sandbox.setFaults([
      await place.sandbox.holdDuring({ action: 'list_data', skip: 2, times: 1 }, remove),
    ]);
    const { json } = await place.engine.run(
      recordParameters(
        'getAll',
        { id: 'shrinking' },
        {
          application: { __rl: true, mode: 'identifier', value: '@shrinking' },
          returnAll: true,
          options: { partsToReturn: ['Title'] },
        },
      ),
    );
    const read = json.map(({ id }) => id as string);
    expect(new Set(read).size).toBe(read.length);
    expect(records.filter((id) => !read.includes(id) && !gone.includes(id))).toEqual([]);
    expect((await listCalls(place.sandbox)).map((call) => parameterOf(call, 'offset') ?? '0')).toEqual([
      '0',
      '4950',
      '0',
      '4950',
      '9900',
    ]);
  });
});
