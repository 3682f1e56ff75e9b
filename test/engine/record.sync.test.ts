import { useQuickRetries } from './support/quickRetries';
import { byName, goods, list, pairs, removing } from './support/syncRuns';
import { each, testTable, type Row } from './support/table';
import { itemsOf, useWorkplace } from './support/workplace';

useQuickRetries();

const place = useWorkplace(null);

const updated = (id: string) => ({ id, outcome: 'updated' });
const unchanged = (id: string) => ({ id, outcome: 'unchanged' });
const deleted = (id: string, Name: string) => ({ id, outcome: 'deleted', Name });

testTable(
  place,
  byName,
  {
    'creates, changes and keeps records, in the order of the items': {
      items: pairs('Nut 8, Cap 2, Bolt 1.0'),
      output: [updated('2'), { id: '6', outcome: 'created' }, unchanged('1')],
      hints: ['1 created, 1 updated, 1 unchanged, 3 kept'],
      sent: { update_data: [{ '{{revision}}': '1', '{{Price}}': '8' }] },
      after: async () => expect((await place.sent('update_data'))[0]).not.toHaveProperty('{{Name}}'),
    },
    'removes records that are not in the input, after everything was written, paired with the first item': {
      run: { missing: 'delete' },
      output: [updated('1'), unchanged('2'), unchanged('5'), deleted('3', 'Old'), deleted('4', 'Older')],
      left: ['1', '2', '5'],
      after: async (_, { items }) => {
        expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 0, 0].map((item) => ({ item })));
        expect((await place.actions()).slice(-4)).toEqual([
          ...['update_data', 'get_data', 'get_data', 'delete_data'],
        ]);
      },
    },
    ...each([
      ...[{ listRevision: 'never' }, { ids: 'number', counts: 'number' }, { numbers: 'separators' }],
      { emptyList: 'error', singleItem: 'object' },
    ])('with another dialect: %s', (dialect) => ({
      ...{ dialect, run: { missing: 'delete' } },
      outcomes: ['updated', 'unchanged', 'unchanged', 'deleted', 'deleted'],
      sent: { update_data: [{ '{{revision}}': '1' }] },
      after: async () => {
        const again = await place.sync(removing, { input: itemsOf(...list) });
        expect(again.json.map(({ outcome }) => outcome)).toEqual(Array(3).fill('unchanged'));
      },
    })),
    'Dry Run shows first what would be removed, paired with the first item, and names it in the hint': {
      run: { missing: 'delete', options: { dryRun: true } },
      outcomes: ['deleted', 'deleted', 'updated', 'unchanged', 'unchanged'],
      hints: ['Dry run', '1 would be updated, 2 unchanged, 2 would be removed (3 "Old"; 4 "Older")'],
      after: (_, { items }) => {
        expect(items.flatMap(({ json: { Name } }) => Name ?? [])).toEqual(['Old', 'Older']);
        expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 0, 1, 2].map((item) => ({ item })));
      },
    },
    'Dry Run shows what would be created and changed': {
      run: { options: { dryRun: true } },
      items: pairs('Bolt 2, Cap 1, Nut 7'),
      shows: [
        { id: '1', outcome: 'updated', dryRun: true, changes: { Price: { from: 1, to: 2 } } },
        { outcome: 'created', changes: { Name: { to: 'Cap' }, Price: { to: 1 } } },
        { id: '2', outcome: 'unchanged', dryRun: true },
      ],
      sent: { insert_data: 0, update_data: 0 },
    },
  },
  goods,
);

describe('what a run costs', () => {
  const records = Array.from({ length: 10_000 }, (_, index) => ({ Name: `N${index}`, Price: '1' }));
  const calls =
    (expected: object): Row['after'] =>
    async () =>
      expect((await place.sandbox.statistics()).callsByAction).toEqual(expected);
  testTable(
    place,
    { ...removing, values: null },
    {
      'records without changes cost only reads, however many items': {
        items: records,
        after: calls({ get_app: 2, list_data: 3, count_data: 1 }),
      },
      'a hundred changes and ten removals among ten thousand: few other requests': {
        items: records.slice(10).map(({ Name }, index) => ({ Name, Price: index % 100 === 0 ? 2 : 1 })),
        after: calls({
          ...{ get_app: 2, list_data: 3, count_data: 1 },
          ...{ update_data: 100, get_data: 10, delete_data: 1 },
        }),
      },
    },
    { application: { records } },
  );
});
