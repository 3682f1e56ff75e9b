import type { IDataObject } from 'n8n-workflow';

import { readText } from '../../nodes/ApplicationDataService/parts/values/shapes';
import { useQuickRetries } from '../engine/support/quickRetries';
import { removing } from '../engine/support/syncRuns';
import { itemsOf, RETRY, useWorkplace } from '../engine/support/workplace';
import type { StoredRecord } from '../support/sandbox';
import { FAULTS, hasApplied } from './support/faults';
import type * as QuickWaits from './support/quickWaits';

jest.mock('../../nodes/ApplicationDataService/service/http/limiter', () =>
  jest.requireActual<typeof QuickWaits>('./support/quickWaits').quickLimiter(),
);

/** Every fault at every step of Sync, and random lists: compares what the node reports with what the service stores. */
const place = useWorkplace(null);
useQuickRetries();

/** The node's output for an item; `null` if the node failed and has no output for single items. */
type Said = IDataObject | null;

/** One item is changed, one created, one unchanged; "Old" is removed. */
const ITEMS: readonly { n: string; p: string; before?: string }[] = [
  { n: 'Bolt', p: '1', before: '0' },
  { n: 'Cap', p: '2' },
  { n: 'Nut', p: '0', before: '0' },
];

/**
 * A sentence about a difference between what the node reported and what the service stores; `null` if there is none.
 */
function judge(said: readonly Said[] | null, stored: readonly StoredRecord[]): string | null {
  const priceOf = (name: string): string | undefined => {
    const found = stored.filter(({ values }) => values.Name === name);
    return found.length > 1 ? 'several' : (found[0]?.values.Price as string | undefined);
  };
  for (const [index, { n, p, before }] of ITEMS.entries()) {
    const claim = said === null ? 'perhaps' : claimOf(said[index]);
    const allowed: (string | undefined)[] = { done: [p], notDone: [before], perhaps: [before, p] }[claim];
    if (!allowed.includes(priceOf(n))) return `"${n}" is ${priceOf(n) ?? 'absent'}, and the item is ${claim}`;
  }
  return judgeRemoval(
    said?.slice(ITEMS.length) ?? null,
    priceOf('Old') === undefined,
    ITEMS.every(({ n, p }) => priceOf(n) === p),
  );
}

/** The same for the record that should be removed. */
function judgeRemoval(said: readonly Said[] | null, isGone: boolean, isWritten: boolean): string | null {
  if (isGone && !isWritten) return 'a record was removed although not every item was written';
  const isDeleted = said?.some((each) => each?.outcome === 'deleted') === true;
  if (isDeleted && !isGone) return 'the record is still there, and was said to be deleted';
  const isSure = said !== null && !isDeleted && !readText(said[0]?.error).includes('outcome unknown');
  return isSure && isGone ? 'the record is gone, and nothing says so' : null;
}

function claimOf(said: Said | undefined): 'done' | 'notDone' | 'perhaps' {
  if (said === null || said === undefined) return 'perhaps';
  if (typeof said.error !== 'string') return 'done';
  if (/outcome unknown|did not return its ID|not known whether/.test(said.error)) return 'perhaps';
  return /is (created|updated|unchanged), but|was written, but|wrote this item/.test(said.error)
    ? 'done'
    : 'notDone';
}

const STEPS = 12;

describe.each([
  ['Continue On Fail', { onError: 'continueRegularOutput' }],
  ['Retry On Fail', RETRY],
] as const)('%s', (_, node) => {
  test.each(Object.keys(FAULTS))(
    '%s at each step',
    async (faultName) => {
      for (let skip = 0; skip < STEPS; skip++) {
        const records = ['Bolt', 'Nut', 'Old'].map((Name) => ({ Name, Price: '0' }));
        await place.open({ records });
        await place.sandbox.setFaults([{ ...FAULTS[faultName]!, skip, times: 1 }]);
        const input = itemsOf(...ITEMS.map(({ n, p }) => ({ n, p })));
        const result = await place.sync(removing, { input, node });
        const said = result.error === undefined ? result.json : null;
        const problem = judge(said, await place.stored());
        expect([skip, problem, said]).toEqual([skip, null, said]);
        if (!(await hasApplied(place))) break;
      }
    },
    120_000,
  );
});

test('random lists: afterwards the application equals the list, and no existing value was written again', async () => {
  let seed = 5;
  const random = (below: number): number => (seed = (seed * 16_807) % 2_147_483_647) % below;
  const some = (): Map<string, string> =>
    new Map(Array.from({ length: 1 + random(12) }, () => [`N${random(15)}`, String(random(3))]));
  for (let repetition = 0; repetition < 60; repetition++) {
    const before = some();
    const list = some();
    await place.open({ records: [...before].map(([Name, Price]) => ({ Name, Price })) });
    const isDelete = random(2) === 0;
    const { json } = await place.sync(
      { ...removing, missing: isDelete ? 'delete' : 'keep', options: { allowMostRemovals: true } },
      { input: itemsOf(...[...list].map(([n, p]): IDataObject => ({ n, p }))) },
    );
    const expected = isDelete ? list : new Map([...before, ...list]);
    const stored = await place.stored();
    expect(new Map(stored.map(({ values: { Name, Price } }) => [Name, Price]))).toEqual(expected);
    const outcomes = [...list].map(([name, price]) =>
      before.has(name) ? (before.get(name) === price ? 'unchanged' : 'updated') : 'created',
    );
    const gone = isDelete ? [...before.keys()].filter((name) => !list.has(name)) : [];
    expect(json.map(({ outcome }) => outcome)).toEqual([...outcomes, ...gone.map(() => 'deleted')]);
    const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
    expect(await place.calls('update_data')).toHaveLength(count('updated'));
    expect(await place.calls('insert_data')).toHaveLength(count('created'));
  }
}, 120_000);
