import { anyText, some } from './support/like';
import { LINES, rowOf, withFiles } from './support/rows';
import { CONTINUE, drop, each, itemsIn, testTable, type Row, type Rows } from './support/table';
import { RETRY, useWorkplace } from './support/workplace';

const place = useWorkplace(null);

const application = {
  parts: [{ name: 'Name', type: 'textbox' }, LINES],
  records: [
    {
      Name: 'Order',
      Lines: [
        { Item: 'a', Qty: '1', Due: '2026-03-01', Tags: ['hot'] },
        { Item: 'b', Qty: '1200' },
        { Item: 'c', Plan: [{ name: 'plan.txt', text: 'plan' }] },
      ],
    },
    { Name: 'Empty' },
  ],
};

interface StoredRow {
  readonly Item?: string;
  readonly Qty?: string;
  readonly Plan?: readonly { readonly id: string; readonly name: string }[];
}

const rows = async (index = 0) => ((await place.storedAt(index))?.values.Lines ?? []) as StoredRow[];
const brief = async (index = 0) =>
  (await rows(index)).map(({ Item = '', Qty = '', Plan = [] }) =>
    [Item, Qty, ...Plan.map(({ name }) => name)].join(' ').trim().replace(/ +/g, ' '),
  );
/** The rows of each record then, as `Item Qty files`. */
const then = (...records: string[][]): Pick<Row, 'after'> => ({
  after: async () => {
    for (const [index, expected] of records.entries()) expect(await brief(index)).toEqual(expected);
  },
});
const AS_BEFORE = then(['a 1', 'b 1200', 'c plan.txt'], []);
const created = { recordId: '1', outcome: 'created' };
const input = ['x', 'y'].map((n) => withFiles({ data: { name: `${n}.txt`, text: n } }, { n }));
/** An item of whose record a file is to be removed. */
const removing = [withFiles({}, {})];

const cases = (operation: string, rowsOf: Rows, value: Parameters<typeof rowOf>[0] = null): void =>
  testTable(place, { operation, ...rowOf(value) }, rowsOf, { application });

describe('Add', () => {
  const N = rowOf({ Item: '={{ $json.n }}' }, { recordId: '={{ $json.r ?? 1 }}' });
  cases('add', {
    'adds the rows of all items in one update and keeps the others': {
      run: rowOf({ Item: '={{ $json.n }}', Qty: 3 }),
      items: [{ n: 'x' }, { n: 'y' }],
      output: [created, created],
      sent: { get_data: 1, update_data: 1 },
      ...then(['a 1', 'b 1200', 'c plan.txt', 'x 3', 'y 3']),
    },
    'writes each record once, whatever the order of items': {
      run: N,
      items: itemsIn('r n', '1 x, 2 y, 1 z'),
      output: [created, { ...created, recordId: '2' }, created],
      sent: { update_data: 2 },
      ...then(['a 1', 'b 1200', 'c plan.txt', 'x', 'z'], ['y']),
    },
    "maps automatically, and ignores the nodes' own keys": {
      items: [{ id: '9', recordId: '1', Item: 'x', Qty: 2 }],
      ...then(['a 1', 'b 1200', 'c plan.txt', 'x 2']),
    },
    'uploads files of several items, of fields of the same name, into the right rows': {
      run: rowOf({ Item: '={{ $json.n }}', Plan: 'data' }),
      engine: { input },
      after: async () => {
        expect(await brief()).toEqual(['a 1', 'b 1200', 'c plan.txt', 'x x.txt', 'y y.txt']);
        const [call] = await place.calls('update_data');
        expect(call?.files.map(({ field }) => field)).toEqual(['{{Lines}}3.{{Plan}}', '{{Lines}}4.{{Plan}}']);
      },
    },
    'refuses values that a row does not accept before anything is sent': {
      run: rowOf({ Item: 'x', Qty: '={{ $json.q }}' }),
      items: [{ q: 1 }, { q: 'many' }],
      error: /^Part "Qty".*it is not a number/,
      sent: { get_data: 0, update_data: 0 },
    },
    'one failed write fails all items of its record, and no other': {
      run: N,
      items: itemsIn('r n', '1 x, 404 y, 404 z'),
      node: CONTINUE,
      output: [created, ...[1, 2].map(() => some({ error: anyText }))],
    },
    'a row in doubt is not added again, also not by a further try': {
      run: rowOf({ Item: 'x' }),
      meanwhile: [
        { action: 'update_data', when: 'after', times: 1 },
        async () => await place.change({ Lines: [{ Item: 'y' }] }),
      ],
      faults: [drop('update_data', 'after')],
      node: RETRY,
      error: /outcome unknown/,
      sent: { update_data: 1 },
    },
  });
});

