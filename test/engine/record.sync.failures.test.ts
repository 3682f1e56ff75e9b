import { byName, COF, GOODS, list, pricesIn, removing } from './support/syncRuns';
import { itemsOf, RETRY, useWorkplace } from './support/workplace';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

/** The result of a run if the service refuses or fails. */
const place = useWorkplace({ records: GOODS });

const prices = async () => await pricesIn(place);

describe('failures', () => {
  const undeletable = async () =>
    await place.sandbox.setUser('1001', { rights: { goods: { records: { '3': { delete: false } } } } });

  test('of an item: the others continue, nothing is removed, and a hint counts the records that are kept', async () => {
    const { json, error, hints } = await place.sync(removing, {
      input: itemsOf({ n: 'Bolt', p: 'much' }, { n: 'Nut', p: 8 }),
      node: COF,
    });
    expect(error).toBeUndefined();
    expect(json).toEqual([
      { error: expect.stringMatching(/"much"/) as string, details: { outcome: 'notDone', part: 'Price' } },
      { id: '2', outcome: 'updated' },
    ]);
    expect(hints.map(({ message }) => message)).toEqual([
      '0 created, 1 updated, 0 unchanged, 0 removed, 3 kept',
      'Nothing was removed because 1 of the items failed: 3 records that are not in the input were kept',
    ]);
    expect(await place.stored()).toHaveLength(5);
  });

  test('of items that cannot be read and have no key: the others continue', async () => {
    const { json } = await place.sync(byName, {
      input: itemsOf({ n: ' ', p: 'much' }, { n: null, p: 'more' }, { n: 'Nut', p: 8 }),
      node: COF,
    });
    expect(json.map(({ outcome, details }) => outcome ?? details)).toEqual([
      { outcome: 'notDone', part: 'Price' },
      { outcome: 'notDone', part: 'Price' },
      'updated',
    ]);
  });

  test('of all items before they are written: the records that are kept are counted, too', async () => {
    const values = { Name: '={{ $json.n }}', Kind: 'Gone' };
    const { json, hints } = await place.sync(
      { ...removing, values },
      { input: itemsOf({ n: 'Bolt' }), node: COF },
    );
    expect(json).toEqual([
      { error: expect.stringMatching(/"Gone"/) as string, details: { outcome: 'notDone', part: 'Kind' } },
    ]);
    expect(hints.map(({ message }) => message)).toEqual([
      '0 created, 0 updated, 0 unchanged, 0 removed, 4 kept',
      'Nothing was removed because 1 of the items failed: 4 records that are not in the input were kept',
    ]);
  });

  test.each([
    [
      'of an item with the key of another: nothing is written for any',
      itemsOf({ n: 'Nut', p: 8 }, { n: 'Nut', p: 'much' }),
      /^The items 0 and 1 have the same key/,
    ],
    [
      'of an item with a key that two records have: nothing is written for any',
      itemsOf({ n: 'Nut', p: 8 }, { n: 'Twin', p: 'much' }),
      /^2 records have the key of item 1/,
    ],
  ])('%s', async (_, input, message) => {
    await place.sandbox.addRecords(place.app.id, [{ Name: 'Twin' }, { Name: 'Twin' }]);
    const { error } = await place.sync(removing, { input, node: COF });
    expect(error?.message).toMatch(message);
    expect(await place.calls('update_data')).toEqual([]);
  });

  test('of an item: without Continue On Fail, nothing is written', async () => {
    const { error } = await place.sync(removing, {
      input: itemsOf({ n: 'Nut', p: 8 }, { n: 'Bolt', p: 'much' }),
    });
    expect(error?.context?.itemIndex).toBe(1);
    expect(await place.actions()).toEqual(['get_app']);
  });

  test('of a write: later ones are not started, and nothing is removed', async () => {
    await place.sandbox.setFaults([{ kind: 'ng', errorno: -1, message: 'no', action: 'update_data' }]);
    const { error } = await place.sync(removing, { input: list });
    expect(error?.message).toMatch(/no/);
    expect(await place.calls('delete_data')).toHaveLength(0);
  });

  test('of a removal: the others are removed, and one error names those that stay', async () => {
    await undeletable();
    const { error } = await place.sync(removing, { input: list });
    expect(error?.message).toMatch(/^Not deleted: 3\. Deleted were: 4\. /);
    expect(error?.context?.itemIndex).toBeUndefined();
    expect(Object.keys(await prices())).toEqual(['Bolt', 'Nut', 'Old', 'Rest']);
  });

  test('of a removal with Continue On Fail: one item after the others, paired with the first', async () => {
    await undeletable();
    const { items } = await place.sync(removing, { input: list, node: COF });
    expect(items.slice(3)).toEqual([
      { json: { id: '4', outcome: 'deleted', Name: 'Older' }, pairedItem: { item: 0 } },
      {
        json: {
          error: expect.stringMatching(/^Not deleted: 3\. /) as string,
          details: { outcome: 'refused', ids: ['3'] },
        },
        pairedItem: { item: 0 },
      },
    ]);
  });

  test('of a right to read that is withdrawn: no record is reported as deleted', async () => {
    await place.meanwhile({ action: 'get_data', times: 1 }, async () => {
      await place.sandbox.setUser('1001', { rights: { goods: { read: 'none' } } });
    });
    const { error } = await place.sync(removing, { input: list });
    expect(error?.message).toMatch(
      /^Not deleted: 3, 4\. The service refuses to return records that may exist/,
    );
    expect(await place.stored()).toHaveLength(5);
  });

  test('of reading one record before a removal: it stays, and the others are removed', async () => {
    await place.sandbox.setFaults([
      { kind: 'redirect', location: 'https://example.com/', action: 'get_data', times: 1 },
    ]);
    const { error } = await place.sync(removing, { input: list });
    const [, kept, deleted] =
      /^Not deleted: ([34])\. Deleted were: ([34])\. /.exec(error?.message ?? '') ?? [];
    expect([kept, deleted].sort()).toEqual(['3', '4']);
    const left = (await place.stored()).map(({ id }) => id);
    expect(left).toEqual(['1', '2', kept, '5']);
  });

  test('of reading before a removal: nothing is removed, and the error says so', async () => {
    await place.sandbox.setFaults([{ kind: 'status', status: 400, action: 'get_data' }]);
    const { error } = await place.sync(removing, { input: list });
    expect(error?.message).toMatch(/^Not deleted: 3, 4\. /);
    expect(await place.calls('delete_data')).toHaveLength(0);
  });
});

