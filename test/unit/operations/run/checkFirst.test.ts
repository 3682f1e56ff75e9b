import { checkFirst } from '../../../../nodes/ApplicationDataService/operations/run/checkFirst';
import type { ItemRun } from '../../../../nodes/ApplicationDataService/operations/run/itemRun';
import type { CheckedOperation } from '../../../../nodes/ApplicationDataService/operations/run/types';

/** An operation whose items are bad or fail as told, and which notes what it does. */
function operationOf(bad: readonly number[], failing: readonly number[] = []) {
  const done: string[] = [];
  const operation: CheckedOperation = {
    resource: 'record',
    value: 'create',
    name: 'Create',
    action: 'Create a record',
    description: '',
    properties: [],
    prepare: async ({ index }) => {
      done.push(`check ${index}`);
      if (bad.includes(index)) throw new Error(`bad ${index}`);
      return await Promise.resolve(async () => {
        done.push(`write ${index}`);
        if (failing.includes(index)) throw new Error(`failed ${index}`);
        return await Promise.resolve([{ json: { index } }]);
      });
    },
  };
  return { operation, done };
}

const items = [0, 1, 2].map((index) => ({ index }) as ItemRun);
const value = (index: number) => ({ value: [{ json: { index } }] });
const error = (message: string) => ({ error: expect.objectContaining({ message }) as Error });

test('all are checked before the first is done', async () => {
  const { operation, done } = operationOf([]);
  expect(await checkFirst(operation, items, { limit: 1, stopOnError: true })).toEqual([0, 1, 2].map(value));
  expect(done).toEqual(['check 0', 'check 1', 'check 2', 'write 0', 'write 1', 'write 2']);
});

test('nothing is done where a failure ends the run', async () => {
  const { operation, done } = operationOf([1]);
  const outcomes = await checkFirst(operation, items, { limit: 3, stopOnError: true });
  expect(outcomes).toEqual([undefined, error('bad 1'), undefined]);
  expect(done).toEqual(['check 0', 'check 1']);
});

test('the others are done where it does not, each outcome in its place', async () => {
  const { operation } = operationOf([0], [2]);
  const outcomes = await checkFirst(operation, items, { limit: 3, stopOnError: false });
  expect(outcomes).toEqual([error('bad 0'), value(1), error('failed 2')]);
});
