import type { Settings } from '../../../../nodes/ApplicationDataService/common/setting';
import type { Item } from '../../../../nodes/ApplicationDataService/operations/run/item';
import * as writes from '../../../../nodes/ApplicationDataService/operations/run/runOperation';
import {
  type GroupOperation,
  groupOperation,
  writeOperation,
} from '../../../../nodes/ApplicationDataService/operations/run/types';
import { settle } from '../../../../nodes/ApplicationDataService/util/concurrently';

const BASE = {
  resource: 'record',
  value: 'create',
  name: 'Create',
  action: 'Create a record',
  description: '',
  properties: [],
  options: {},
} as const;

interface Course {
  readonly bad?: readonly number[];
  readonly failing?: readonly number[];
  /** The turn of each item; a separate one for each if left out. */
  readonly turns?: readonly string[];
  readonly groups?: readonly string[];
  /** Milliseconds that each write takes. */
  readonly takes?: readonly number[];
  /** Cancelled once a write has begun. */
  readonly cancels?: AbortController;
}

/** Operations whose items are bad or fail as configured, and which record what they do. */
function operationsOf({ bad = [], failing = [], turns, groups, takes = [], cancels }: Course) {
  const done: string[] = [];
  const write = async (index: number) => {
    done.push(`write ${index}`);
    cancels?.abort();
    await new Promise((resolve) => setTimeout(resolve, takes[index] ?? 0));
    done.push(`written ${index}`);
    if (failing.includes(index)) throw new Error(`failed ${index}`);
    return [{ json: { index } }];
  };
  const base = {
    ...BASE,
    read: async ({ index }: Item): Promise<number> => {
      done.push(`read ${index}`);
      if (bad.includes(index)) throw new Error(`bad ${index}`);
      return await Promise.resolve(index);
    },
    serialKeyOf: (index: number) => turns?.[index] ?? String(index),
  };
  const together: GroupOperation<Settings, number> = {
    ...base,
    groupOf: (index) => groups?.[index] ?? '',
    runGroup: async (group) => {
      done.push(`group ${group.join()}`);
      return await Promise.all(group.map(async (index) => await settle(async () => await write(index))));
    },
  };
  return {
    operation: writeOperation({ ...base, run: write }),
    grouped: groupOperation(together),
    done,
    steps: (what: string) => done.filter((step) => step.startsWith(what)).join(', '),
  };
}

/** The outcomes of the items. */
const runItems = async (...args: Parameters<typeof writes.runItems>) =>
  (await writes.runItems(...args)).outcomes;

const run = { memory: { isBegun: () => false } };
const itemsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ index, options: () => ({}), run }) as unknown as Item);
const items = itemsOf(3);
const value = (index: number) => ({ value: [{ json: { index } }] });
const error = (message: string) => ({ error: expect.objectContaining({ message }) as Error });

test('all are read before the first is written', async () => {
  const { operation, done } = operationsOf({});
  expect(await runItems(operation, items, { limit: 1, stopOnError: true })).toEqual([0, 1, 2].map(value));
  expect(done.filter((step) => !step.startsWith('written'))).toEqual([
    ...['read 0', 'read 1', 'read 2'],
    ...['write 0', 'write 1', 'write 2'],
  ]);
});

test('nothing is written if a failure ends the run', async () => {
  const { operation, done } = operationsOf({ bad: [1] });
  const outcomes = await runItems(operation, items, { limit: 3, stopOnError: true });
  expect(outcomes).toEqual([undefined, error('bad 1'), undefined]);
  expect(done).toEqual(['read 0', 'read 1']);
});

test('the others are written if it does not, each outcome in its place', async () => {
  const { operation } = operationsOf({ bad: [0], failing: [2] });
  const outcomes = await runItems(operation, items, { limit: 3, stopOnError: false });
  expect(outcomes).toEqual([error('bad 0'), value(1), error('failed 2')]);
});

test('items of one turn keep the order of the input, however slow the first is', async () => {
  const { operation, steps } = operationsOf({ turns: ['a', 'b', 'a', 'c', 'a'], takes: [20, 0, 5, 0, 0] });
  await runItems(operation, itemsOf(5), { limit: 10, stopOnError: false });
  expect(steps('written')).toBe('written 1, written 3, written 0, written 2, written 4');
});