describe('Retry On Fail', () => {
  const both = itemsOf({ n: 'Bolt', p: 2 }, { n: 'Cap', p: 3 }, { n: 'Nut', p: 7 }, { n: 'Rest', p: 9 });

  test('writes of an earlier try are output again, but not done again', async () => {
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'not now', action: 'update_data', times: 1 },
    ]);
    const input = itemsOf({ n: 'Cap', p: 3 }, { n: 'Bolt', p: 2 });
    const { json } = await place.sync(byName, { input, node: RETRY });
    expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'updated']);
    expect(await place.calls('insert_data')).toHaveLength(1);
  });

  test('removals of an earlier try are output again', async () => {
    await place.sandbox.setUser('1001', { rights: { goods: { records: { '3': { delete: false } } } } });
    // At the next try, the record may be deleted.
    await place.meanwhile({ action: 'delete_data', skip: 1 }, async () => {
      await place.sandbox.setUser('1001', { rights: {} });
    });
    const { json } = await place.sync(removing, { input: both, node: RETRY });
    expect(json.map(({ id, outcome }) => [id, outcome])).toEqual([
      ['1', 'updated'],
      ['6', 'created'],
      ['2', 'unchanged'],
      ['5', 'unchanged'],
      ['3', 'deleted'],
      ['4', 'deleted'],
    ]);
    expect(await place.calls('insert_data')).toHaveLength(1);
  });

  test('records that an earlier try wrote are not removed, whatever their keys are now', async () => {
    await place.meanwhile(
      { action: 'delete_data', times: 1 },
      async () => await place.change({ Name: 'Screw' }),
      [{ kind: 'ng', errorno: -1, message: 'not now', action: 'delete_data', times: 2 }],
    );
    const { error } = await place.sync(removing, { input: list, node: RETRY });
    expect(error).toBeUndefined();
    expect(Object.keys(await prices())).toEqual(['Screw', 'Nut', 'Rest']);
  });

  test('records that an earlier try wrote still count for the half that may be removed', async () => {
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'not now', action: 'delete_data', times: 2 },
    ]);
    const input = itemsOf({ n: 'Bolt', p: 2 }, { n: 'Nut', p: 2 }, { n: 'Rest', p: 2 });
    const { json } = await place.sync(removing, { input, node: RETRY });
    expect(json.slice(3).map(({ id, outcome }) => [id, outcome])).toEqual([
      ['3', 'deleted'],
      ['4', 'deleted'],
    ]);
  });

  test.each(['insert_data', 'update_data', 'delete_data'])(
    'a lost answer of %s, and a service that is down for a while: settled by the next try',
    async (action) => {
      await place.sandbox.setFaults([
        { kind: 'drop', when: 'after', action, times: 1 },
        { kind: 'ng', errorno: -1, message: 'away', action: 'get_data', times: 1 },
        { kind: 'ng', errorno: -1, message: 'away', action: 'count_data', skip: 1, times: 1 },
        { kind: 'status', status: 400, action: 'list_data', skip: 1, times: 1 },
      ]);
      const { json } = await place.sync(action === 'delete_data' ? removing : byName, {
        input: both,
        node: RETRY,
      });
      expect(json.slice(0, 2).map(({ outcome }) => outcome)).toEqual(['updated', 'created']);
      expect((await place.stored()).filter(({ values }) => values.Name === 'Cap')).toHaveLength(1);
      if (action === 'delete_data')
        expect(json.slice(4).map(({ outcome }) => outcome)).toEqual(['deleted', 'deleted']);
    },
  );

  test('a refusal in a later try does not say that nothing was written', async () => {
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'not now', action: 'update_data', times: 1 },
      { kind: 'status', status: 400, action: 'list_data', skip: 1 },
    ]);
    const input = itemsOf({ n: 'Cap', p: 3 }, { n: 'Bolt', p: 2 });
    const { error } = await place.sync(byName, { input, node: RETRY });
    expect(error?.message).toMatch(/^An earlier try wrote this item \(created\), but a further try failed: /);
  });
});
