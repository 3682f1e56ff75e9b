import { Engine } from '../support/engine';
import { CAPABILITIES } from './support/capabilities';
import { connect, nodeOf, pass, serviceNode } from './support/pass';
import { CONTINUE, ng, testTable } from './support/table';
import { itemsOf, RETRY, useWorkplace } from './support/workplace';

const place = useWorkplace(null);

const records = ['Bolt', 'Nut'].map((Name) => ({ Name }));
const ab = [{ n: 'a' }, { n: 'b' }];
const create = { operation: 'create', values: { Name: '={{ $json.n }}' } };
/** The first item is done by then, the second fails and is tried again. */
const second = (action: string, skip = 1, times = 1) => [ng(action, { message: 'not now', skip, times })];
const made = async () => (await place.stored()).slice(2).map(({ values }) => values.Name);
const both = { outcomes: ['created', 'created'], stored: [...records, { Name: 'a' }, { Name: 'b' }] };

testTable(
  place,
  create,
  {
    'a finished create is not repeated': { faults: second('insert_data'), ...both },
    'the same if its expressions change from try to try, and a hint says so': {
      run: { values: { Name: '={{ $json.n + $now.toMillis() + Math.random() }}' } },
      ...{ faults: second('insert_data'), outcomes: ['created', 'created'], left: ['1', '2', '3', '4'] },
      hints: [/^Not written again: an earlier try has written it, with other values/],
    },
    'a finished update is not repeated': {
      run: { operation: 'update', recordId: '={{ $json.n === "a" ? 1 : 2 }}', values: { Name: 'x' } },
      ...{ faults: second('update_data'), outcomes: ['updated', 'updated'] },
      after: async () => expect((await place.stored()).map(({ revision }) => revision)).toEqual([2, 2]),
    },
    'a finished Create or Update is not repeated, and keeps its outcome': {
      run: { operation: 'upsert', matchBy: ['Name'] },
      ...{ faults: second('insert_data'), ...both, sent: { update_data: 0 } },
    },
    'nothing is remembered once all items are done': {
      after: (_, { run }) =>
        expect(JSON.stringify(run.data.executionData?.contextData)).not.toContain('"writes"'),
    },
    // Where n8n checks only the first item. Older versions also try again, but pass on the first try's output.
    'Continue On Fail: a finished create is not repeated': {
      ...{ faults: second('insert_data', 0), node: { ...RETRY, ...CONTINUE } },
      after: async (_, { json }) => {
        const first = (await CAPABILITIES.lastTryCounts()) ? 'created' : undefined;
        expect(json.map(({ outcome }) => outcome)).toEqual([first, 'created']);
        expect((await made()).sort()).toEqual(['a', 'b']);
      },
    },
    'a finished write is reported as such if the next try cannot even read the application': {
      faults: [...second('insert_data', 0), ng('get_app', { skip: 1 })],
      node: { ...RETRY, ...CONTINUE },
      after: async (_, { json }) => {
        const told = /^An earlier try wrote this item \(created\), but a further try failed/;
        if (await CAPABILITIES.lastTryCounts()) expect(json[1]?.error).toMatch(told);
        expect(await made()).toEqual(['b']);
      },
    },
  },
  { application: { records }, items: ab, node: RETRY },
);

/** Two paths from the start lead to the node, so it runs once for each. */
test.each([
  ['writes in each run, and repeats nothing within one', 3, 1, RETRY, undefined, ['a', 'b', 'a', 'b']],
  [
    'uses nothing of the first run in the second, even if items failed',
    1,
    1,
    CONTINUE,
    undefined,
    ['a', 'a', 'b'],
  ],
  [
    'items that failed in the first run do not count as done in the second',
    1,
    3,
    RETRY,
    /refused: not now/,
    ['a'],
  ],
] as const)('a node that runs twice %s', async (_, skip, times, settings, error, names) => {
  await place.open({ records });
  await place.sandbox.setFaults(second('insert_data', skip, times));
  const { baseUrl, accessKey } = place.sandbox;
  const engine = new Engine({ baseUrl, accessKey }, { 'test.pass': pass });
  const write = serviceNode('Write', { parameters: place.parameters('create', create), ...settings });
  const lines = connect({ Start: ['A', 'B'], A: ['Write'], B: ['Write'] });
  const input = itemsOf(...ab);
  const { run } = await engine.runNodes([nodeOf('A'), nodeOf('B'), write], lines, 'Write', { input });
  expect(run.data.resultData.error?.message ?? '').toMatch(error ?? /^$/);
  expect(await made()).toEqual(names);
});
