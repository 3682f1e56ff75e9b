import { LINES, rowOf } from './support/rows';
import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace({
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Price', type: 'number' },
    { name: 'Owner', type: 'users' },
    { name: 'Total', type: 'number', readonly: true },
    LINES,
  ],
  records: [{ Name: 'Order', Lines: [{ Item: 'a', Qty: '1' }] }, { Name: 'Empty' }],
});

const node = { onError: 'continueRegularOutput' } as const;
describe('an item whose row does not exist', () => {
  const settings = rowOf({ Qty: 9 }, { rowId: '={{ $json.r }}', options: { failIfNotFound: true } });
  const input = itemsOf({ r: '1' }, { r: '99' });

  test('is not told as written together with the others of its record', async () => {
    const { error } = await place.run('update', settings, { input });
    expect(error?.message).toContain('has no row 99');
    expect(error?.description).toMatch(/Written, with their IDs: items 0 \(1\)\. As everywhere/);
  });

  test('is not done', async () => {
    const { json } = await place.run('update', settings, { input, node });
    expect(json).toEqual([
      { recordId: '1', rowId: '1', outcome: 'updated' },
      {
        error: expect.stringContaining('has no row 99') as string,
        details: { outcome: 'notDone', ids: ['1'] },
      },
    ]);
  });
});

test.each(['create', 'update'])(
  'what was written and refuses to be read is not refused: %s',
  async (name) => {
    await place.sandbox.setFaults([{ kind: 'ng', action: 'get_data', errorno: -5, message: 'no' }]);
    const settings = { recordId: '1', values: { Price: 4 }, options: { returnRecord: true } };
    const { json } = await place.run(name, settings, { node });
    expect(json).toEqual([
      {
        error: expect.stringContaining('could not be read afterwards') as string,
        details: { ids: [name === 'create' ? '3' : '1'] },
      },
    ]);
  },
);

test.each([
  ['update', { values: { Price: 'many' }, recordId: '2' }, ['2']],
  ['get', { recordId: '98' }, ['98']],
  ['delete', { recordId: '98,99', options: { failIfNotFound: true } }, ['98', '99']],
  ['upsert', { values: { Name: 'Order', Price: 1 }, matchBy: ['Name'] }, ['1']],
] as const)('a failed item names its records: %s', async (name, settings, ids) => {
  await place.sandbox.setFaults([{ kind: 'status', action: 'update_data', status: 400 }]);
  const { json } = await place.run(name, settings, { node });
  expect(json[0]?.details).toMatchObject({ ids });
});

test('a conflict names its record', async () => {
  await place.change({ Price: '5' });
  const { json } = await place.update(
    { values: { Price: 6 }, conflictPolicy: 'fail', revision: 1 },
    { node },
  );
  expect(json[0]?.details).toEqual({ outcome: 'conflict', ids: ['1'] });
});

test.each([
  ['a part that does not accept it', { Price: 'much' }, 'Price'],
  ['a part that cannot be written', { Total: '3' }, 'Total'],
  ['a person by name', { Owner: 'Aiko Mori' }, 'Owner'],
  ['a child part that does not exist', { Lines: [{ Nope: 1 }] }, 'Lines'],
])('a refused value names its part: %s', async (_, values, part) => {
  const { json } = await place.update({ values }, { node });
  expect(json[0]?.details).toEqual({ outcome: 'notDone', ids: ['1'], part });
});
