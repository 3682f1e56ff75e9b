import { itemsOf, RETRY, useWorkplace } from './support/workplace';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

const place = useWorkplace(null);

/** Opens an application of `count` records, some of which may not be deleted. */
async function openWith(count: number, undeletable: readonly string[] = []): Promise<string[]> {
  const parts = [{ name: 'Name', type: 'textbox' }];
  const app = await place.open({ parts, records: Array.from({ length: count }, () => ({ Name: 'x' })) });
  await place.sandbox.setUser('1001', {
    rights: {
      goods: { records: Object.fromEntries(undeletable.map((id) => [id, { delete: false }])) },
    },
  });
  return [...app.records];
}

/** Items with a hundred ids each. */
const hundreds = (ids: readonly string[]): { json: { ids: string[] } }[] =>
  Array.from({ length: ids.length / 100 }, (_, index) => ({
    json: { ids: ids.slice(index * 100, index * 100 + 100) },
  }));

const left = async () => (await place.stored()).map(({ id }) => id);

describe('requests and output', () => {
  test.each<[string, unknown]>([
    ['comma-separated text', '1, 2,2'],
    ['an array', '={{ [1, "2"] }}'],
    ['JSON text of an array', '[1, "2"]'],
    ['one a line', '1\n2'],
    ['an expression that returns text', '={{ "1" + "," + "2" }}'],
  ])('several ids as %s', async (_, recordId) => {
    await openWith(3);
    const { items } = await place.delete(recordId);
    expect(items).toEqual([
      {
        json: { deleted: true, ids: ['1', '2'], notFound: [], outcome: 'deleted' },
        pairedItem: { item: 0 },
      },
    ]);
    expect(await left()).toEqual(['3']);
  });

  test('a record that the service refuses to read once does not count as missing', async () => {
    await openWith(2);
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'Trouble', action: 'get_data', times: 1 },
    ]);
    const { json } = await place.delete('1');
    expect(json).toEqual([{ deleted: true, ids: ['1'], notFound: [], outcome: 'deleted' }]);
    expect(await left()).toEqual(['2']);
  });

  test('the ids of all items are sent in one request, and each item has its own result', async () => {
    await openWith(6);
    const input = itemsOf({ id: '1' }, { id: '2,99' }, { id: '98' }, { id: '2,3' }, { id: 4 });
    const { items } = await place.delete('={{ $json.id }}', {}, { input });
    expect(items).toEqual([
      { json: { deleted: true, ids: ['1'], notFound: [], outcome: 'deleted' }, pairedItem: { item: 0 } },
      { json: { deleted: true, ids: ['2'], notFound: ['99'], outcome: 'deleted' }, pairedItem: { item: 1 } },
      { json: { deleted: false, ids: [], notFound: ['98'], outcome: 'notFound' }, pairedItem: { item: 2 } },
      { json: { deleted: true, ids: ['2', '3'], notFound: [], outcome: 'deleted' }, pairedItem: { item: 3 } },
      { json: { deleted: true, ids: ['4'], notFound: [], outcome: 'deleted' }, pairedItem: { item: 4 } },
    ]);
    expect((await place.sent('delete_data')).map(({ data_id: ids }) => ids)).toEqual(['1,2,3,4']);
    expect(await left()).toEqual(['5', '6']);
  });

  test('items of two applications are each deleted in their own', async () => {
    await openWith(2);
    const parts = [{ name: 'Name', type: 'textbox' }];
    const other = await place.sandbox.createApplication({
      ...{ name: 'Other', identifier: 'other', parts },
      records: [{ Name: 'a' }, { Name: 'b' }, { Name: 'c' }],
    });
    const input = itemsOf({ app: place.app.id, id: '1' }, { app: other.id, id: '3' });
    const application = { __rl: true, mode: 'id', value: '={{ $json.app }}' };
    const { json } = await place.delete('={{ $json.id }}', { application }, { input });
    expect(json.map(({ ids }) => ids)).toEqual([['1'], ['3']]);
    expect(await left()).toEqual(['2']);
    expect((await place.sandbox.records(other.id)).map(({ id }) => id)).toEqual(['1', '2']);
  });

  test('ten thousand ids cost at most 101 requests', async () => {
    const ids = await openWith(10_000);
    const { items } = await place.delete('={{ $json.ids }}', {}, { input: hundreds(ids) });
    expect(items).toHaveLength(100);
    expect((await place.sandbox.statistics()).calls).toBeLessThanOrEqual(101);
    expect(await left()).toEqual([]);
  });

  test('an empty application contains none of them, as a count says', async () => {
    await openWith(0);
    const { json } = await place.delete('1,2');
    expect(json).toEqual([{ deleted: false, ids: [], notFound: ['1', '2'], outcome: 'notFound' }]);
    // Afterwards the application must be running, because one under maintenance may leave records out.
    expect(await place.actions()).toEqual([
      ...['get_app', 'get_data', 'get_data', 'list_data', 'count_data', 'get_data', 'get_data', 'get_app'],
    ]);
  });

  test('records whose lists contain no id are looked up one by one', async () => {
    const parts = [{ name: 'Name', type: 'textbox', identifier: 'name' }];
    await place.open({ parts, partIdentifierMode: true, records: [{ Name: 'a' }, { Name: 'b' }] });
    const { json } = await place.delete('2,9');
    expect(json).toEqual([{ deleted: true, ids: ['2'], notFound: ['9'], outcome: 'deleted' }]);
    expect(await left()).toEqual(['1']);
  });

  test('where lists contain no id and no other record is known, the reason is named', async () => {
    const parts = [{ name: 'Name', type: 'textbox', identifier: 'name' }];
    await place.open({ parts, partIdentifierMode: true, records: [{ Name: 'a' }] });
    const { error } = await place.delete('9');
    expect(error?.message).toMatch(/The ID part "ID" \(ID 1\) has no part identifier/);
    expect(await left()).toEqual(['1']);
  });

  test('many ids of an empty application whose parts have identifiers cost no read each', async () => {
    await place.open({ parts: [{ name: 'Name', type: 'textbox', identifier: 'name' }], records: [] });
    const { json } = await place.delete(Array.from({ length: 50 }, (_, index) => index + 1).join());
    expect(json[0]).toMatchObject({ deleted: false, outcome: 'notFound' });
    expect(await place.actions()).toEqual([
      ...['get_app', 'list_data', 'count_data', 'list_data', 'count_data', 'get_app'],
    ]);
  });

  test('Dry Run shows what would be deleted, and deletes nothing', async () => {
    await openWith(3);
    const { json } = await place.delete('1,2,9', { options: { dryRun: true } });
    expect(json).toEqual([
      { dryRun: true, deleted: false, ids: ['1', '2'], notFound: ['9'], outcome: 'deleted' },
    ]);
    expect(await left()).toEqual(['1', '2', '3']);
    expect(await place.calls('delete_data')).toHaveLength(0);
  });

  test.each<[string, unknown, RegExp]>([
    ['nothing', '={{ $json.none }}', /^The record ID is empty$/],
    ['only commas', ' , ,', /^The record ID is empty$/],
    ['an empty array', '={{ [] }}', /^The record ID is empty$/],
    ['something else', '1 2', /^"1 2" is not a record ID$/],
    ['an object', '={{ {"name": 1} }}', /^One of the IDs is an object without an ID$/],
    ['an object in JSON text', '{"id": 1}', /is not a record ID$/],
    ['a large number', '={{ [9007199254740993] }}', /^An ID is too large for a number$/],
  ])('%s is refused before anything is sent', async (_, recordId, message) => {
    await openWith(2);
    const { error } = await place.delete(recordId, {}, { input: itemsOf({}, {}) });
    expect(error?.message).toMatch(message);
    expect(await place.calls('delete_data')).toHaveLength(0);
  });
});

