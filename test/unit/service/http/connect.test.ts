import { connect, within } from '../../../../nodes/ApplicationDataService/service/http/connect';
import { cancelled, ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';
import type { Limiters, PlannedCall } from '../../../../nodes/ApplicationDataService/service/http/limiter';

/** What the limiter is told of a call that a node makes. */
async function planned(context: object): Promise<PlannedCall> {
  const calls: PlannedCall[] = [];
  const enter = async (_: string, call: PlannedCall): Promise<never> => {
    calls.push(call);
    return await Promise.reject(new ServiceError('unexpected', 'not let in', ''));
  };
  const credential = { baseUrl: 'https://host.example/dneo/', accessKey: 'key-1' };
  const called = { getCredentials: async () => await Promise.resolve(credential), ...context };
  const client = await connect(called as never, undefined, undefined, { enter } as unknown as Limiters);
  await expect(client.call('get_app')).rejects.toThrow('not let in');
  return calls[0]!;
}

test('an execution waits for its own turn, and a list of the editor goes first', async () => {
  const execution = { getExecutionId: () => '7' };
  expect(await planned(execution)).toMatchObject({ turn: '7', urgent: false });
  const editor = { getExecutionId: () => undefined, getCurrentNodeParameter: () => undefined };
  const lists = [await planned(editor), await planned(editor)];
  expect(lists.map(({ turn, urgent }) => [typeof turn, urgent])).toEqual(Array(2).fill(['symbol', true]));
  expect(lists[0]?.turn).not.toBe(lists[1]?.turn);
});

describe('within a time', () => {
  const late = () => new Error('late');
  const never = async () => await new Promise<never>(() => undefined);
  const fails = (error: Error) => async () => await Promise.reject<never>(error);

  test('work that has no time limit, or ends before it, has its result', async () => {
    const work = async () => await Promise.resolve(7);
    expect(await within(undefined, work, late)).toBe(7);
    expect(await within(new AbortController().signal, work, late)).toBe(7);
  });

  test('work is not begun after it, and not waited for', async () => {
    const work = jest.fn(never);
    await expect(within(AbortSignal.abort(), work, late)).rejects.toThrow('late');
    expect(work).not.toHaveBeenCalled();
    const end = new AbortController();
    const ended = expect(within(end.signal, never, late)).rejects.toThrow('late');
    end.abort();
    await ended;
  });

  test('a failure is told as it is, also at its end, but for a cancelled call', async () => {
    const { signal } = new AbortController();
    await expect(within(signal, fails(new Error('busy')), late)).rejects.toThrow('busy');
    await expect(within(signal, fails(cancelled()), late)).rejects.toThrow('late');
    const end = new AbortController();
    const waiting = async () =>
      await new Promise<never>((_, reject) =>
        end.signal.addEventListener('abort', () => reject(new Error('busy'))),
      );
    const ended = expect(within(end.signal, waiting, late)).rejects.toThrow('busy');
    end.abort();
    await ended;
  });
});
