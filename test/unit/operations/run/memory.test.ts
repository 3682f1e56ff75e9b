import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isAgentRun, WriteMemory } from '../../../../nodes/ApplicationDataService/operations/run/memory';
import { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import type { Progress } from '../../../../nodes/ApplicationDataService/service/write/checkpoint';

interface Circumstances {
  runIndex?: number;
  /** Undefined where an MCP client calls. */
  execution?: string | undefined;
  operation?: string;
  /** Undefined in n8n 1.x, which does not provide it. */
  tool?: boolean | undefined;
  type?: string;
  /** The one before has not ended. */
  atOnce?: boolean;
  retries?: boolean;
  continues?: boolean;
}

const NO_FAILURES = new Map<number, unknown>();

const USUAL = {
  runIndex: 0,
  execution: '1',
  operation: 'create',
  tool: false,
  type: 'applicationDataService',
  retries: true,
  continues: false,
};

/** The store that n8n keeps for a node through its tries, as JSON like in n8n. */
let store: IDataObject;

beforeEach(() => {
  store = {};
});

/** The memory in the next try of the node. */
function nextTry(circumstances: Circumstances = {}) {
  const {
    runIndex,
    execution,
    operation,
    tool,
    type,
    atOnce = false,
    retries,
    continues,
  } = {
    ...USUAL,
    ...circumstances,
  };
  if (!atOnce) store = JSON.parse(JSON.stringify(store)) as IDataObject;
  const context = {
    getContext: () => store,
    getNode: () => ({
      type,
      retryOnFail: retries,
      parameters: { resource: 'record', operation, application: '301' },
    }),
    getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
    getExecutionId: () => execution,
    continueOnFail: () => continues,
    ...(tool !== undefined && { isToolExecution: () => tool }),
  };
  const asExecution = context as unknown as IExecuteFunctions;
  return new WriteMemory(asExecution, isAgentRun(asExecution));
}

type Write = () => Promise<Progress>;

/** A write as `service/write` does it: the work done is recorded, and a doubt is settled or remains. */
async function once(
  memory: WriteMemory,
  index: number,
  request: unknown,
  act: Write,
  settleDoubt?: Write,
  record = '12',
): Promise<Progress> {
  try {
    const checkpoint = memory.checkpoint([index], ['301', record], request);
    const { progress, doubt } = checkpoint;
    if (progress !== null) return progress;
    if (doubt !== null && settleDoubt === undefined) throw doubt;
    checkpoint.recordProgress(await (doubt === null ? act : settleDoubt!)());
    return checkpoint.progress!;
  } catch (error) {
    memory.endTry(false, new Map([[index, error]]));
    throw error;
  }
}

/** Whether an item's insert is in doubt. */
const isInDoubt = (memory: WriteMemory, index: number): boolean =>
  memory.checkpoint([index], ['301', '12'], 'a').doubt !== null;

const done = (id: string): Progress => ({ id, items: [{ outcome: 'created' }] });
const write = (id: string) => jest.fn(async () => await Promise.resolve(done(id)));
const doubtful = async () =>
  await Promise.reject(new ServiceError('inDoubt', 'not known', 'look', { action: 'insert_data' }));

test('a write to another record is another one; the first stays known', async () => {
  await once(nextTry(), 0, 'a', write('1'));
  expect(await once(nextTry(), 0, 'a', write('2'), undefined, '13')).toEqual(done('2'));
  expect(await once(nextTry(), 0, 'a', write('3'))).toEqual(done('1'));
});

test('nothing of what is sent is kept', async () => {
  const part = { id: '101', name: 'Name', children: [] };
  await once(nextTry(), 0, [{ part, value: 'secret words' }], write('1'));
  expect(JSON.stringify(store)).not.toMatch(/secret|Name/);
});

test('a retried execution knows what was done', async () => {
  await once(nextTry(), 0, 'a', write('1'));
  expect(await once(nextTry({ execution: '2' }), 0, 'a', write('2'))).toEqual(done('1'));
});

test('a person who retries the execution has checked, so doubts are dropped', async () => {
  await expect(once(nextTry(), 0, 'a', doubtful)).rejects.toThrow('not known');
  expect(await once(nextTry({ execution: '2' }), 0, 'a', write('2'))).toEqual(done('2'));
});

describe('calls of an agent', () => {
  /** A call whose writes succeed, and which then ends well or not. */
  async function call(requests: readonly unknown[], ids: readonly string[], isGood = false) {
    const memory = nextTry({ tool: true });
    const done = [];
    for (const [index, request] of requests.entries())
      done.push(await once(memory, index, request, write(ids[index]!)));
    memory.endTry(isGood, NO_FAILURES);
    return done.map(({ id }) => id);
  }

  test('a further try of one that failed knows what it has written, whatever its run', async () => {
    expect(await call([{ n: 1 }], ['1'])).toEqual(['1']);
    const memory = nextTry({ tool: true, runIndex: 1 });
    expect(await once(memory, 0, { n: 1 }, write('2'))).toEqual(done('1'));
  });

  test('one that asks for something else, or for another record, is another one', async () => {
    await call([{ n: 1 }], ['1']);
    expect(await call([{ n: 2 }], ['2'])).toEqual(['2']);
    expect(await once(nextTry({ tool: true }), 0, { n: 1 }, write('3'), undefined, '13')).toEqual(done('3'));
  });

  test('one that asks for the same after it ended well wants it again, also after a failure', async () => {
    await call([{ n: 1 }], ['1'], true);
    expect(await call([{ n: 1 }], ['2'])).toEqual(['2']);
    expect(await call([{ n: 1 }], ['3'], true)).toEqual(['2']);
    expect(await call([{ n: 1 }], ['4'], true)).toEqual(['4']);
  });

  test('one without an execution, as of an MCP client, writes', async () => {
    expect(await once(nextTry({ tool: true, execution: undefined }), 0, 'a', write('1'))).toEqual(done('1'));
  });

  test('two at once that ask for the same each write it, and each further try knows one', async () => {
    const [one, other] = [nextTry({ tool: true }), nextTry({ tool: true, atOnce: true })];
    expect(await once(one, 0, 'a', write('1'))).toEqual(done('1'));
    expect(await once(other, 0, 'a', write('2'))).toEqual(done('2'));
    one.endTry(false, NO_FAILURES);
    other.endTry(false, NO_FAILURES);
    const again = [await call(['a'], ['3'], true), await call(['a'], ['4'], true)].flat();
    expect(again.sort()).toEqual(['1', '2']);
  });
});

test('writes of a later try are remembered: n8n 1.x may try again after it succeeded', async () => {
  const first = nextTry();
  await expect(once(first, 0, 'a', async () => await Promise.reject(new Error('no')))).rejects.toThrow('no');
  first.endTry(false, NO_FAILURES);
  const second = nextTry();
  await once(second, 0, 'a', write('2'));
  second.endTry(true, NO_FAILURES);
  expect(await once(nextTry(), 0, 'a', write('3'))).toEqual(done('2'));
});

test('a first try without a write is a try', async () => {
  nextTry().endTry(false, NO_FAILURES);
  const second = nextTry();
  await once(second, 0, 'a', write('2'));
  second.endTry(true, NO_FAILURES);
  expect(await once(nextTry(), 0, 'a', write('3'))).toEqual(done('2'));
});

test('if n8n does not say whether an agent calls, the type of the node does', async () => {
  const tool = () => nextTry({ tool: undefined, type: 'applicationDataServiceTool' });
  const first = tool();
  await once(first, 0, { n: 1 }, write('1'));
  first.endTry(false, NO_FAILURES);
  expect(await once(tool(), 0, { n: 2 }, write('2'))).toEqual(done('2'));
});

test('a doubt of another execution does not count in this one', async () => {
  await expect(once(nextTry(), 0, 'a', doubtful)).rejects.toThrow('not known');
  expect(isInDoubt(nextTry(), 0)).toBe(true);
  expect(isInDoubt(nextTry({ execution: '2' }), 0)).toBe(false);
});

test("what an agent's call ended in says nothing about another one that fails early", async () => {
  await expect(once(nextTry({ tool: true }), 0, 'a', doubtful)).rejects.toThrow('not known');
  expect(nextTry({ tool: true }).doubtOf(0)).toBeNull();
});

test('a failure says nothing about a doubt, but for the conflict that settles it', async () => {
  await expect(once(nextTry(), 0, 'a', doubtful)).rejects.toThrow('not known');
  const fails = async (error: Error) => {
    const memory = nextTry();
    await expect(once(memory, 0, 'a', doubtful, async () => await Promise.reject(error))).rejects.toBe(error);
    return memory.doubtOf(0);
  };
  expect(await fails(new Error('no file'))).toMatchObject({ message: 'not known' });
  const moved = new ServiceError('conflict', 'moved', '', { ids: ['12'] });
  expect(await fails(moved)).toBeNull();
});

test('the work done is known although something fails after it', () => {
  const failing = nextTry();
  failing.checkpoint([0], ['301', '12'], 'a').recordProgress(done('1'));
  failing.endTry(false, new Map([[0, new ServiceError('inDoubt', 'not known', 'look')]]));
  expect(nextTry().checkpoint([0], ['301', '12'], 'a')).toMatchObject({
    progress: done('1'),
    doubt: null,
  });
  expect(nextTry().writtenBy(0)).toEqual({ outcome: 'created', ids: ['1'], isOpen: false });
});

// A node that continues without Retry On Fail has one try: nothing is stored with the execution.
test.each([
  ['Retry On Fail', { retries: true, continues: false }, true],
  ['Retry On Fail, continuing: n8n 1.x takes all tries', { retries: true, continues: true }, true],
  ['the node throws: a person may retry the execution', { retries: false, continues: false }, true],
  ['it continues', { retries: false, continues: true }, false],
])('what is kept of a try with failures: %s', async (_, circumstances, isKept) => {
  const memory = nextTry(circumstances);
  await once(memory, 0, 'a', write('1'));
  memory.endTry(false, new Map([[1, new Error('no')]]));
  expect('writes' in store).toBe(isKept);
});