describe.each(['part', 'all', 'none'])(
  'records that may not be deleted, if the service does "%s"',
  (multiDelete) => {
    test('all others are deleted, and the item of the refused record fails', async () => {
      await openWith(8, ['3', '6']);
      await place.sandbox.setDialect({ multiDelete });
      const input = itemsOf({ id: '1,2' }, { id: '3,4' }, { id: '5' }, { id: '6' }, { id: '9,7' });
      const { json, error } = await place.delete(
        '={{ $json.id }}',
        {},
        { input, node: { onError: 'continueRegularOutput' } },
      );
      expect(error).toBeUndefined();
      expect(json).toEqual([
        { deleted: true, ids: ['1', '2'], notFound: [], outcome: 'deleted' },
        {
          error: expect.stringMatching(/^Not deleted: 3\. /) as string,
          details: { outcome: 'refused', ids: ['3'] },
        },
        { deleted: true, ids: ['5'], notFound: [], outcome: 'deleted' },
        {
          error: expect.stringMatching(/^Not deleted: 6\. /) as string,
          details: { outcome: 'refused', ids: ['6'] },
        },
        { deleted: true, ids: ['7'], notFound: ['9'], outcome: 'deleted' },
      ]);
      expect(await left()).toEqual(['3', '6', '8']);
    });

    test('one refused record among ten thousand is found by halving', async () => {
      const ids = await openWith(10_000, ['5432']);
      await place.sandbox.setDialect({ multiDelete });
      const { error } = await place.delete('={{ $json.ids }}', {}, { input: hundreds(ids) });
      expect(error?.message).toMatch(/^Not deleted: 5432\. /);
      expect(error?.context?.itemIndex).toBe(54);
      expect(await left()).toEqual(['5432']);
      expect((await place.sandbox.statistics()).calls).toBeLessThanOrEqual(150);
    });

    test('the error names what was deleted for the same item, with Continue On Fail, too', async () => {
      await openWith(5, ['2', '4']);
      await place.sandbox.setDialect({ multiDelete });
      const { error } = await place.delete('1,2');
      expect(error?.message).toMatch(/^Not deleted: 2\. Deleted were: 1\. /);
      const { json } = await place.delete('3,4,5', {}, { node: { onError: 'continueRegularOutput' } });
      expect(json[0]?.error).toMatch(/^Not deleted: 4\. Deleted were: 3, 5\. /);
    });
  },
);

