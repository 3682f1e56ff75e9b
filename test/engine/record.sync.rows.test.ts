import { some } from './support/like';
import { withFiles } from './support/rows';
import { testTable, type Row } from './support/table';
import { itemsOf, useWorkplace, type RunSettings } from './support/workplace';

/** Existing rows and files are not written again. */
const place = useWorkplace(null);

const application = {
  records: [
    {
      Name: 'Bolt',
      Lines: [
        { Item: 'a', Qty: '1' },
        { Item: 'b', Qty: '2' },
      ],
    },
  ],
};
const merge = { options: { tableRowMode: 'merge' } };
const told = (outcome: string) => ({
  outcomes: [outcome],
  ...(outcome === 'unchanged' && { sent: { update_data: 0 } }),
});
/** The rows then, as `Item Qty`; those of before keep their IDs. */
const rows = (...lines: string[]) => ({
  stored:
    lines.length === 0
      ? [{ Name: 'Bolt', Double: '0' }]
      : [
          {
            Lines: lines.map((line): unknown => {
              const [Item, Qty] = line.split(' ');
              const id = Item === 'a' ? '1' : '2';
              return some({ Item, ...(Qty && { Qty }), ...('ab'.includes(Item!) && Qty && { id }) });
            }),
          },
        ],
});
/** Sync once more, of the same items. */
const again =
  (outcome: string, run: RunSettings): Row['after'] =>
  async () => {
    const { json } = await place.sync(
      { ...base, ...run, options: { ...run.options } },
      { input: itemsOf({}) },
    );
    expect(json).toMatchObject([{ outcome }]);
  };
const base = { operation: 'sync', values: { Name: 'Bolt' }, matchBy: ['Name'] };
const lines = (given: unknown, more: RunSettings = {}): { run: RunSettings } => ({
  run: { values: { Name: 'Bolt', Lines: `={{ ${JSON.stringify(given)} }}` }, ...more },
});
const CB = lines([{ Item: 'c', Qty: 3 }, { Item: 'b' }]);

testTable(
  place,
  base,
  {
    'those that are there change nothing, whatever their order': {
      ...{ ...lines([{ Item: 'b', Qty: '2.0' }, { Item: 'a' }]), ...told('unchanged') },
    },
    'an empty list deletes none of them with Merge': { ...lines([], merge), ...told('unchanged') },
    'an empty list deletes all of them with Replace': { ...lines([]), ...told('updated'), ...rows() },
    'existing rows keep their IDs and the values that are left out; others are added and deleted': {
      ...{ ...CB, ...told('updated'), ...rows('c 3', 'b 2'), after: again('unchanged', CB.run) },
    },
    'without IDs, they are written again with the values that are left out': {
      ...{ dialect: { rowIds: 'none' }, ...lines([{ Item: 'b' }, { Item: 'c' }]), ...told('updated') },
      stored: [{ Lines: [{ Item: 'b', Qty: '2' }, { Item: 'c' }].map(some) }],
    },
    'Parts to Empty empties a table once': {
      run: { options: { partsToEmpty: ['Lines'] } },
      ...{
        ...told('updated'),
        ...rows(),
        after: again('unchanged', { options: { partsToEmpty: ['Lines'] } }),
      },
    },
  },
  { application },
);

describe('files', () => {
  const counted =
    'Files left as they are, because the record holds a file of the same name and another size: 1';
  const parts = [
    { name: 'Name', type: 'textbox' },
    { name: 'Photo', type: 'files' },
    {
      ...{ name: 'Lines', type: 'input_list' },
      children: [{ name: 'Item', type: 'textbox' }].concat({ name: 'Scan', type: 'files' }),
    },
  ];
  test.each<[string, RunSettings]>([
    ['of a record', { values: { Name: 'Bolt', Photo: 'data' } }],
    ['of a row with an ID', lines([{ id: '1', Scan: 'data' }]).run],
  ])('%s are added once, by their names; one of another size is counted, not replaced', async (_, run) => {
    await place.open({ parts, records: [{ Name: 'Bolt', Lines: [{ Item: 'a' }] }] });
    const outcomes: unknown[] = [];
    for (const text of ['one', 'one', 'three']) {
      const input = [withFiles({ data: { name: 'a.txt', text } })];
      const { json, hints } = await place.sync({ ...base, ...run }, { input });
      outcomes.push(
        json[0]?.outcome,
        hints.some(({ message }) => message === counted),
      );
    }
    expect(outcomes).toEqual(['updated', false, 'unchanged', false, 'unchanged', true]);
    expect(await place.calls('update_data')).toHaveLength(1);
  });
});
