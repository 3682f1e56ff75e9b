import { anyText, like } from './support/like';
import { useQuickRetries } from './support/quickRetries';
import { goods, list, pairs, removing } from './support/syncRuns';
import { CONTINUE, drop, each, http, ng, testTable, type Rows } from './support/table';
import { RETRY, useWorkplace } from './support/workplace';

useQuickRetries();

/** The result of a run if the service refuses or fails. */
const place = useWorkplace(null);

const keep = { missing: 'keep' };
const undeletable = { records: { '3': { delete: false } } };
const deletable = async () => await place.sandbox.setUser('1001', { rights: {} });
const counts = (counted: string, failed: string) => [
  counted,
  `Nothing was removed because 1 of the items failed: ${failed} records that are not in the input were kept`,
];
const cases = (rows: Rows) => testTable(place, removing, rows, goods);

describe('failures', () => {
  cases({
    'of an item: the others continue, nothing is removed, and a hint counts the records that are kept': {
      ...{ items: pairs('Bolt much, Nut 8'), node: CONTINUE },
      output: [
        { error: like(/"much"/), details: { outcome: 'notDone', part: 'Price', hint: anyText } },
        { id: '2', outcome: 'updated' },
      ],
      hints: counts('1 updated, 3 kept', '3'),
      sent: { delete_data: 0 },
    },
    'of items that cannot be read and have no key: the others continue': {
      ...{ run: keep, items: [{ n: ' ', p: 'much' }, { p: 'more' }, ...pairs('Nut 8')], node: CONTINUE },
      outcomes: ['notDone', 'notDone', 'updated'],
    },
    'of all items before they are written: the records that are kept are counted, too': {
      run: { values: { Name: '={{ $json.n }}', Kind: 'Gone' } },
      ...{ items: list.slice(0, 1), node: CONTINUE },
      shows: [{ error: like(/"Gone"/), details: { outcome: 'notDone', part: 'Kind' } }],
      hints: counts('4 kept', '4'),
    },
    ...each([
      ['the key of another', 'Nut 8, Nut much', /^The items 0 and 1 have the same key/],
      ['a key that two records have', 'Nut 8, Twin much', /^2 records have the key of item 1/],
    ] as const)('of an item with %s: nothing is written for any', ([, items, error]) => ({
      before: async ({ sandbox, app }) =>
        await sandbox.addRecords(app.id, [{ Name: 'Twin' }, { Name: 'Twin' }]),
      ...{ items: pairs(items), node: CONTINUE, error, sent: { update_data: 0 } },
    })),
    'an update whose answer is lost is planned three times': {
      ...{ run: keep, items: pairs('Nut 8'), faults: [drop('update_data', 'before', 2)] },
      ...{ output: [{ id: '2', outcome: 'updated' }], sent: { update_data: 3 } },
    },
    'of an item: without Continue On Fail, nothing is written': {
      ...{ items: pairs('Nut 8, Bolt much'), error: 'much', item: 1, actions: ['get_app'] },
    },
    'of a write: later ones are not started, and nothing is removed': {
      ...{ faults: [ng('update_data')], error: 'no', sent: { delete_data: 0 } },
    },
    'of a removal: the others are removed, and one error names those that stay': {
      ...{ rights: undeletable, error: /^Not deleted: 3\. Deleted were: 4\. /, left: ['1', '2', '3', '5'] },
      after: (_, { error }) => expect(error?.context?.itemIndex).toBeUndefined(),
    },
    'of a removal with Continue On Fail: one item after the others, paired with the first': {
      ...{ rights: undeletable, node: CONTINUE },
      after: (_, { items }) => {
        const error = like(/^Not deleted: 3\. /);
        expect(items.slice(3)).toEqual([
          { json: { id: '4', outcome: 'deleted', Name: 'Older' }, pairedItem: { item: 0 } },
          {
            json: { error, details: { outcome: 'refused', ids: ['3'], hint: anyText } },
            pairedItem: { item: 0 },
          },
        ]);
      },
    },
    'of a right to read that is withdrawn: no record is reported as deleted': {
      meanwhile: [
        'get_data',
        ({ sandbox }) => sandbox.setUser('1001', { rights: { goods: { read: 'none' } } }),
      ],
      error: /^Not deleted: 3, 4\. The service returns none of its records now, although there are some/,
      left: ['1', '2', '3', '4', '5'],
    },
    'of reading one record before a removal: it stays, and the others are removed': {
      faults: [{ kind: 'redirect', location: 'https://example.com/', action: 'get_data', times: 1 }],
      error: /^Not deleted: (3\. Deleted were: 4|4\. Deleted were: 3)\. /,
      after: async () => expect(await place.stored()).toHaveLength(4),
    },
    'of reading before a removal: nothing is removed, and the error says so': {
      ...{ faults: [http(400, 'get_data')], error: /^Not deleted: 3, 4\. /, sent: { delete_data: 0 } },
    },
  });
});

describe('Retry On Fail', () => {
  const both = pairs('Bolt 2, Cap 3, Nut 7, Rest 9');
  const two = pairs('Cap 3, Bolt 2');
  const again = { node: RETRY, sent: { insert_data: 1 } };
  const removed = ['updated', 'created', 'unchanged', 'unchanged', 'deleted', 'deleted'];
  cases({
    'removals of an earlier try are output again': {
      ...{ rights: undeletable, items: both, ...again, outcomes: removed },
      // At the next try, the record may be deleted.
      meanwhile: [{ action: 'delete_data', skip: 1 }, deletable],
    },
    'records that an earlier try wrote are not removed, whatever their keys are now': {
      ...{ faults: [ng('delete_data', { times: 2 })], node: RETRY },
      meanwhile: ['delete_data', async () => await place.change({ Name: 'Screw' })],
      stored: [{ Name: 'Screw' }, { Name: 'Nut' }, { Name: 'Rest' }],
    },
    'a record that an earlier try asked to delete in vain, and that may not go any more, is not told as deleted':
      {
        run: {
          filters: { condition: [{ part: 'Price', operator: 'equals', value: '9' }] },
          options: { allowMostRemovals: true },
        },
        ...{ faults: [ng('delete_data', { times: 3 })], items: pairs('Bolt 1, Nut 7, Rest 9'), node: RETRY },
        meanwhile: [
          { action: 'get_app', skip: 2, times: 1 },
          async () => await place.change({ Price: '1' }, 2),
        ],
        outcomes: ['unchanged', 'unchanged', 'unchanged', 'deleted'],
        stored: [{ Name: 'Bolt' }, { Name: 'Nut' }, { Name: 'Old' }, { Name: 'Rest' }],
      },
    ...each(['insert_data', 'update_data', 'delete_data'])(
      'a lost answer of %s, and a service that is down for a while: settled by the next try',
      (action) => ({
        run: action === 'delete_data' ? {} : keep,
        faults: [
          ...[drop(action, 'after'), ng('get_data', { times: 1 }), ng('count_data', { skip: 1, times: 1 })],
          http(400, 'list_data', { skip: 1, times: 1 }),
        ],
        ...{ items: both, ...again, outcomes: removed.slice(0, action === 'delete_data' ? 6 : 4) },
      }),
    ),
    'a refusal in a later try does not say that nothing was written': {
      faults: [ng('update_data', { times: 1 }), http(400, 'list_data', { skip: 1 })],
      ...{ run: keep, items: two, node: RETRY },
      error: /^An earlier try wrote this item \(created\), but a further try failed: /,
    },
  });
});