test('a service that accepts fewer IDs at once receives fewer', async () => {
  const ids = await openWith(400);
  await place.sandbox.setDialect({ deleteIds: 60 });
  const { json } = await place.delete(ids.join(','));
  expect(json[0]?.ids).toHaveLength(400);
  expect(await left()).toEqual([]);
});

describe.each([
  { ids: 'number', counts: 'number' },
  { failureStatus: '400', refusals: 'alike' },
  { emptyList: 'error', singleItem: 'object', listRevision: 'never' },
  { listPermissions: 'absent', permissionsKey: 'two' },
])('with another dialect: %o', (dialect) => {
  test('the outcome is the same', async () => {
    await openWith(3, ['2']);
    await place.sandbox.setDialect(dialect);
    const input = itemsOf({ id: 1 }, { id: 2 }, { id: 99 });
    const { json } = await place.delete(
      '={{ $json.id }}',
      {},
      { input, node: { onError: 'continueRegularOutput' } },
    );
    expect(json).toEqual([
      { deleted: true, ids: ['1'], notFound: [], outcome: 'deleted' },
      {
        error: expect.stringMatching(/^Not deleted: 2\. /) as string,
        details: { outcome: 'refused', ids: ['2'] },
      },
      { deleted: false, ids: [], notFound: ['99'], outcome: 'notFound' },
    ]);
  });
});

