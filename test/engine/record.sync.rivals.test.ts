import { goods, list, pairs, removing } from './support/syncRuns';
import { CONTINUE, drop, each, testTable } from './support/table';
import { itemsOf, useWorkplace } from './support/workplace';

/** The result of a run if somebody else writes meanwhile, or cancels it. */
const place = useWorkplace(null);

const keep = { missing: 'keep' };
/** Before the first update of a run. */
const first = { action: 'update_data', times: 1 };
const changing =
  (values: Record<string, unknown>, index = 0) =>
  async () =>
    await place.change(values, index);
const removed = ['updated', 'unchanged', 'unchanged', 'deleted', 'deleted'];
const deletedIds = (ids: string) => ({ delete_data: [{ data_id: ids }] });

describe('somebody else', () => {
  testTable(
    place,
    removing,
    {
      ...each([2, 3] as const)('changes a record %s times: it is compared three times', (times) => ({
        run: keep,
        meanwhile: [
          { action: 'update_data', times },
          async (_, count) => await place.change({ Note: `round ${count}` }),
        ],
        ...(times === 3 && {
          error: /^The record 1 was changed in the meantime before each attempt to write it$/,
        }),
        stored: [{ Price: times === 3 ? '1' : '2', Note: `round ${times}` }, {}, {}, {}, {}],
      })),
      'takes over the key of a record: the item fails at once': {
        ...{ run: keep, meanwhile: [first, changing({ Name: 'Screw' })], node: CONTINUE },
        after: (_, { json }) =>
          expect(json[0]?.error).toMatch(
            /^The record 1 was changed in the meantime and no longer has the key of the item/,
          ),
        sent: { update_data: 1 },
      },
      'writes the same: the record holds what the item says': {
        ...{ run: keep, meanwhile: [first, changing({ Price: '2' })] },
        ...{ outcomes: Array(3).fill('unchanged'), sent: { update_data: 1 } },
      },
      "adds the record of an item whose insert is lost: it has the item's values, and is not told as created":
        {
          ...{ run: keep, items: pairs('Cap 3'), faults: [drop('insert_data', 'before', 9)] },
          meanwhile: [
            'insert_data',
            ({ sandbox, app }) => sandbox.addRecords(app.id, [{ Name: 'Cap', Price: '5' }]),
          ],
          output: [{ id: '6', outcome: 'updated' }],
          stored: [...Array<object>(5).fill({}), { Name: 'Cap', Price: '3' }] as never,
        },
      'changes a record just before it is removed: it stays': {
        meanwhile: [first, changing({ Note: 'mine' }, 2)],
        outcomes: [...removed.slice(0, 3), 'conflict', 'deleted'],
        hints: ['1 updated, 2 unchanged, 1 removed, 1 kept'],
        left: ['1', '2', '3', '5'],
      },
      'changes a record of a later delete request: it stays': {
        application: {
          records: Array.from({ length: 202 }, (_, index) => ({ Name: `N${index}`, Price: '1' })),
        },
        run: { maxRemovals: 300, options: { allowMostRemovals: true } },
        ...{ items: pairs('N201 1'), meanwhile: ['delete_data', changing({ Note: 'mine' }, 200)] },
        left: ['201', '202'],
        after: (_, { json }) =>
          expect(json.filter(({ outcome }) => outcome === 'conflict')).toMatchObject([{ id: '201' }]),
      },
      'removes a record that was to be removed: it is reported as deleted': {
        meanwhile: [first, ({ sandbox, app }) => sandbox.removeRecord(app.id, '3')],
        ...{ outcomes: removed, sent: deletedIds('4') },
      },
      'removes all records that were to be removed: nothing is left to ask for': {
        meanwhile: [
          first,
          async ({ sandbox, app }) => {
            for (const id of ['3', '4']) await sandbox.removeRecord(app.id, id);
          },
        ],
        ...{ outcomes: removed, sent: { delete_data: 0 } },
      },
    },
    goods,
  );

  test('changes a record while the node checks another missing one: it stays', async () => {
    await place.open(goods.application);
    const away = await place.sandbox.holdDuring(
      first,
      async () => await place.sandbox.removeRecord(place.app.id, '3'),
    );
    // The first get_app reads the definition and the second follows the list; this one concerns the missing record.
    await place.meanwhile({ action: 'get_app', skip: 2 }, changing({ Note: 'mine' }, 3), [away]);
    const { json } = await place.sync(removing, { input: itemsOf(...list) });
    expect(json.slice(3)).toMatchObject([
      { id: '3', outcome: 'deleted' },
      { id: '4', outcome: 'conflict' },
    ]);
    expect(await place.calls('delete_data')).toEqual([]);
  });
});

test.each(['update_data', 'get_data'])('a run that is cancelled at %s sends nothing more', async (action) => {
  await place.open(goods.application);
  const stop = await place.cancelAt({ action });
  await place.sync(removing, { input: itemsOf(...list), ...stop });
  await place.engine.idle();
  await place.noted(action, 1);
  expect((await place.calls('update_data')).length + (await place.calls('delete_data')).length).toBe(1);
  expect(await place.stored()).toHaveLength(5);
});
