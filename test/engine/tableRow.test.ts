import { itemsOf, useWorkplace } from './support/workplace';
import { LINES, rowOf, withFiles } from './support/rows';

const ROWS = [
  { Item: 'a', Qty: '1', Due: '2026-03-01', Tags: ['hot'] },
  { Item: 'b', Qty: '1200' },
  { Item: 'c', Plan: [{ name: 'plan.txt', text: 'plan' }] },
];

const place = useWorkplace({
  parts: [{ name: 'Name', type: 'textbox' }, LINES],
  records: [{ Name: 'Order', Lines: ROWS }, { Name: 'Empty' }],
});

interface StoredRow {
  readonly id: string;
  readonly Item?: string;
  readonly Qty?: string;
  readonly Plan?: readonly { readonly id: string; readonly name: string }[];
}

const rows = async (index = 0) => ((await place.storedAt(index))?.values.Lines ?? []) as StoredRow[];
const brief = async (index = 0) => (await rows(index)).map(({ Item, Qty }) => [Item, Qty]);

test.each([
  ['a list of one', '={{ ["1"] }}', undefined],
  ['a row as it was read', '={{ ({ id: "1", Item: "a" }) }}', undefined],
  ['several', '={{ [1, 2] }}', 'The item names 2 rows, and this operation takes one'],
  ['several as text', '1,2', 'The item names 2 rows, and this operation takes one'],
  ['nothing', '={{ $json.nope }}', 'The row ID is empty: its expression returned nothing'],
  ['an empty text', '={{ "" }}', 'The row ID is empty'],
])('Update takes the ID of one row: %s', async (_, rowId, message) => {
  const { json, error } = await place.run('update', rowOf({ Item: 'new' }, { rowId }));
  expect(error?.message).toBe(message);
  if (message === undefined) expect(json).toEqual([{ recordId: '1', rowId: '1', outcome: 'updated' }]);
  expect((await brief())[0]?.[0]).toBe(message === undefined ? 'new' : 'a');
});

describe('Add', () => {
  test('adds the rows of all items in one update and keeps the others unchanged', async () => {
    const before = await rows();
    const { json, error } = await place.run('add', rowOf({ Item: '={{ $json.n }}', Qty: 3 }), {
      input: itemsOf({ n: 'x' }, { n: 'y' }),
    });
    expect(error).toBeUndefined();
    expect(json).toEqual([
      { recordId: '1', outcome: 'created' },
      { recordId: '1', outcome: 'created' },
    ]);
    expect((await rows()).slice(0, 3)).toEqual(before);
    expect((await brief()).slice(3)).toEqual([
      ['x', '3'],
      ['y', '3'],
    ]);
    expect(await place.actions()).toEqual(['get_app', 'get_data', 'update_data']);
  });

  test('writes each record once, whatever the order of items', async () => {
    const { json } = await place.run(
      'add',
      rowOf({ Item: '={{ $json.n }}' }, { recordId: '={{ $json.r }}' }),
      {
        input: itemsOf({ r: '1', n: 'x' }, { r: '2', n: 'y' }, { r: '1', n: 'z' }),
      },
    );
    expect(json.map(({ recordId }) => recordId)).toEqual(['1', '2', '1']);
    expect((await brief()).map(([item]) => item)).toEqual(['a', 'b', 'c', 'x', 'z']);
    expect(await brief(1)).toEqual([['y', undefined]]);
    expect(await place.calls('update_data')).toHaveLength(2);
  });

  test("maps automatically, and ignores the nodes' own keys", async () => {
    await place.run('add', rowOf(null), { input: itemsOf({ id: '9', recordId: '1', Item: 'x', Qty: 2 }) });
    expect((await brief()).at(-1)).toEqual(['x', '2']);
  });

  test('uploads files of several items into the right rows', async () => {
    const { error } = await place.run('add', rowOf({ Item: '={{ $json.n }}', Plan: 'data' }), {
      input: [
        withFiles({ data: { name: 'x.txt', text: 'xx' } }, { n: 'x' }),
        withFiles({ data: { name: 'y.txt', text: 'yyy' } }, { n: 'y' }),
      ],
    });
    expect(error).toBeUndefined();
    expect((await rows()).map(({ Item, Plan }) => [Item, Plan?.[0]?.name])).toEqual([
      ['a', undefined],
      ['b', undefined],
      ['c', 'plan.txt'],
      ['x', 'x.txt'],
      ['y', 'y.txt'],
    ]);
    const [call] = await place.calls('update_data');
    expect(call?.files.map(({ field }) => field)).toEqual(['{{Lines}}3.{{Plan}}', '{{Lines}}4.{{Plan}}']);
  });

  test('refuses values that a row does not accept before anything is sent', async () => {
    const { error } = await place.run('add', rowOf({ Item: 'x', Qty: '={{ $json.q }}' }), {
      input: itemsOf({ q: 1 }, { q: 'many' }),
    });
    expect(error?.message).toContain('Part "Qty"');
    expect(error?.message).toContain('it is not a number');
    expect(error?.context?.itemIndex).toBe(1);
    expect(await place.actions()).toEqual(['get_app']);
  });
});

