import { byName, COF, GOODS, list, pricesIn, removing } from './support/syncRuns';
import { itemsOf, useWorkplace } from './support/workplace';

/** The result of a run if somebody else writes meanwhile, or cancels it. */
const place = useWorkplace({ records: GOODS });

const prices = async () => await pricesIn(place);

describe('somebody else', () => {
  test.each([
    [2, undefined, '2'],
    [3, /^The record 1 was changed in the meantime before each attempt to write it$/, '1'],
  ])('changes a record %i times: it is compared three times', async (times, message, price) => {
    await place.meanwhile(
      { action: 'update_data', times },
      async (count) => await place.change({ Note: `round ${count}` }),
    );
    const { error } = await place.sync(byName, { input: list });
    if (message === undefined) expect(error).toBeUndefined();
    else expect(error?.message).toMatch(message);
    expect((await place.storedAt(0))?.values).toMatchObject({ Price: price, Note: `round ${times}` });
  });

  /** Before the first update of a run. */
  const first = { action: 'update_data', times: 1 };

  test('takes over the key of a record: the item fails at once', async () => {
    await place.meanwhile(first, async () => await place.change({ Name: 'Screw' }));
    const { json } = await place.sync(byName, { input: list, node: COF });
    expect(json[0]?.error).toMatch(
      /^The record 1 was changed in the meantime and no longer has the key of the item/,
    );
    expect(await place.calls('update_data')).toHaveLength(1);
  });

  test('writes the same: the record holds what the item says', async () => {
    await place.meanwhile(first, async () => await place.change({ Price: '2' }));
    const { json, error } = await place.sync(byName, { input: list });
    expect([error, json[0]?.outcome]).toEqual([undefined, 'unchanged']);
    expect(await place.calls('update_data')).toHaveLength(1);
  });

  test("adds the record of an item whose insert is lost: the record has the item's values, and is not reported as created", async () => {
    await place.meanwhile(
      { action: 'insert_data', times: 1 },
      async () => await place.sandbox.addRecords(place.app.id, [{ Name: 'Cap', Price: '5' }]),
      [{ kind: 'drop', when: 'before', action: 'insert_data' }],
    );
    const { json } = await place.sync(byName, { input: itemsOf({ n: 'Cap', p: 3 }) });
    expect(json).toEqual([{ id: '6', outcome: 'updated' }]);
    expect(await prices()).toMatchObject({ Cap: '3' });
  });

  test('changes a record just before it is removed: it stays', async () => {
    await place.meanwhile(first, async () => await place.change({ Note: 'mine' }, 2));
    const { items, hints } = await place.sync(removing, { input: list });
    expect(items.slice(3)).toEqual([
      { json: { id: '3', outcome: 'conflict', Name: 'Old' }, pairedItem: { item: 0 } },
      { json: { id: '4', outcome: 'deleted', Name: 'Older' }, pairedItem: { item: 0 } },
    ]);
    expect(hints[0]?.message).toBe('0 created, 1 updated, 2 unchanged, 1 removed, 1 kept');
    expect(Object.keys(await prices())).toEqual(['Bolt', 'Nut', 'Old', 'Rest']);
  });

  test('changes a record while the node checks another missing one: it stays', async () => {
    const removed = await place.sandbox.holdDuring(
      first,
      async () => await place.sandbox.removeRecord(place.app.id, place.record(2)),
    );
    // The first get_app reads the definition and the second follows the list; this one concerns the missing record.
    await place.meanwhile(
      { action: 'get_app', skip: 2 },
      async () => await place.change({ Note: 'mine' }, 3),
      [removed],
    );
    const { json } = await place.sync(removing, { input: list });
    expect(json.slice(3).map(({ id, outcome }) => [id, outcome])).toEqual([
      ['3', 'deleted'],
      ['4', 'conflict'],
    ]);
    expect(await place.calls('delete_data')).toEqual([]);
  });

  test('changes a record of a later delete request: it stays', async () => {
    const records = Array.from({ length: 202 }, (_, index) => ({ Name: `N${index}`, Price: '1' }));
    await place.open({ records });
    await place.meanwhile(
      { action: 'delete_data', times: 1 },
      async () => await place.change({ Note: 'mine' }, 200),
    );
    const { json } = await place.sync(
      { ...removing, maxRemovals: 300, options: { allowMostRemovals: true } },
      { input: itemsOf({ n: 'N201', p: 1 }) },
    );
    expect(json.filter(({ outcome }) => outcome === 'conflict').map(({ id }) => id)).toEqual([
      place.record(200),
    ]);
    expect((await place.stored()).map(({ id }) => id)).toEqual([place.record(200), place.record(201)]);
  });

  test('removes a record that was to be removed: it is reported as deleted', async () => {
    await place.meanwhile(first, async () => await place.sandbox.removeRecord(place.app.id, place.record(2)));
    const { json } = await place.sync(removing, { input: list });
    expect(json.slice(3).map(({ id, outcome }) => [id, outcome])).toEqual([
      ['3', 'deleted'],
      ['4', 'deleted'],
    ]);
    expect((await place.sent('delete_data')).map(({ data_id: ids }) => ids)).toEqual(['4']);
  });
});

test.each(['update_data', 'get_data'])('a run that is cancelled at %s sends nothing more', async (action) => {
  const stop = await place.cancelAt({ action });
  await place.sync(removing, { input: list, ...stop });
  await place.engine.idle();
  await place.noted(action, 1);
  expect(await place.calls('update_data')).toHaveLength(1);
  expect(await place.calls('delete_data')).toHaveLength(0);
  expect(await place.stored()).toHaveLength(5);
});
