import type { INode, INodeParameters } from 'n8n-workflow';

import { Engine, type EngineResult } from '../support/engine';
import { connect, nodeOf, pass, serviceNode } from './support/pass';
import { assertUntouched, COF, most, named, NAMES, openNamed, removingNamed } from './support/syncRuns';
import { itemsOf, useWorkplace } from './support/workplace';

/** What keeps Sync from removing what it should not: each refuses before anything is written. */
const place = useWorkplace(null);

const open = async (names?: readonly string[]) => await openNamed(place, names);

beforeEach(async () => {
  await open();
});

const five = '1 "Bolt"; 2 "Nut"; 3 "Cap"; 4 "Hat"; 5 "Pin"';

describe('how many may go', () => {
  test('more than Max Removals are refused, also with Continue On Fail: how many, the first five, and why', async () => {
    const given = { ...removingNamed, ...most, maxRemovals: 6 };
    const { error } = await place.sync(given, { input: named('Axe'), node: COF });
    expect(error?.message).toBe(`Sync refused to remove 7 records (${five}; and 2 more): Max Removals is 6`);
    expect(error?.description).toMatch(/^Nothing was written\. /);
    await assertUntouched(place);
    expect((await place.sync({ ...given, maxRemovals: 7 }, { input: named('Axe') })).error).toBeUndefined();
    expect(await place.stored()).toHaveLength(1);
  });

  test('none may go with 0', async () => {
    const { error } = await place.sync(
      { ...removingNamed, maxRemovals: 0 },
      { input: named(...NAMES.slice(1)) },
    );
    expect(error?.message).toBe('Sync refused to remove 1 record (1 "Bolt"): Max Removals is 0');
    await assertUntouched(place);
  });

  test('more than half of those in scope are refused', async () => {
    const { error } = await place.sync(removingNamed, { input: named('Axe', 'Rod', 'Cog') });
    expect(error?.message).toBe(
      `Sync refused to remove 5 records (${five}): that is more than half of the 8 records that may be removed`,
    );
    await assertUntouched(place);
    const half = await place.sync(removingNamed, { input: named('Axe', 'Rod', 'Cog', 'Pin') });
    expect(half.error).toBeUndefined();
    expect(await place.stored()).toHaveLength(4);
  });

  test.each(['', '={{ undefined }}', '-1', 'many'])(
    'a limit that cannot be read is no limit of 100: %s',
    async (maxRemovals) => {
      const { error } = await place.sync(
        { ...removingNamed, maxRemovals },
        { input: named(...NAMES.slice(1)) },
      );
      expect(error?.message).toMatch(/^"Max Removals" /);
      await assertUntouched(place);
    },
  );
});

