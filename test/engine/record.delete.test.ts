import { CAPABILITIES } from './support/capabilities';
import { anyText, like } from './support/like';
import { useQuickRetries } from './support/quickRetries';
import { byId } from './support/saved';
import { CONTINUE, drop, each, http, ng, testTable, type Row, type Rows } from './support/table';
import { itemsOf, RETRY, useWorkplace } from './support/workplace';

useQuickRetries();

const place = useWorkplace(null);

const NAME = [{ name: 'Name', type: 'textbox' }];
/** An application of so many records. */
const of = (count: number) => ({
  parts: NAME,
  records: Array.from({ length: count }, () => ({ Name: 'x' })),
});
/** Some of the records may not be deleted. */
const keeping = (...ids: string[]) => ({
  records: Object.fromEntries(ids.map((id) => [id, { delete: false }])),
});
const numbers = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => String(first + index));
/** The output of an item. */
const gone = (ids: string[], notFound: string[] = []) => ({
  ...{ deleted: ids.length > 0, ids, notFound, outcome: ids.length > 0 ? 'deleted' : 'notFound' },
});
const kept = (id: string) => ({
  error: like(new RegExp(`^Not deleted: ${id}\\. `)),
  details: { outcome: 'refused', ids: [id], hint: anyText },
});
const ids = (...given: unknown[]) => given.map((id) => ({ id }) as { id: string });
/** Items with a hundred IDs each. */
const hundreds = Array.from({ length: 100 }, (_, index) => ({ id: numbers(100, index * 100 + 1) as never }));
const fewCalls = (most: number) => async () =>
  expect((await place.sandbox.statistics()).calls).toBeLessThanOrEqual(most);

const cases = (rows: Rows, common: Row = {}) =>
  testTable(place, { operation: 'delete', recordId: '={{ $json.id }}' }, rows, {
    ...{ application: of(3), items: [{ id: '1,2' }], ...common },
  });

describe('requests and output', () => {
  cases({
    'a record that the service refuses to read once does not count as missing': {
      items: ids('1'),
      faults: [ng('get_data', { times: 1 })],
      ...{ output: [gone(['1'])], left: ['2', '3'] },
    },
    'no list is read for a few, though parts have identifiers': {
      application: { ...of(2), parts: [{ ...NAME[0]!, identifier: 'name' }] },
      ...{ items: ids('1'), output: [gone(['1'])], sent: { list_data: 0, get_data: 1, delete_data: 1 } },
    },
    'the IDs of all items are sent in one request, and each item has its own result': {
      application: of(6),
      items: ids('1', '2,99', '98', '2,3', 4),
      output: [gone(['1']), gone(['2'], ['99']), gone([], ['98']), gone(['2', '3']), gone(['4'])],
      ...{ sent: { delete_data: [{ data_id: '1,2,3,4' }] }, left: ['5', '6'] },
      after: (_, { items }) =>
        expect(items.map(({ pairedItem }) => pairedItem)).toMatchObject(
          [0, 1, 2, 3, 4].map((item) => ({ item })),
        ),
    },
    'ten thousand IDs cost at most 101 requests': {
      ...{ application: of(10_000), items: hundreds, left: [], after: fewCalls(101) },
    },
    'a service that accepts fewer IDs at once receives fewer': {
      ...{ application: of(400), dialect: { deleteIds: 60 }, items: ids(numbers(400)), left: [] },
    },
    'an empty application contains none of them, as a count says': {
      application: of(0),
      output: [gone([], ['1', '2'])],
      // Afterwards the application must be running, because one under maintenance may leave records out.
      actions: [
        ...['get_app', 'get_data', 'get_data', 'list_data', 'count_data', 'get_data', 'get_data', 'get_app'],
      ],
    },
    'many IDs of an empty application whose parts have identifiers cost no read each': {
      application: { parts: [{ ...NAME[0]!, identifier: 'name' }], records: [] },
      ...{ items: ids(numbers(50)), outcomes: ['notFound'] },
      actions: ['get_app', 'list_data', 'count_data', 'list_data', 'count_data', 'get_app'],
    },
    ...each([
      ['2,9', { output: [gone(['2'], ['9'])], left: ['1'] }] as const,
      ['9', { error: /The ID part "ID" \(ID 1\) has no part identifier/, left: ['1', '2'] }] as const,
    ])('where lists contain no ID, one that is there tells what is missing: %s', ([id, expected]) => ({
      application: { ...of(2), parts: [{ ...NAME[0]!, identifier: 'name' }], partIdentifierMode: true },
      ...{ items: ids(id), ...expected },
    })),
    'Dry Run shows what would be deleted, and deletes nothing': {
      run: { options: { dryRun: true } },
      items: ids('1,2,9'),
      output: [{ ...gone(['1', '2'], ['9']), dryRun: true, deleted: false }],
      sent: { delete_data: 0 },
    },
    'none is refused before anything is sent': {
      ...{ run: { recordId: '={{ $json.none }}' }, items: [{}, {}], error: /^The record ID is empty$/ },
      sent: { delete_data: 0 },
    },
    'so is what is no ID': {
      ...{ run: { recordId: '1 2' }, error: /^"1 2" is not a record ID$/, sent: { delete_data: 0 } },
    },
  });

  test('items of two applications are each deleted in their own', async () => {
    await place.open(of(2));
    const other = await place.sandbox.createApplication({ name: 'Other', identifier: 'other', ...of(3) });
    const input = itemsOf({ app: place.app.id, id: '1' }, { app: other.id, id: '3' });
    const application = byId('={{ $json.app }}');
    const { json } = await place.run('delete', { recordId: '={{ $json.id }}', application }, { input });
    expect(json).toMatchObject([{ ids: ['1'] }, { ids: ['3'] }]);
    expect((await place.stored()).map(({ id }) => id)).toEqual(['2']);
    expect((await place.sandbox.records(other.id)).map(({ id }) => id)).toEqual(['1', '2']);
  });
});

