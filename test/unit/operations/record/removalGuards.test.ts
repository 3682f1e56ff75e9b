import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { removalRefusal } from '../../../../nodes/ApplicationDataService/operations/record/sync/removalGuards';
import type {
  Rest,
  SyncWork,
} from '../../../../nodes/ApplicationDataService/operations/record/sync/readSync';
import type { NonEmpty } from '../../../../nodes/ApplicationDataService/util/groupBy';

const record = (id: number, key = `K${id}`) => ({ id: String(id), revision: 1, key: [key] });
const records = (count: number) => Array.from({ length: count }, (_, index) => record(index + 1));

/** The only node of a workflow; others stand in test/engine/record.sync.partOfList.test.ts. */
const contextOf = (settings: Partial<INode>) =>
  ({
    getNode: () => ({ name: 'Sync', ...settings }),
    getParentNodes: () => [],
    getChildNodes: () => [],
    getWorkflowDataProxy: () => ({ $runIndex: 0 }),
  }) as unknown as IExecuteFunctions;

interface Facts {
  readonly missing?: readonly { readonly id: string; readonly key: readonly string[] }[];
  readonly isWhole?: boolean;
  readonly inScope?: number;
  readonly keys?: readonly (readonly string[])[];
  readonly node?: Partial<INode>;
  readonly maxRemovals?: number;
  readonly allowMostRemovals?: boolean;
}

const refusal = (facts: Facts): string | undefined => {
  const { missing = records(2), isWhole = true, inScope = 10, keys = [['A'], ['B']] } = facts;
  const { node = {}, maxRemovals = 100, allowMostRemovals = false } = facts;
  const item = { run: { context: contextOf(node) } };
  const all = { item, parts: [], terms: { maxRemovals }, options: { allowMostRemovals } };
  const works = keys.map((key) => ({ ...all, key })) as unknown as NonEmpty<SyncWork>;
  return removalRefusal(works, { missing, others: 0, inScope } as unknown as Rest, isWhole)?.message;
};

test('a whole list may remove', () => {
  expect(refusal({})).toBeUndefined();
  expect(refusal({ missing: [], maxRemovals: 0, inScope: 0 })).toBeUndefined();
});

test('the message says how many, which first, and why', () => {
  expect(refusal({ missing: records(7), maxRemovals: 6 })).toBe(
    'Sync refused to remove 7 records (1 "K1"; 2 "K2"; 3 "K3"; 4 "K4"; 5 "K5"; and 2 more): Max Removals is 6',
  );
  expect(refusal({ missing: records(1), maxRemovals: 0 })).toBe(
    'Sync refused to remove 1 record (1 "K1"): Max Removals is 0',
  );
});

test('a part of a list is refused even if nothing would be removed now', () => {
  expect(refusal({ missing: [], node: { executeOnce: true } })).toMatch(
    /^Sync refused to remove records \(none would go now\): .* Execute Once/,
  );
});

test.each([
  [5, 10, false],
  [6, 10, true],
  [1, 1, true],
  [1, 2, false],
])('%i of %i in scope: refused %s, unless most may be removed', (count, inScope, isRefused) => {
  expect(refusal({ missing: records(count), inScope }) !== undefined).toBe(isRefused);
  expect(refusal({ missing: records(count), inScope, allowMostRemovals: true })).toBeUndefined();
});

test('if an item cannot be written, the number of removals is not checked, but the other guards apply', () => {
  expect(refusal({ isWhole: false, maxRemovals: 0, inScope: 2 })).toBeUndefined();
  expect(refusal({ isWhole: false, node: { executeOnce: true } })).toMatch(/Execute Once/);
  expect(refusal({ isWhole: false, keys: [['k1']] })).toMatch(/is nearly the same/);
});

test('almost the key of any item, in each part of the key', () => {
  const missing = [{ ...record(3), key: ['Bolt', 'red'] }];
  expect(refusal({ missing, keys: [['bolt', 'RED ']] })).toMatch(
    /the key of record 3, "Bolt", "red", is nearly/,
  );
  expect(refusal({ missing, keys: [['bolt', 'blue']] })).toBeUndefined();
});