describe('Update', () => {
  const updated = (rowId: string, outcome = 'updated') => ({ recordId: '1', rowId, outcome });
  cases('update', {
    ...each(['before', 'after'] as const)(
      'a row that somebody else deletes, where the answer was lost (%s the work), is in doubt in every try',
      (when) => ({
        run: rowOf({ Item: 'x' }, { rowId: '2' }),
        meanwhile: [
          { action: 'update_data', when, times: 1 },
          async () => await place.change({ Lines: [{ id: '1', Item: 'a', Qty: '1' }] }),
        ],
        ...{ faults: [drop('update_data', when)], node: { ...RETRY, ...CONTINUE }, outcomes: ['unknown'] },
        ...{ sent: { update_data: 1 }, ...then(['a 1'], []) },
      }),
    ),
    'applies items for the same row in order, each with its outcome, in one update': {
      run: rowOf({ Qty: '={{ $json.q }}' }, { rowId: '={{ $json.row }}', options: { skipUnchanged: true } }),
      items: itemsIn('row q', '1 5, 1 6, 1 6.0, 2 1200, 77 1'),
      output: [
        ...[updated('1'), updated('1'), updated('1', 'unchanged'), updated('2', 'unchanged')],
        updated('77', 'notFound'),
      ],
      hints: ['Rows not found, so there was nothing to change: 1'],
      sent: { update_data: 1 },
      ...then(['a 6', 'b 1200', 'c plan.txt']),
    },
    'sends a value also where the record holds it': {
      run: rowOf({ Qty: '1.0' }, { rowId: '1' }),
      sent: { update_data: 1 },
      ...AS_BEFORE,
    },
    'refuses a choice that is not offered for its item alone': {
      run: rowOf({ Tags: '={{ $json.t }}' }, { rowId: '1' }),
      ...{ items: [{ t: 'new' }, { t: 'cold' }], node: CONTINUE, outcomes: ['updated', 'notDone'] },
    },
    'writes items of one record with other options apart': {
      run: rowOf(
        { Qty: '={{ $json.q }}' },
        { rowId: '={{ $json.row }}', options: { dryRun: '={{ $json.dry }}' } },
      ),
      items: itemsIn('row q dry', '1 5 false, 2 6 true'),
      output: [updated('1'), some({ ...updated('2'), dryRun: true })],
      ...then(['a 5', 'b 1200', 'c plan.txt']),
    },
    'shows in a dry run which files it would remove, as Update of a record does': {
      run: rowOf(
        { Item: 'x', Plan: { add: [], remove: ['={{ $json.file }}'] } },
        { rowId: '3', options: { dryRun: true } },
      ),
      before: async () => {
        const [, , third] = (await place.storedAt())?.values.Lines as { Plan: { id: string }[] }[];
        removing[0]!.json = { file: third!.Plan[0]!.id };
      },
      engine: { input: removing },
      shows: [{ changes: { Lines: { to: [{ Item: 'x', Plan: { add: [], remove: [anyText] } }] } } }],
    },
    'adds and removes files of a row, and returns the record': {
      run: rowOf(
        { Plan: '={{ ({ add: ["data"], remove: [$json.old] }) }}' },
        { rowId: '3', options: { returnRecord: true } },
      ),
      engine: { input: [input[0]!] },
      before: async () => {
        input[0]!.json = { n: 'x', old: (await rows())[2]?.Plan?.[0]?.id ?? '' };
      },
      after: async (_, { json: [json = {}] }) => {
        expect(json).toMatchObject({ id: '1', rowId: '3', outcome: 'updated', Name: 'Order' });
        expect(Object.keys(json).slice(0, 3)).toEqual(['id', 'outcome', 'Name']);
        expect(Object.keys(json).slice(-5)).toEqual([
          'revision',
          'canWrite',
          'canDelete',
          'recordId',
          'rowId',
        ]);
        expect(await brief()).toEqual(['a 1', 'b 1200', 'c x.txt']);
      },
    },
  });
});

describe('Delete', () => {
  cases('delete', {
    'deletes rows of several items; an ID in two items counts for both': {
      run: { rowId: '={{ $json.rows }}' },
      items: [{ rows: '2,88' }, { rows: ['2', '3'] }, { rows: 99 }],
      output: [
        { deleted: true, recordId: '1', ids: ['2'], notFound: ['88'], outcome: 'deleted' },
        { deleted: true, recordId: '1', ids: ['2', '3'], notFound: [], outcome: 'deleted' },
        { deleted: false, recordId: '1', ids: [], notFound: ['99'], outcome: 'notFound' },
      ],
      ...then(['a 1']),
    },
    'a row that somebody else deletes meanwhile is deleted': {
      run: { rowId: '2' },
      meanwhile: [
        'update_data',
        async () => await place.change({ Lines: [{ id: '1', Item: 'a', Qty: '1' }] }),
      ],
      output: [{ deleted: true, recordId: '1', ids: ['2'], notFound: [], outcome: 'deleted' }],
      ...then(['a 1']),
    },
    'does not name all of thousands of IDs': {
      run: {
        rowId: Array.from({ length: 3000 }, (_, at) => 900_000 + at).join(),
        options: { failIfNotFound: true },
      },
      error: /^Record 1 has no row 900000, .* \(2990 more\) in /,
    },
  });
});

describe('Get Many', () => {
  cases('getAll', {
    'returns one item per row': {
      output: [
        some({ id: '1', Item: 'a' }),
        { id: '2', recordId: '1', Item: 'b', Qty: 1200, Due: null, Tags: [], Plan: [] },
        some({ id: '3', Item: 'c' }),
      ],
    },
    'says that the service gives no row IDs': {
      dialect: { rowIds: 'none' },
      hints: ['The rows have no "id"'],
    },
    'refuses another part': { run: { tablePart: 'Name' }, error: /^Part "Name" \(ID.*is not a table part/ },
    'refuses no part': { run: { tablePart: 'Lins' }, error: 'There is no part "Lins"' },
  });
});

describe.each(['add', 'update', 'delete'])('%s', (operation) => {
  cases(operation, {
    'merges nothing without row IDs': {
      dialect: { rowIds: 'none' },
      run: rowOf({ Item: 'x' }, { rowId: '1' }),
      error: 'the service returns no IDs for them',
      sent: { update_data: 0 },
    },
  });
});
