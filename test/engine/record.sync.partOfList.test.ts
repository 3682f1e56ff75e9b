import type { IConnections, INode } from 'n8n-workflow';

import { Engine, type EngineResult } from '../support/engine';
import { anyText, like } from './support/like';
import { connect, nodeOf, pass, serviceNode } from './support/pass';
import { assertUntouched, eight, most, named, NAMES, removingNamed } from './support/syncRuns';
import { CONTINUE, http } from './support/table';
import { itemsOf, useWorkplace } from './support/workplace';

/** A run of Sync that may not have the whole list refuses to remove anything, before anything is written. */
const place = useWorkplace(eight.application ?? {});

const REST = itemsOf(...named(...NAMES.slice(1)));
const sync = (more: Partial<INode> = {}): INode =>
  serviceNode('Sync', { parameters: place.parameters('sync', { ...removingNamed, ...most }), ...more });
/** Runs Sync among nodes that pass their items on. */
async function run(
  connections: IConnections,
  node = sync(),
  off: readonly INode[] = [],
  input = REST,
): Promise<EngineResult> {
  const { baseUrl, accessKey } = place.sandbox;
  const others = ['A', 'B', 'C'].filter((name) => JSON.stringify(connections).includes(`"${name}"`));
  const engine = new Engine({ baseUrl, accessKey }, { 'test.pass': pass });
  return await engine.runNodes([...others.map((name) => nodeOf(name)), ...off, node], connections, 'Sync', {
    input,
  });
}
const toSync = [{ node: 'Sync', type: 'main' as const, index: 0 }];
const TWO = connect({ Start: ['A', 'B'], A: ['Sync'], B: ['Sync'] });

test.each<[string, () => Promise<EngineResult>, string]>([
  [
    'Execute Once',
    async () => await place.sync({ ...removingNamed, ...most }, { input: REST, node: { executeOnce: true } }),
    '7 records .*: the node is set to Execute Once',
  ],
  [
    'a loop, in its first run',
    async () => await run(connect({ Start: ['A'], A: ['Sync'], Sync: ['B'], B: ['A'] })),
    '1 record .*: the node is in a loop with "',
  ],
  [
    'several nodes before it',
    async () => await run(TWO),
    '1 record .*: several connections lead to the node \\(from A, B\\)',
  ],
  [
    'two outputs of one node',
    async () => await run({ ...connect({ Start: ['A'] }), A: { main: [toSync, toSync] } }),
    '1 record .*: several connections lead to the node \\(from A, A\\)',
  ],
  [
    'also if an item cannot be read, with Continue On Fail',
    async () => await run(TWO, sync(CONTINUE), [], itemsOf({ n: 'Bolt', p: 'much' }, { n: 'Nut' })),
    '6 records .*: several connections lead to the node',
  ],
])('%s', async (_, act, message) => {
  expect((await act()).error?.message).toMatch(new RegExp(`^Sync refused to remove ${message}`));
  await assertUntouched(place);
});

test('a second run in one execution, also if the first failed', async () => {
  await place.sandbox.setFaults([http(401, 'list_data', { times: 1 })]);
  const lines = connect({ Start: ['A', 'B'], A: ['C'], B: ['C'], C: ['Sync'] });
  const { run: execution } = await run(lines, sync({ onError: 'continueErrorOutput' }));
  const messages = execution.data.resultData.runData.Sync?.map(({ error }) => error?.message);
  expect(messages).toEqual([
    anyText,
    like(/^Sync refused to remove 1 record .*: this is run 2 of the node in one execution/),
  ]);
  await assertUntouched(place);
});

test('no items at all: n8n does not run the node, and nothing is removed', async () => {
  const { run: execution } = await run(connect({ Start: ['A'], A: ['Sync'] }), sync(), [], []);
  expect(execution.data.resultData.runData.Sync).toBeUndefined();
  await assertUntouched(place);
});

test.each<[string, () => Promise<EngineResult>, number]>([
  [
    'a deactivated node before it, which receives nothing',
    async () =>
      await run(connect({ Start: ['A'], A: ['Sync'], Off: ['Sync'] }), sync(), [
        nodeOf('Off', { disabled: true }),
      ]),
    7,
  ],
  [
    'Keep, whatever the workflow',
    async () => {
      const parameters = place.parameters('sync', { ...removingNamed, missing: 'keep' });
      return await run(connect({ Start: ['A'], A: ['Sync'] }), sync({ parameters, executeOnce: true }));
    },
    8,
  ],
])('is allowed: %s', async (_, act, left) => {
  expect((await act()).json.length).toBeGreaterThan(0);
  expect(await place.stored()).toHaveLength(left);
});
