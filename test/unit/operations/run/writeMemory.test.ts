import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { WriteMemory } from '../../../../nodes/ApplicationDataService/operations/run/writeMemory';
import { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';

interface Circumstances {
  runIndex?: number;
  execution?: string;
  operation?: string;
  /** Absent in n8n 1.x, which does not say it. */
  tool?: boolean | undefined;
  type?: string;
}

const USUAL = {
  runIndex: 0,
  execution: '1',
  operation: 'create',
  tool: false,
  type: 'applicationDataService',
};

/** The store that n8n keeps for a node through its tries; as it keeps it, as JSON. */
let store: IDataObject;

beforeEach(() => {
  store = {};
});

/** The memory as the next try of the node finds it. */
function nextTry(circumstances: Circumstances = {}) {
  const { runIndex, execution, operation, tool, type } = { ...USUAL, ...circumstances };
  store = JSON.parse(JSON.stringify(store)) as IDataObject;
  const context = {
    getContext: () => store,
    getNode: () => ({
      type,
      parameters: { resource: 'record', operation, application: '301' },
    }),
    getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
    getExecutionId: () => execution,
    ...(tool !== undefined && { isToolExecution: () => tool }),
  };
  return new WriteMemory(context as unknown as IExecuteFunctions);
}

const write = (id: string) => jest.fn(async () => await Promise.resolve({ id }));
const doubtful = async () =>
  await Promise.reject(new ServiceError('outcomeUnknown', 'not known', 'look', { action: 'insert_data' }));

test('a finished write is not done again', async () => {
  await nextTry().once(0, 'a', write('1'));
  const again = write('2');
  expect(await nextTry().once(0, 'b', again)).toEqual({ id: '1' });
  expect(again).not.toHaveBeenCalled();
});

test.each<[string, Circumstances]>([
  ['another run of the node', { runIndex: 1 }],
  ['another operation', { operation: 'update' }],
])('%s begins afresh', async (_, circumstances) => {
  await nextTry().once(0, 'a', write('1'));
  expect(await nextTry(circumstances).once(0, 'a', write('2'))).toEqual({ id: '2' });
});

test('a retried execution knows what was finished', async () => {
  await nextTry().once(0, 'a', write('1'));
  expect(await nextTry({ execution: '2' }).once(0, 'a', write('2'))).toEqual({ id: '1' });
});

test('a failed write is done again', async () => {
  await expect(nextTry().once(0, 'a', async () => await Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  );
  expect(await nextTry().once(0, 'a', write('2'))).toEqual({ id: '2' });
});

test('a write in doubt is not done again, but settled if it can be', async () => {
  await expect(nextTry().once(0, 'a', doubtful)).rejects.toThrow('not known');
  const again = write('2');
  await expect(nextTry().once(0, 'a', again)).rejects.toMatchObject({
    kind: 'outcomeUnknown',
    description: 'look',
  });
  expect(again).not.toHaveBeenCalled();
  expect([nextTry().isInDoubt(0, 'insert_data'), nextTry().isInDoubt(0, 'update_data')]).toEqual([
    true,
    false,
  ]);
  expect(nextTry().isInDoubt(1, 'insert_data')).toBe(false);

  expect(await nextTry().once(0, 'a', again, write('3'))).toEqual({ id: '3' });
  expect(await nextTry().once(0, 'a', again)).toEqual({ id: '3' });
});

test('a person who retries the execution has looked: doubts do not outlive it', async () => {
  await expect(nextTry().once(0, 'a', doubtful)).rejects.toThrow('not known');
  expect(await nextTry({ execution: '2' }).once(0, 'a', write('2'))).toEqual({ id: '2' });
});

test('an agent may call the same tool several times with other values', async () => {
  await nextTry({ tool: true }).once(0, { n: 1 }, write('1'));
  expect(await nextTry({ tool: true }).once(0, { n: 2 }, write('2'))).toEqual({ id: '2' });
  expect(await nextTry({ tool: true }).once(0, { n: 1 }, write('3'))).toEqual({ id: '1' });
});

test('nothing is kept once all has succeeded', async () => {
  const memory = nextTry();
  await memory.once(0, 'a', write('1'));
  memory.endTry(true);
  expect(store).toEqual({});
});

test('what a later try has written is kept: n8n 1.x may go on trying after it succeeded', async () => {
  const first = nextTry();
  await expect(first.once(0, 'a', async () => await Promise.reject(new Error('no')))).rejects.toThrow('no');
  first.endTry(false);
  const second = nextTry();
  await second.once(0, 'a', write('2'));
  second.endTry(true);
  expect(await nextTry().once(0, 'a', write('3'))).toEqual({ id: '2' });
});

test('a first try that came to no write is a try', async () => {
  nextTry().endTry(false);
  const second = nextTry();
  await second.once(0, 'a', write('2'));
  second.endTry(true);
  expect(await nextTry().once(0, 'a', write('3'))).toEqual({ id: '2' });
});

test('an agent that calls again after all has succeeded means it', async () => {
  nextTry({ tool: true }).endTry(false);
  const second = nextTry({ tool: true });
  await second.once(0, 'a', write('2'));
  second.endTry(true);
  expect(await nextTry({ tool: true }).once(0, 'a', write('3'))).toEqual({ id: '3' });
});

test('where n8n does not say whether an agent calls, the type of the node tells', async () => {
  const tool = () => nextTry({ tool: undefined, type: 'applicationDataServiceTool' });
  await tool().once(0, { n: 1 }, write('1'));
  expect(await tool().once(0, { n: 2 }, write('2'))).toEqual({ id: '2' });
});

test('a doubt of another execution is none of this one', async () => {
  await expect(nextTry().once(0, 'a', doubtful)).rejects.toThrow('not known');
  expect(nextTry().isInDoubt(0, 'insert_data')).toBe(true);
  expect(nextTry({ execution: '2' }).isInDoubt(0, 'insert_data')).toBe(false);
});

test.each([true, false])('a try that fails early tells what is still in doubt (agent: %s)', async (tool) => {
  await expect(nextTry({ tool }).once(0, 'a', doubtful)).rejects.toThrow('not known');
  const early = new Error('no application');
  expect(nextTry({ tool }).failureOf(0, early)).toMatchObject({
    kind: 'outcomeUnknown',
    message: 'not known',
  });
  expect(nextTry({ tool }).failureOf(1, early)).toBe(early);
  expect(nextTry({ tool, execution: '2' }).failureOf(0, early)).toBe(early);
});