describe.each(['part', 'all', 'none'])('records that may not be deleted, if it does "%s"', (multiDelete) =>
  cases(
    {
      'all others are deleted, and the item of the refused record fails': {
        ...{ application: of(8), rights: keeping('3', '6'), node: CONTINUE },
        items: ids('1,2', '3,4', '5', '6', '9,7'),
        output: [gone(['1', '2']), kept('3'), gone(['5']), kept('6'), gone(['7'], ['9'])],
        left: ['3', '6', '8'],
      },
      'one refused record among ten thousand is found by halving': {
        ...{ application: of(10_000), rights: keeping('5432'), items: hundreds },
        ...{ error: /^Not deleted: 5432\. /, item: 54, left: ['5432'], after: fewCalls(150) },
      },
      'the error names what was deleted for the same item': {
        ...{ rights: keeping('2'), error: /^Not deleted: 2\. Deleted were: 1\. / },
      },
      'with Continue On Fail, too': {
        ...{ rights: keeping('2'), items: ids('1,2,3'), node: CONTINUE },
        shows: [{ error: like(/^Not deleted: 2\. Deleted were: 1, 3\. /) }],
      },
    },
    { dialect: { multiDelete } },
  ),
);

cases(
  each([
    { ids: 'number', counts: 'number' },
    { failureStatus: '400', refusals: 'alike' },
    { emptyList: 'error', singleItem: 'object', listRevision: 'never' },
    { listPermissions: 'absent', permissionsKey: 'two' },
  ])('the outcome is the same: %s', (dialect) => ({
    ...{ dialect, rights: keeping('2'), items: ids(1, 2, 99), node: CONTINUE },
    output: [gone(['1']), kept('2'), gone([], ['99'])],
  })),
);

describe('a service that fails', () => {
  const done = { output: [gone(['1', '2'])], left: ['3'] };
  cases({
    'what the first try deleted is output, whatever becomes of the others in the next one': {
      ...{ rights: keeping('2'), items: ids(2, 1), node: { ...RETRY, ...CONTINUE, maxTries: 2 } },
      faults: [http(401, 'get_data', { skip: 6 })],
      left: ['2', '3'],
      after: async (_, { json: [open, gone] }) => {
        // Older versions pass on the first try's output, in which the service refused it.
        const outcome = (await CAPABILITIES.lastTryCounts()) ? 'notDone' : 'refused';
        expect([open, gone]).toMatchObject([{ details: { outcome } }, { outcome: 'deleted' }]);
      },
    },
    ...each(['before', 'after'] as const)(
      'a lost answer, the connection broken %s the work: only what remains is sent again',
      (when) => ({
        faults: [drop('delete_data', when)],
        ...{ ...done, sent: { delete_data: when === 'before' ? 2 : 1 } },
      }),
    ),
    'records that remain after two lost answers are named, as unknown': {
      faults: [drop('delete_data', 'before', 9)],
      error: /^Perhaps deleted: 1, 2\. .*\(outcome unknown\): the connection/,
      advice:
        /^The records were still there afterwards, .* Look in the application which .* before you run this again\.$/,
      sent: { delete_data: 2 },
    },
    ...each([ng('delete_data', { skip: 1 }), http(401, 'delete_data', { skip: 1 })])(
      'a lost request leaves a doubt, whatever the next one comes to: %s',
      (next) => ({
        ...{ faults: [drop('delete_data', 'before'), next], items: ids('1'), error: 'outcome unknown' },
      }),
    ),
    ...each([400, 500])('a delete that is done and then refused (HTTP %s) is done', (status) => ({
      faults: [ng('delete_data', { status, when: 'after' })],
      ...{ ...done, node: RETRY, sent: { delete_data: 1 } },
    })),
    'a record that somebody else deletes just before is deleted': {
      meanwhile: ['delete_data', ({ sandbox, app }) => sandbox.removeRecord(app.id, '1')],
      ...done,
    },
    'one that vanishes just before a refused request leaves no other undeleted': {
      ...{ application: of(200), rights: keeping('77'), dialect: { multiDelete: 'none' } },
      items: ids(numbers(200)),
      meanwhile: ['delete_data', ({ sandbox, app }) => sandbox.removeRecord(app.id, '9')],
      ...{ error: /^Not deleted: 77\. Deleted were: 1, 2, /, left: ['77'] },
    },
    'if even reading fails, the outcome is unknown': {
      faults: [drop('delete_data', 'after', 9), ng('get_data', { skip: 2 })],
      ...{ error: 'outcome unknown', left: ['3'] },
    },
    'a refused key ends the run, if the service does not take it for another question either': {
      ...{ application: of(1000), items: ids(numbers(1000)) },
      faults: [http(401, 'delete_data'), http(401, 'get_app', { skip: 1 })],
      ...{ error: 'no longer accepts the access key', sent: { delete_data: 1 } },
    },
    'with Retry On Fail, records that an earlier try deleted count as deleted': {
      ...{ application: of(4), rights: keeping('3'), items: ids('1,2', '3,4'), node: RETRY },
      // At the next try, the record may be deleted.
      meanwhile: [
        { action: 'delete_data', skip: 1 },
        ({ sandbox }) => sandbox.setUser('1001', { rights: {} }),
      ],
      output: [gone(['1', '2']), gone(['3', '4'])],
      after: async () => {
        const [, ...later] = await place.sent('delete_data');
        expect(new Set(later.map(({ data_id: named }) => named))).toEqual(new Set(['3']));
      },
    },
  });
});
