import { LINES, rowOf } from './support/rows';
import { itemsOf, RETRY, useWorkplace } from './support/workplace';

const place = useWorkplace({
  parts: [{ name: 'Name', type: 'textbox' }, LINES],
  records: [{ Name: 'Order', Lines: [{ Item: 'a', Qty: '1' }] }, { Name: 'Empty' }],
});

/** Item and quantity of each row. */
const brief = async (index = 0) =>
  (((await place.storedAt(index))?.values.Lines ?? []) as { Item?: string; Qty?: string }[]).map(
    ({ Item, Qty }) => [Item, Qty],
  );

test('one failed write fails all items of its record, and no other', async () => {
  const { json } = await place.run('add', rowOf({ Item: '={{ $json.n }}' }, { recordId: '={{ $json.r }}' }), {
    input: itemsOf({ r: '1', n: 'x' }, { r: '404', n: 'y' }, { r: '404', n: 'z' }),
    node: { onError: 'continueRegularOutput' },
  });
  expect(json.map((item) => 'error' in item)).toEqual([false, true, true]);
  expect((await brief()).at(-1)).toEqual(['x', undefined]);
});

test('with Retry On Fail, rows that were written are not written again', async () => {
  await place.sandbox.setFaults([
    { kind: 'ng', action: 'update_data', skip: 1, times: 1, errorno: -1, message: 'x' },
  ]);
  const { json, error } = await place.run(
    'add',
    rowOf({ Item: '={{ $json.n }}' }, { recordId: '={{ $json.r }}' }),
    { input: itemsOf({ r: '1', n: 'x' }, { r: '2', n: 'y' }), node: RETRY },
  );
  expect(error).toBeUndefined();
  expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
  expect((await brief()).slice(1)).toEqual([['x', undefined]]);
  expect(await brief(1)).toEqual([['y', undefined]]);
});

test.each(['before', 'after'] as const)('an answer lost %s the work never adds a row twice', async (when) => {
  await place.sandbox.setFaults([{ kind: 'drop', when, action: 'update_data', times: 1 }]);
  const { error } = await place.run('add', rowOf({ Item: 'x' }), { node: RETRY });
  expect(error).toBeUndefined();
  expect((await brief()).slice(1)).toEqual([['x', undefined]]);
});

test.each([
  ['changed other parts, the row is there', { Name: 'changed' }, undefined, [['x', undefined]]],
  ['removed the row, too, it stays unknown', { Lines: [{ Item: 'y' }] }, 'outcome unknown', []],
])('if others %s after a lost answer, also in later tries', async (_, change, message, rows) => {
  await place.meanwhile(
    { action: 'update_data', when: 'after', times: 1 },
    async () => await place.change(change),
    [{ kind: 'drop', when: 'after', action: 'update_data', times: 1 }],
  );
  const { error } = await place.run('add', rowOf({ Item: 'x' }), { node: RETRY });
  expect(error?.message ?? '').toContain(message ?? '');
  expect((await brief()).slice(1)).toEqual(rows);
  expect(await place.calls('update_data')).toHaveLength(1);
});
