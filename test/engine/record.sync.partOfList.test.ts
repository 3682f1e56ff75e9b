import type { INode, INodeParameters } from 'n8n-workflow';

import { Engine, type EngineResult } from '../support/engine';
import { connect, nodeOf, pass, serviceNode } from './support/pass';
import { assertUntouched, COF, most, named, NAMES, openNamed, removingNamed } from './support/syncRuns';
import { itemsOf, useWorkplace } from './support/workplace';

/** A run of Sync that may not have the whole list refuses to remove anything, before anything is written. */
const place = useWorkplace(null);

beforeEach(async () => await openNamed(place));

describe('only a part of the list', () => {
  const node = (more: Partial<INode> = {}): INode =>
    serviceNode('Sync', { parameters: place.parameters('sync', { ...removingNamed, ...most }), ...more });

  async function run(
    nodes: readonly INode[],
    lines: Readonly<Record<string, readonly string[]>>,
    input = named(...NAMES.slice(1)),
  ): Promise<EngineResult> {
    const { baseUrl, accessKey } = place.sandbox;
    const engine = new Engine({ baseUrl, accessKey }, { 'test.pass': pass });
    return await engine.runNodes(nodes, connect(lines), 'Sync', { input });
  }

  test('Execute Once', async () => {
    const { error } = await place.sync(
      { ...removingNamed, ...most },
      { input: named(...NAMES.slice(1)), node: { executeOnce: true } },
    );
    expect(error?.message).toMatch(/^Sync refused to remove 7 records .*: the node is set to Execute Once/);
    await assertUntouched(place);
  });

  test('a loop, in its first run', async () => {
    const { error } = await run([nodeOf('A'), node(), nodeOf('B')], {
      Start: ['A'],
      A: ['Sync'],
      Sync: ['B'],
      B: ['A'],
    });
    expect(error?.message).toMatch(/^Sync refused to remove 1 record .*: the node is in a loop with "/);
    await assertUntouched(place);
  });

  test('several nodes before it, in its first run', async () => {
    const { error } = await run([nodeOf('A'), nodeOf('B'), node()], {
      Start: ['A', 'B'],
      A: ['Sync'],
      B: ['Sync'],
    });
    expect(error?.message).toMatch(
      /^Sync refused to remove 1 record .*: several connections lead to the node \(from A, B\)/,
    );
    await assertUntouched(place);
  });

  test('also if an item cannot be read, with Continue On Fail: the others are not written either', async () => {
    const { error } = await run(
      [nodeOf('A'), nodeOf('B'), node(COF)],
      { Start: ['A', 'B'], A: ['Sync'], B: ['Sync'] },
      itemsOf({ n: 'Bolt', p: 'much' }, { n: 'Nut' }),
    );
    expect(error?.message).toMatch(
      /^Sync refused to remove 6 records .*: several connections lead to the node/,
    );
    await assertUntouched(place);
  });

  test('two outputs of one node, in its first run', async () => {
    const toSync = [{ node: 'Sync', type: 'main' as const, index: 0 }];
    const { baseUrl, accessKey } = place.sandbox;
    const engine = new Engine({ baseUrl, accessKey }, { 'test.pass': pass });
    const lines = { ...connect({ Start: ['A'] }), A: { main: [toSync, toSync] } };
    const { error } = await engine.runNodes([nodeOf('A'), node()], lines, 'Sync', {
      input: named(...NAMES.slice(1)),
    });
    expect(error?.message).toMatch(
      /^Sync refused to remove 1 record .*: several connections lead to the node \(from A, A\)/,
    );
    await assertUntouched(place);
  });

  test('a deactivated node before it that receives nothing adds no part of the list', async () => {
    const off = nodeOf('Off', { disabled: true });
    const { error } = await run([nodeOf('A'), off, node()], { Start: ['A'], A: ['Sync'], Off: ['Sync'] });
    expect(error).toBeUndefined();
    expect(await place.stored()).toHaveLength(7);
  });

  test('a second run in one execution, also if the first failed', async () => {
    await place.sandbox.setFaults([{ kind: 'status', status: 401, action: 'list_data', times: 1 }]);
    const { run: execution } = await run(
      [nodeOf('A'), nodeOf('B'), nodeOf('C'), node({ onError: 'continueErrorOutput' })],
      { Start: ['A', 'B'], A: ['C'], B: ['C'], C: ['Sync'] },
    );
    expect(execution.data.resultData.runData.Sync).toHaveLength(2);
    const messages = execution.data.resultData.runData.Sync?.map(({ error }) => error?.message);
    expect(messages?.[1]).toMatch(
      /^Sync refused to remove 1 record .*: this is run 2 of the node in one execution/,
    );
    await assertUntouched(place);
  });

  test('no items at all: n8n does not run the node, and nothing is removed', async () => {
    const { run: execution } = await run([nodeOf('A'), node()], { Start: ['A'], A: ['Sync'] }, []);
    expect(execution.data.resultData.runData.Sync).toBeUndefined();
    await assertUntouched(place);
  });

  test('with Keep, none of them matters', async () => {
    const parameters: INodeParameters = place.parameters('sync', { ...removingNamed, missing: 'keep' });
    const { error } = await run([nodeOf('A'), node({ parameters, executeOnce: true })], {
      Start: ['A'],
      A: ['Sync'],
    });
    expect(error).toBeUndefined();
    expect(await place.stored()).toHaveLength(8);
  });
});