describe('Update', () => {
  test('changes one row and sends the others completely, even if the service empties values that are left out', async () => {
    await place.sandbox.setDialect({ omittedChild: 'emptied' });
    const before = await rows();
    const { json } = await place.run('update', rowOf({ Qty: 9 }, { rowId: '2' }));
    expect(json).toEqual([{ recordId: '1', rowId: '2', outcome: 'updated' }]);
    expect(await rows()).toEqual([before[0], { ...before[1], Qty: '9' }, before[2]]);
  });

  test('applies two items for the same row in order, each with its outcome', async () => {
    const { json } = await place.run(
      'update',
      rowOf({ Qty: '={{ $json.q }}' }, { rowId: '={{ $json.row }}', options: { skipUnchanged: true } }),
      {
        input: itemsOf(
          { row: '1', q: 5 },
          { row: '1', q: 6 },
          { row: '1', q: '6.0' },
          { row: '2', q: 1200 },
          { row: '77', q: 1 },
        ),
      },
    );
    expect(json.map(({ rowId, outcome }) => [rowId, outcome])).toEqual([
      ['1', 'updated'],
      ['1', 'updated'],
      ['1', 'unchanged'],
      ['2', 'unchanged'],
      ['77', 'notFound'],
    ]);
    expect((await brief()).map(([, qty]) => qty)).toEqual(['6', '1200', undefined]);
    expect(await place.calls('update_data')).toHaveLength(1);
  });

  test('writes items of one record with other options apart', async () => {
    const { json } = await place.run(
      'update',
      rowOf(
        { Qty: '={{ $json.q }}' },
        { rowId: '={{ $json.row }}', options: { dryRun: '={{ $json.dry }}' } },
      ),
      { input: itemsOf({ row: '1', q: 5, dry: false }, { row: '2', q: 6, dry: true }) },
    );
    expect(json.map(({ rowId, dryRun }) => [rowId, dryRun])).toEqual([
      ['1', undefined],
      ['2', true],
    ]);
    expect((await brief()).map(([, qty]) => qty)).toEqual(['5', '1200', undefined]);
  });

  test('sends nothing if nothing changes', async () => {
    const { json } = await place.run(
      'update',
      rowOf({ Qty: 1 }, { rowId: '1', options: { skipUnchanged: true } }),
    );
    expect(json[0]?.outcome).toBe('unchanged');
    expect(await place.calls('update_data')).toEqual([]);
  });

  test('empties parts, and shows this in a dry run', async () => {
    const dry = await place.run(
      'update',
      rowOf({ Item: 'A' }, { rowId: '1', options: { partsToEmpty: ['Qty'], dryRun: true } }),
    );
    expect(dry.json[0]).toMatchObject({ recordId: '1', rowId: '1', outcome: 'updated', dryRun: true });
    expect(dry.json[0]?.changes).toMatchObject({
      Lines: { to: [{ id: '1', Item: 'A', Qty: null }, {}, {}] },
    });
    expect(await place.calls('update_data')).toEqual([]);
    await place.run('update', rowOf({ Item: 'A' }, { rowId: '1', options: { partsToEmpty: ['Qty'] } }));
    expect((await brief())[0]).toEqual(['A', undefined]);
  });

  test('adds and removes files of a row, and returns the record', async () => {
    const plan = (await rows())[2]?.Plan?.[0]?.id;
    const { json, error } = await place.run(
      'update',
      rowOf({ Plan: { add: ['data'], remove: [plan] } }, { rowId: '3', options: { returnRecord: true } }),
      { input: [withFiles({ data: { name: 'new.txt', text: 'new' } })] },
    );
    expect(error).toBeUndefined();
    expect(json[0]).toMatchObject({ id: '1', rowId: '3', outcome: 'updated', Name: 'Order' });
    const keys = Object.keys(json[0] ?? {});
    expect(keys.slice(0, 3)).toEqual(['id', 'outcome', 'Name']);
    expect(keys.slice(-5)).toEqual(['revision', 'canWrite', 'canDelete', 'recordId', 'rowId']);
    expect((await rows())[2]?.Plan?.map(({ name }) => name)).toEqual(['new.txt']);
  });
});

