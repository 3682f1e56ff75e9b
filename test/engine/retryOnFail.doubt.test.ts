import { partsOf } from '../support/parts';
import { CAPABILITIES } from './support/capabilities';
import { some } from './support/like';
import { LINES, rowOf } from './support/rows';
import { CONTINUE, drop, each, ng, testTable } from './support/table';
import { itemsOf, RETRY, useWorkplace } from './support/workplace';

/** A write in doubt, and the next try of the node. */
const place = useWorkplace(null);

const records = ['Bolt', 'Nut'].map((Name) => ({ Name }));
const once = (action: string, skip = 0) => ng(action, { skip, times: 1 });
const insert = { operation: 'create', values: { Name: 'a' } };
const guarded = { conflictPolicy: 'fail', revision: '1', values: { Name: 'x' } };
const unknown = { error: 'outcome unknown' };
const removal = {
  ...{ operation: 'sync', values: { Name: 'Bolt' }, matchBy: ['Name'], missing: 'delete', maxRemovals: 1 },
};

const people = partsOf({ Owner: 'users' });
const owned = (id: string) => ({ Owner: [id] });

testTable(
  place,
  { operation: 'update', recordId: '1' },
  {
    ...each(['before', 'after'] as const)('an insert (lost %s the work) is not sent again', (when) => ({
      ...{ run: insert, faults: [drop('insert_data', when)], sent: { insert_data: 1 } },
      error: /^It is not known whether the record was added \(outcome unknown\): the connection/,
      advice: 'Check in the application',
    })),
    'an insert stays in doubt if the next try cannot even read the application': {
      ...{ run: insert, faults: [drop('insert_data', 'after'), ng('get_app', { skip: 1 })], ...unknown },
      left: ['1', '2', '3'],
    },
    ...each([
      ['is refused', 'delete_data', 2],
      ['cannot look', 'get_data', 3],
    ] as const)('a deletion stays in doubt if the next try %s', ([, action, skip]) => ({
      ...{ run: { operation: 'delete' }, faults: [drop('delete_data', 'before', 2), ng(action, { skip })] },
      ...{ error: /^Perhaps deleted: 1\..+outcome unknown/, left: ['1', '2'] },
    })),
    'a removal by Sync stays in doubt if the next try cannot read the list': {
      ...{ run: removal, faults: [drop('delete_data', 'before', 2), ng('list_data', { skip: 1 })] },
      ...{ error: /^Perhaps deleted: 2\..+outcome unknown/, left: ['1', '2'] },
    },
    'where an earlier try of Sync has removed records, a refusal does not say that nothing was written': {
      application: { records: [...records, { Name: 'Pin' }] },
      rights: { records: { 3: { delete: false } } },
      run: { ...removal, maxRemovals: 2, options: { allowMostRemovals: true } },
      ...{ faults: [ng('list_data', { skip: 1 })], error: /./, left: ['1', '3'] },
      advice: /An earlier try may have removed records\.$/,
    },
    'an insert with other values now keeps another item of its key from being added': {
      run: {
        operation: 'upsert',
        values: { Name: 'x', Price: '={{ $json.n ?? $now.toMillis() }}' },
        matchBy: ['Name'],
      },
      ...{ faults: [drop('insert_data', 'before')], items: [{}, { n: 5 }], node: { ...RETRY, ...CONTINUE } },
      ...{ outcomes: ['unknown', 'unknown'], sent: { insert_data: 1 } },
    },
    'rows whose deletion the next try sends again are told from those that were not there': {
      application: { records: [{ Name: 'Bolt', Lines: [{ Item: 'a' }, { Item: 'b' }] }] },
      run: { operation: 'delete', ...rowOf(null, { rowId: '1,99' }) },
      faults: [drop('update_data', 'before'), once('get_data', 1)],
      output: [{ deleted: true, recordId: '1', ids: ['1'], notFound: ['99'], outcome: 'deleted' }],
      sent: { update_data: 2 },
    },
    ...each([false, true])(
      'a row that holds what a lost request was to write is done (Skip Unchanged %s)',
      (skipUnchanged) => ({
        application: { records: [{ Name: 'Bolt', Lines: [{ Item: 'a' }] }] },
        run: { operation: 'update', ...rowOf({ Item: 'b' }, { rowId: '1', options: { skipUnchanged } }) },
        faults: [drop('update_data', 'after'), once('get_data', 1)],
        output: [{ recordId: '1', rowId: '1', outcome: 'updated' }],
        sent: { update_data: 1 },
      }),
    ),
    'an insert of Create or Update is found by the next try': {
      run: { operation: 'upsert', values: { Name: 'a' }, matchBy: ['Name'] },
      faults: [drop('insert_data', 'after'), once('list_data', 1)],
      ...{ output: [{ id: '3', outcome: 'created' }], left: ['1', '2', '3'], sent: { update_data: 0 } },
    },
    'a guarded update that the next try sends again, and that is refused then, stays in doubt': {
      ...{ run: guarded, ...unknown, stored: records },
      faults: [drop('update_data', 'before'), once('get_data'), ng('update_data', { skip: 1 })],
    },
    ...each(['before', 'after'] as const)(
      'a guarded update (lost %s the work) is settled by the next try as far as the record tells',
      (when) => ({
        ...{ run: guarded, faults: [drop('update_data', when), once('get_data')] },
        // Its own work cannot be told from that of others, without what was there before.
        ...(when === 'before' ? { output: [{ id: '1', outcome: 'updated' }] } : unknown),
        stored: [{ Name: 'x' }, {}],
      }),
    ),
    'an update of Sync stays in doubt, with the ID of its record, if the next try cannot read the parts': {
      run: { operation: 'sync', values: { Name: 'Bolt', Price: 2 }, matchBy: ['Name'] },
      faults: [drop('update_data', 'after'), once('get_data'), ng('get_app', { skip: 2 })],
      node: { ...RETRY, ...CONTINUE },
      shows: [{ details: { outcome: 'unknown', ids: ['1'] } }],
    },
    'an update whose values change from try to try stays in doubt, and is no conflict': {
      run: { ...guarded, values: { Name: '={{ $now.toMillis() + Math.random() }}' } },
      ...{ faults: [drop('update_data', 'after'), once('get_data')], sent: { update_data: 1 } },
      error: /^It is not known whether the record 1 was changed \(outcome unknown\): the connection/,
    },
    ...each([
      ['replace', [{ Item: 'a' }], { output: [{ id: '1', outcome: 'updated' }], sent: { update_data: 1 } }],
      ['merge', [{ Item: 'x' }, { Item: 'a' }], { ...unknown, sent: { update_data: 1 } }],
    ] as const)(
      'rows that were sent with %s are done only if none of them would be sent now',
      ([tableRowMode, Lines, told]) => ({
        application: { parts: [LINES], records: [{ Lines: [{ Item: 'x' }] }] },
        run: { values: { Lines: [{ Item: 'a' }] }, options: { tableRowMode } },
        faults: [drop('update_data', 'after'), once('get_data', 1)],
        ...told,
        stored: [{ Lines: Lines.map((row) => some(row)) }],
      }),
    ),
    'rows that were left in doubt together are judged together, also if one between them was not read then': {
      application: {
        parts: [...people, { name: 'Lines', type: 'input_list', children: people }],
        records: [{ Owner: ['1001'], Lines: ['1003', '1003', '1003'].map(owned) }],
      },
      run: rowOf({ Owner: '={{ $json.owner }}' }, { rowId: '={{ $json.row }}' }),
      // The second names a person: to read it, the records are counted, and the names of people are read.
      items: ['1002', 'Aiko Mori', '1002'].map((owner, index) => ({ row: `${index + 1}`, owner })),
      // The answer is lost, and the record cannot be read to see what became of it.
      faults: [once('count_data'), drop('update_data', 'after'), once('get_data', 1)],
      node: { ...RETRY, ...CONTINUE },
      after: async (_, { json }) => {
        if (await CAPABILITIES.lastTryCounts())
          expect(json.map(({ outcome }) => outcome)).toEqual(Array(3).fill('updated'));
      },
      stored: [{ Lines: ['1002', '1001', '1002'].map((id) => some(owned(id))) }],
      // One for the two, one for the other.
      sent: { update_data: 2 },
    },
  },
  { application: { records }, node: RETRY },
);

test('a deletion stays in doubt if the next try is cancelled before its request', async () => {
  // One request takes 200 records, so the second item has one of its own.
  const { records: ids } = await place.open({ records: Array.from({ length: 201 }, () => ({ Name: 'x' })) });
  let stop = (): void => undefined;
  const cancel = new Promise<void>((resolve) => (stop = resolve));
  // The first try sends each request twice.
  await place.meanwhile({ action: 'delete_data', skip: 4 }, () => stop(), [drop('delete_data', 'before', 4)]);
  const input = itemsOf({ ids: ids.slice(0, 200) }, { ids: ids.slice(200) });
  const { run } = await place.run('delete', { recordId: '={{ $json.ids }}' }, { input, node: RETRY, cancel });
  await place.engine.idle();
  const sent = (await place.sent('delete_data')).map(({ data_id }) => data_id?.split(',').length);
  expect(sent).toEqual([200, 200, 1, 1, 200]);
  expect(JSON.stringify(run.data.executionData?.contextData)).toMatch(/"indexes":\[1\],.*"doubt":\{/);
});