describe('a service that fails', () => {
  test.each(['before', 'after'] as const)(
    'a lost answer, the connection broken %s the work',
    async (when) => {
      await openWith(3);
      await place.sandbox.setFaults([{ kind: 'drop', when, action: 'delete_data', times: 1 }]);
      const { json } = await place.delete('1,2');
      expect(json).toEqual([{ deleted: true, ids: ['1', '2'], notFound: [], outcome: 'deleted' }]);
      expect(await left()).toEqual(['3']);
      expect(await place.calls('delete_data')).toHaveLength(when === 'before' ? 2 : 1);
    },
  );

  test('records that remain after two lost answers are named, as unknown', async () => {
    await openWith(3);
    await place.sandbox.setFaults([{ kind: 'drop', when: 'before', action: 'delete_data' }]);
    const { error } = await place.delete('1,2');
    expect(error?.message).toMatch(/^Perhaps deleted: 1, 2\. .*\(outcome unknown\): the connection/);
    expect(error?.description).toMatch(/still there afterwards/);
    expect(await place.calls('delete_data')).toHaveLength(2);
  });

  test.each([200, 400, 500, 503])(
    'a delete that is done and then refused (HTTP %i) is done',
    async (status) => {
      await openWith(3);
      await place.sandbox.setFaults([
        {
          kind: 'ng',
          errorno: -1,
          message: 'Processing failed',
          status,
          when: 'after',
          action: 'delete_data',
        },
      ]);
      const { json, error } = await place.delete(
        '={{ $json.id }}',
        {},
        { input: itemsOf({ id: '1' }), node: RETRY },
      );
      expect([error, json]).toEqual([
        undefined,
        [{ deleted: true, ids: ['1'], notFound: [], outcome: 'deleted' }],
      ]);
      expect(await place.calls('delete_data')).toHaveLength(1);
    },
  );

  test('a record that somebody else deletes just before is deleted', async () => {
    await openWith(2);
    await place.meanwhile({ action: 'delete_data', times: 1 }, async () => {
      await place.sandbox.removeRecord(place.app.id, '1');
    });
    const { json } = await place.delete('1');
    expect(json).toEqual([{ deleted: true, ids: ['1'], notFound: [], outcome: 'deleted' }]);
  });

  test('one that vanishes just before a refused request leaves no other undeleted', async () => {
    const ids = await openWith(200, ['77']);
    await place.sandbox.setDialect({ multiDelete: 'none' });
    await place.meanwhile({ action: 'delete_data', times: 1 }, async () => {
      await place.sandbox.removeRecord(place.app.id, '9');
    });
    const { error } = await place.delete(ids.join(','));
    expect(error?.message).toMatch(/^Not deleted: 77\. Deleted were: 1, 2, /);
    expect(await left()).toEqual(['77']);
  });

  test('if even reading fails, the outcome is unknown', async () => {
    await openWith(3);
    await place.sandbox.setFaults([
      { kind: 'drop', when: 'after', action: 'delete_data' },
      { kind: 'ng', errorno: -1, message: 'no', action: 'get_data', skip: 2 },
    ]);
    const { error } = await place.delete('1,2');
    expect(error?.message).toMatch(/outcome unknown/);
    expect(await left()).toEqual(['3']);
  });

  test('a refused key ends the run: no other request could succeed', async () => {
    const ids = await openWith(1000);
    await place.sandbox.setFaults([{ kind: 'status', status: 401, action: 'delete_data' }]);
    const { error } = await place.delete(ids.join(','));
    expect(error?.message).toMatch(/no longer accepts the access key/);
    expect(await place.calls('delete_data')).toHaveLength(1);
  });

  test('with Retry On Fail, records that an earlier try deleted count as deleted', async () => {
    await openWith(4, ['3']);
    const input = itemsOf({ id: '1,2' }, { id: '3,4' });
    // At the next try, the record may be deleted.
    await place.meanwhile({ action: 'delete_data', skip: 1 }, async () => {
      await place.sandbox.setUser('1001', { rights: {} });
    });
    const { json } = await place.delete('={{ $json.id }}', {}, { input, node: RETRY });
    expect(json).toEqual([
      { deleted: true, ids: ['1', '2'], notFound: [], outcome: 'deleted' },
      { deleted: true, ids: ['3', '4'], notFound: [], outcome: 'deleted' },
    ]);
    const named = (await place.sent('delete_data')).slice(1).map(({ data_id: ids }) => ids);
    expect(named.every((ids) => ids === '3')).toBe(true);
  });
});