describe('Delete', () => {
  test('deletes rows of several items; an id in two items counts for both', async () => {
    const { json } = await place.run('delete', rowOf(null, { rowId: '={{ $json.rows }}' }), {
      input: itemsOf({ rows: '2,88' }, { rows: ['2', '3'] }, { rows: 99 }),
    });
    expect(json).toEqual([
      { recordId: '1', ids: ['2'], notFound: ['88'], outcome: 'deleted' },
      { recordId: '1', ids: ['2', '3'], notFound: [], outcome: 'deleted' },
      { recordId: '1', ids: [], notFound: ['99'], outcome: 'notFound' },
    ]);
    expect((await brief()).map(([item]) => item)).toEqual(['a']);
  });

  test('thousands of IDs are not all named', async () => {
    const rowId = Array.from({ length: 3000 }, (_, index) => 900_000 + index).join();
    const { error } = await place.run('delete', rowOf(null, { rowId, options: { failIfNotFound: true } }));
    expect(error?.message).toMatch(/^Record 1 has no row 900000, .* \(2990 more\) in /);
  });

  test('an empty row id is refused', async () => {
    const { error } = await place.run('delete', rowOf(null, { rowId: '={{ "" }}' }));
    expect(error?.message).toBe('The row ID is empty');
  });
});

test('Get Many returns one item per row', async () => {
  const { json } = await place.run('getAll', { resource: 'tableRow', recordId: '1', tablePart: 'Lines' });
  expect(json).toHaveLength(3);
  expect(json[1]).toEqual({ id: '2', recordId: '1', Item: 'b', Qty: 1200, Due: null, Tags: [], Plan: [] });
});

describe.each(['plain', 'value', 'part'])('row IDs written as %s', (rowIds) => {
  test('are found, as text or number', async () => {
    for (const ids of ['string', 'number']) {
      await place.sandbox.setDialect({ rowIds, ids });
      const read = await place.run('getAll', rowOf(null));
      const id = read.json[0]?.id as string;
      const { json } = await place.run('update', rowOf({ Qty: 4 }, { rowId: id }));
      expect(json[0]?.outcome).toBe('updated');
      expect(await brief()).toEqual([
        ['a', '4'],
        ['b', '1200'],
        ['c', undefined],
      ]);
    }
  });
});

test('without row ids, nothing is merged: the refusal says why, and so does reading', async () => {
  await place.sandbox.setDialect({ rowIds: 'none' });
  for (const operation of ['add', 'update', 'delete']) {
    const { error } = await place.run(operation, rowOf({ Item: 'x' }, { rowId: '1' }));
    expect(error?.message).toContain('the service returns no IDs for them');
  }
  expect(await place.calls('update_data')).toEqual([]);
  const { json, hints } = await place.run('getAll', rowOf(null));
  expect(json[0]?.id).toBeNull();
  expect(hints[0]?.message).toContain('no "id"');
  // A row can still be added to an empty table part.
  const { json: added } = await place.run('add', rowOf({ Item: 'x' }, { recordId: '2' }));
  expect(added[0]?.outcome).toBe('created');
});

test.each([
  ['Name', 'Part "Name" (ID', 'is not a table part'],
  ['Lins', 'There is no part "Lins"', ''],
])('the part %s is refused in a sentence', async (tablePart, begin, end) => {
  const { error } = await place.run('getAll', { resource: 'tableRow', recordId: '1', tablePart });
  expect(error?.message).toContain(begin);
  expect(error?.message).toContain(end);
});
