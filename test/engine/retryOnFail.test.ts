import type { INode } from 'n8n-workflow';

import { Engine } from '../support/engine';
import { CAPABILITIES } from './support/capabilities';
import { connect, nodeOf, pass, serviceNode } from './support/pass';
import { itemsOf, RETRY, useWorkplace, type RunSettings } from './support/workplace';

const place = useWorkplace({ records: [{ Name: 'Bolt' }, { Name: 'Nut' }] });

/** Refuses the second write of an action once: the first item is done by then, the second fails and is tried again. */
const refuseSecond = async (action: string) =>
  await place.sandbox.setFaults([{ kind: 'ng', errorno: -1, message: 'not now', action, skip: 1, times: 1 }]);

const input = itemsOf({ n: 'a' }, { n: 'b' });
const made = async () => (await place.stored()).slice(2).map(({ values }) => values.Name);

test('a finished create is not repeated', async () => {
  await refuseSecond('insert_data');
  const { json } = await place.create({ values: { Name: '={{ $json.n }}' } }, { input, node: RETRY });
  expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
  expect(await made()).toEqual(['a', 'b']);
});

test('the same if its expressions change from try to try, and a hint says so', async () => {
  await refuseSecond('insert_data');
  const values = { Name: '={{ $json.n + $now.toMillis() + Math.random() }}' };
  const { json, hints } = await place.create({ values }, { input, node: RETRY });
  expect(json).toHaveLength(2);
  expect(await place.stored()).toHaveLength(4);
  expect(hints.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Not written again: an earlier try has written it, with other values/),
  ]);
});

test('the same with Continue On Fail, where n8n checks only the first item', async () => {
  await place.sandbox.setFaults([
    { kind: 'ng', errorno: -1, message: 'not now', action: 'insert_data', times: 1 },
  ]);
  const { json } = await place.create(
    { values: { Name: '={{ $json.n }}' } },
    { input, node: { ...RETRY, onError: 'continueRegularOutput' } },
  );
  // Older versions of n8n also try again, but pass on the first try's output.
  const first = (await CAPABILITIES.lastTryCounts()) ? 'created' : undefined;
  expect(json.map(({ outcome }) => outcome)).toEqual([first, 'created']);
  expect((await made()).sort()).toEqual(['a', 'b']);
});

test('a finished update is not repeated', async () => {
  await refuseSecond('update_data');
  const { json } = await place.update(
    { recordId: '={{ $json.id }}', values: { Name: 'x' } },
    { input: itemsOf({ id: place.record() }, { id: place.record(1) }), node: RETRY },
  );
  expect(json.map(({ outcome }) => outcome)).toEqual(['updated', 'updated']);
  expect((await place.stored()).map(({ revision }) => revision)).toEqual([2, 2]);
});

test('a finished Create or Update is not repeated, and keeps its outcome', async () => {
  await refuseSecond('insert_data');
  const { json } = await place.upsert(
    { values: { Name: '={{ $json.n }}' }, matchBy: ['Name'] },
    { input, node: RETRY },
  );
  expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
  expect(await made()).toEqual(['a', 'b']);
  expect(await place.calls('update_data')).toHaveLength(0);
});

test('a finished write is reported as such if the next try cannot even read the application', async () => {
  await place.sandbox.setFaults([
    { kind: 'ng', errorno: -1, message: 'not now', action: 'insert_data', times: 1 },
    { kind: 'ng', errorno: -1, message: 'no', action: 'get_app', skip: 1 },
  ]);
  const { json } = await place.create(
    { values: { Name: '={{ $json.n }}' } },
    { input, node: { ...RETRY, onError: 'continueRegularOutput' } },
  );
  if (await CAPABILITIES.lastTryCounts())
    expect(json[1]?.error).toMatch(/^An earlier try wrote this item \(created\), but a further try failed/);
  expect(await made()).toEqual(['b']);
});

test('nothing is remembered once all items are done', async () => {
  const { run } = await place.create({ values: { Name: 'a' } }, { node: RETRY });
  expect(JSON.stringify(run.data.executionData?.contextData)).not.toContain('outcomes');
});

describe('a node that runs twice', () => {
  /** Two paths from the start lead to the node, so it runs once for each. */
  async function runTwice(runSettings: RunSettings, settings: Partial<INode> = RETRY) {
    const engine = new Engine(
      { baseUrl: place.sandbox.baseUrl, accessKey: place.sandbox.accessKey },
      { 'test.pass': pass },
    );
    const write = serviceNode('Write', { parameters: place.parameters('create', runSettings), ...settings });
    return await engine.runNodes(
      [nodeOf('A'), nodeOf('B'), write],
      connect({ Start: ['A', 'B'], A: ['Write'], B: ['Write'] }),
      'Write',
      { input },
    );
  }

  test('writes in each run, and repeats nothing within one', async () => {
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'not now', action: 'insert_data', skip: 3, times: 1 },
    ]);
    const { run } = await runTwice({ values: { Name: '={{ $json.n }}' } });
    expect(run.data.resultData.error).toBeUndefined();
    expect(run.data.resultData.runData.Write).toHaveLength(2);
    expect(await made()).toEqual(['a', 'b', 'a', 'b']);
  });

  test('uses nothing of the first run in the second, even if items failed', async () => {
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'no', action: 'insert_data', skip: 1, times: 1 },
    ]);
    const { run } = await runTwice(
      { values: { Name: '={{ $json.n }}' } },
      { onError: 'continueRegularOutput' },
    );
    expect(run.data.resultData.runData.Write).toHaveLength(2);
    expect(await made()).toEqual(['a', 'a', 'b']);
  });

  test('items that failed in the first run do not count as done in the second', async () => {
    await place.sandbox.setFaults([
      { kind: 'ng', errorno: -1, message: 'no', action: 'insert_data', skip: 1, times: 3 },
    ]);
    const { run } = await runTwice({ values: { Name: '={{ $json.n }}' } });
    expect(run.data.resultData.error?.message).toMatch(/The service refused: no/);
    expect(await made()).toEqual(['a']);
  });
});