test.each([1, 10])(
  'after a failure, no further item is started, not even in its own turn (%i)',
  async (limit) => {
    const { operation, steps } = operationsOf({
      turns: ['a', 'a', 'b', 'c'],
      failing: [0],
      takes: [0, 0, 5],
    });
    const outcomes = await runItems(operation, itemsOf(4), { limit, stopOnError: true });
    expect(outcomes[0]).toEqual(error('failed 0'));
    expect(outcomes[1]).toBeUndefined();
    expect(steps('write ')).toBe(limit === 1 ? 'write 0' : 'write 0, write 2, write 3');
  },
);

test('a turn in progress does not continue once another has failed', async () => {
  const { operation, steps } = operationsOf({ turns: ['a', 'b', 'b'], failing: [0], takes: [0, 10] });
  await runItems(operation, items, { limit: 2, stopOnError: true });
  expect(steps('write ')).toBe('write 0, write 1');
});

test('a cancelled run starts nothing more, not even within a turn', async () => {
  const abort = new AbortController();
  const { operation, steps } = operationsOf({ turns: ['a', 'a', 'a'], cancels: abort });
  const outcomes = await runItems(operation, items, { limit: 2, stopOnError: false, signal: abort.signal });
  expect(outcomes).toEqual([value(0), undefined, undefined]);
  expect(steps('write ')).toBe('write 0');
});

test('adjacent items of a turn with the same key are written together, and the order of the input stays', async () => {
  const turns = ['a', 'a', 'b', 'a', 'a'];
  const { grouped, steps } = operationsOf({ turns, groups: ['x', 'x', 'x', 'y', 'x'] });
  const outcomes = await runItems(grouped, itemsOf(5), { limit: 1, stopOnError: false });
  expect(steps('group')).toBe('group 0,1, group 3, group 4, group 2');
  expect(outcomes).toEqual([0, 1, 2, 3, 4].map(value));
});

test('what is prepared for a key is requested once, and a failure concerns only its items', async () => {
  const { operation, steps } = operationsOf({});
  const asked: string[] = [];
  const prepare = {
    keyOf: (work: unknown) => (work === 1 ? 'odd' : 'even'),
    find: async (works: readonly unknown[]) => {
      asked.push(works.join());
      await Promise.resolve();
      if (works.includes(1)) throw new Error('not found out');
      return works.map((work) => (work === 2 ? error('not for this one') : undefined));
    },
  };
  const outcomes = await runItems({ ...operation, prepare }, items, { limit: 1, stopOnError: false });
  expect(asked).toEqual(['0,2', '1']);
  expect(outcomes).toEqual([value(0), error('not found out'), error('not for this one')]);
  expect(steps('write ')).toBe('write 0');
});

test('if configured, a failed preparation ends the run for all of them', async () => {
  const { operation, steps } = operationsOf({});
  const find = async () => await Promise.reject(new Error('not found out'));
  const prepare = { keyOf: () => '', find, endsRun: true };
  const { outcomes, isRefused } = await writes.runItems({ ...operation, prepare }, items, {
    limit: 1,
    stopOnError: false,
  });
  expect(isRefused).toBe(true);
  expect(outcomes).toEqual(items.map(() => error('not found out')));
  expect(steps('write ')).toBe('');
});

describe('work for no single item', () => {
  const finalizing = (course: Course) => {
    const made = operationsOf(course);
    const finalize = async (works: readonly unknown[], failed: number) => {
      made.done.push(`finalize ${works.join()}, ${failed} failed`);
      return await Promise.resolve([value(9)]);
    };
    return { ...made, operation: { ...made.operation, finalize } };
  };

  test('is done after all items, and receives those that were not written', async () => {
    const { operation, done } = finalizing({ bad: [0], failing: [2] });
    const { rest } = await writes.runItems(operation, items, { limit: 3, stopOnError: false });
    expect(done.at(-1)).toBe('finalize 1,2, 2 failed');
    expect(rest).toEqual([value(9)]);
  });

  test.each([
    ['after a failure that ends the run', { failing: [1] }, true],
    ['if no item could be read', { bad: [0, 1, 2] }, false],
  ])('is not done %s', async (_, course, stopOnError) => {
    const { operation, steps } = finalizing(course);
    expect((await writes.runItems(operation, items, { limit: 1, stopOnError })).rest).toEqual([]);
    expect(steps('finalize')).toBe('');
  });

  test('fails separately', async () => {
    const { operation } = operationsOf({});
    const finalize = async () => await Promise.reject(new Error('not at last'));
    const ran = await writes.runItems({ ...operation, finalize }, items, { limit: 1, stopOnError: true });
    expect(ran.outcomes).toEqual([0, 1, 2].map(value));
    expect(ran.rest).toEqual([error('not at last')]);
  });
});