describe('a part of the list only', () => {
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

  test('a loop, at its first run', async () => {
    const { error } = await run([nodeOf('A'), node(), nodeOf('B')], {
      Start: ['A'],
      A: ['Sync'],
      Sync: ['B'],
      B: ['A'],
    });
    expect(error?.message).toMatch(/^Sync refused to remove 1 record .*: the node is in a loop with "/);
    await assertUntouched(place);
  });

  test('several nodes before it, at its first run', async () => {
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

  test('also where an item cannot be read, with Continue On Fail: the others are not written either', async () => {
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

  test('two outputs of one node, at its first run', async () => {
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

  test('a node before it that is switched off and gets nothing brings no part of the list', async () => {
    const off = nodeOf('Off', { disabled: true });
    const { error } = await run([nodeOf('A'), off, node()], { Start: ['A'], A: ['Sync'], Off: ['Sync'] });
    expect(error).toBeUndefined();
    expect(await place.stored()).toHaveLength(7);
  });

  test('a second run in one execution, also where the first failed', async () => {
    await place.sandbox.setFaults([{ kind: 'status', status: 400, action: 'list_data', times: 1 }]);
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

  test('with Keep none of them matters', async () => {
    const parameters: INodeParameters = place.parameters('sync', { ...removingNamed, missing: 'keep' });
    const { error } = await run([nodeOf('A'), node({ parameters, executeOnce: true })], {
      Start: ['A'],
      A: ['Sync'],
    });
    expect(error).toBeUndefined();
    expect(await place.stored()).toHaveLength(8);
  });
});

describe('keys', () => {
  test.each([
    ['an empty key', named('Bolt', ' 　'), 'Item 1 has no value for "Name"'],
    ['no key at all', itemsOf({ n: 'Bolt' }, {}), 'Item 1 has no value for "Name"'],
    ['a key in two items', named('Bolt', 'Nut', 'Bolt'), 'The items 0 and 2 have the same key: "Name"'],
  ])('%s is refused, also with Keep and Continue On Fail', async (_, input, message) => {
    const { error } = await place.sync({ ...removingNamed, missing: 'keep' }, { input, node: COF });
    expect(error?.message).toContain(message);
    expect(error?.description).toContain('As everywhere in n8n, the first item is item 0.');
    await assertUntouched(place);
  });

  test('a key of an item that two records hold; two records without an item may be alike', async () => {
    await open(['Bolt', 'Bolt', 'Nut', 'Nut', 'Cap']);
    const { error } = await place.sync(
      { ...removingNamed, missing: 'keep' },
      { input: named('Nut'), node: COF },
    );
    expect(error?.message).toMatch(/^2 records have the key of item 0, "Name" \(ID \d+\) = "Nut": 3, 4$/);
    await assertUntouched(place, 5);
    const other = await place.sync({ ...removingNamed, missing: 'keep' }, { input: named('Cap') });
    expect(other.json).toEqual([{ id: '5', outcome: 'updated' }]);
  });

  test('a key part that may not be seen', async () => {
    await place.sandbox.setUser('1001', { rights: { goods: { parts: { Name: 'none' } } } });
    const { error } = await place.sync(
      { ...removingNamed, missing: 'keep' },
      { input: named('Bolt'), node: COF },
    );
    expect(error?.message).toMatch(/^The record 1 does not show "Name"/);
    await assertUntouched(place);
  });

  test.each([
    ['upper and lower case', 'BOLT', 'bolt'],
    ['full width', 'Bolt', 'Ｂｏｌｔ'],
    ['spaces around', 'Bolt', 'Bolt '],
    ['spaces within', 'Big Bolt', 'Big  Bolt'],
    ['leading zeros', '7', '007'],
    ['separators', '1200', '1,200'],
  ])('a record to be removed whose key is nearly that of an item: %s', async (_, ours, theirs) => {
    await open([ours, ...NAMES.slice(1)]);
    const { error } = await place.sync(removingNamed, { input: named(theirs, ...NAMES.slice(1)), node: COF });
    expect(error?.message).toContain(
      `the key of record 1, "${ours}", is nearly the same as that of an item, "${theirs}"`,
    );
    await assertUntouched(place);
    const kept = await place.sync(
      { ...removingNamed, missing: 'keep' },
      { input: named(theirs, ...NAMES.slice(1)) },
    );
    expect(kept.error).toBeUndefined();
    expect(await place.stored()).toHaveLength(9);
  });
});

test('keys that are nearly the same matter nowhere else: among items, for records that stay or have an item', async () => {
  await open(['bolt', 'BOLT', 'Nut', 'nut', 'Cap']);
  const filters = { condition: [{ part: 'Name', operator: 'equals', value: 'Cap' }] };
  const { json, error } = await place.sync(
    { ...removingNamed, ...most, filters },
    { input: named('bolt', 'Bolt', 'Nut', 'NUT') },
  );
  expect(error).toBeUndefined();
  expect(json.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['1', 'updated'],
    ['6', 'created'],
    ['3', 'updated'],
    ['7', 'created'],
    ['5', 'deleted'],
  ]);
});

test('settings that differ from item to item are refused', async () => {
  const given = { ...removingNamed, missing: '={{ $json.n === "Nut" ? "keep" : "delete" }}' };
  const { error } = await place.sync(given, { input: named(...NAMES), node: COF });
  expect(error?.message).toBe('The items 0 and 1 differ in "Records Not in the Input"');
  await assertUntouched(place);
});

test('a dry run lists what would go, and says that it would be refused', async () => {
  const { json, hints, error } = await place.sync(
    { ...removingNamed, maxRemovals: 0, options: { dryRun: true } },
    { input: named(...NAMES.slice(1)) },
  );
  expect(error).toBeUndefined();
  expect(json.at(-1)).toEqual({
    id: '1',
    outcome: 'deleted',
    Name: 'Bolt',
    dryRun: true,
    request: { action: 'delete_data', app_id: place.app.id, data_id: '1' },
    changes: {},
  });
  expect(hints.map(({ message }) => message)).toEqual([
    'Dry run: nothing was written',
    'Without Dry Run this would be refused: Sync refused to remove 1 record (1 "Bolt"): Max Removals is 0',
    '0 created, 7 updated, 0 unchanged, 1 removed, 0 kept',
  ]);
  await assertUntouched(place);
});
