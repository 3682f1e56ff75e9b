import type { INodeParameters } from 'n8n-workflow';

import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import type { Between, TriggerEngine, TriggerOptions } from '../support/triggerEngine';
import { inWords, numbered, polledOn, REFUSED, TICKETS, watchTickets } from '../support/triggerTickets';
import { CAPABILITIES } from './support/capabilities';
import { useSandbox } from './support/useSandbox';

let sandbox: Sandbox;
useSandbox(TICKETS, (own) => (sandbox = own));
afterEach(async () => await sandbox.startListening());

/** A trigger on the tickets with its own clock, so its waits take no time. */
function watch(parameters: INodeParameters = {}, options: TriggerOptions = {}): TriggerEngine {
  return watchTickets(sandbox, parameters, { clock: new FakePollClock(), ...options });
}

interface PollFailure {
  readonly message: string;
  readonly description?: string;
  readonly failure?: { cause: string; retryAfterMs?: number };
}

async function failureOf(poll: Promise<unknown>): Promise<PollFailure> {
  return await poll.then(
    (value) => {
      throw new Error(`It did not fail but gave ${JSON.stringify(value)}`);
    },
    (error: PollFailure) => error,
  );
}

describe('the first poll after activation', () => {
  it('waits for a service that is down, and continues when it is up', async () => {
    const trigger = watch();
    await sandbox.stopListening();
    expect(await trigger.activate()).toEqual([]);
    expect(trigger.warnings.join()).toContain('The first poll is postponed: Nothing answers');
    const failure = await failureOf(trigger.poll());
    expect(failure.failure).toEqual({ cause: 'temporarily-unavailable' });
    await sandbox.startListening();
    expect(await trigger.poll()).toEqual([]);
    await sandbox.addRecords('tickets', [{ Title: 'Three' }]);
    expect(inWords(await trigger.poll())).toEqual(['created 3 (1)']);
  });

  it('returns in time if the service does not answer', async () => {
    const clock = new FakePollClock();
    const trigger = watch({}, { clock });
    trigger.between = { cost: ({ action }) => (action === 'list_data' ? 60_000 : 0) };
    const begin = clock.now();
    expect(await trigger.activate()).toEqual([]);
    expect(clock.now() - begin).toBeGreaterThan(5_000);
    expect(clock.now() - begin).toBeLessThan(20_000);
    expect(trigger.warnings.join()).toContain('did not answer within the time');
  });

  it('fails for a wrong key and for an unknown application', async () => {
    const key = watch();
    key.credential = { ...key.credential, accessKey: 'wrong' };
    const refused = await failureOf(key.activate());
    expect(refused.message).toContain('did not accept the access key');
    expect(refused.failure).toEqual({ cause: 'credential-invalid' });

    const application = { __rl: true, mode: 'identifier', value: 'nobody' };
    const unknown = await failureOf(watch({ application }).activate());
    expect(unknown.message).toMatch(/The application @nobody cannot be read/);
    expect(unknown.failure).toEqual({ cause: 'configuration-invalid' });
  });

  it('fails for invalid parameters', async () => {
    const cases = [
      [{ events: [] }, 'No event is selected'],
      [{ application: '' }, 'No application is selected'],
      [{ options: { updatedPart: 'Title' } }, 'it is not a date/time part'],
      [{ watchParts: ['Titel'] }, 'There is no part "Titel"'],
      [{ options: { maxRecordsPerPoll: -1 } }, 'must be a whole number'],
    ] as const;
    for (const [parameters, message] of cases) {
      const failure = await failureOf(watch(parameters as never).activate());
      expect(failure.message).toContain(message);
      expect(failure.failure).toEqual({ cause: 'configuration-invalid' });
    }
  });

  it('waits for the end of maintenance', async () => {
    await sandbox.changeApplication('tickets', { status: 'maintenance' });
    const trigger = watch();
    expect(await trigger.activate()).toEqual([]);
    expect(trigger.warnings.join()).toContain('is not running (maintenance)');
    await sandbox.changeApplication('tickets', { status: 'running' });
    expect(await trigger.poll()).toEqual([]);
  });
});

describe('restarts', () => {
  it('repeat nothing and lose nothing', async () => {
    const trigger = watch();
    await trigger.activate();
    await sandbox.addRecords('tickets', [{ Title: 'Three' }]);
    expect(inWords(await trigger.poll())).toEqual(['created 3 (1)']);
    expect(await trigger.restart()).toEqual([]);
    await sandbox.changeRecord('tickets', '3', { Title: 'Drei' });
    expect(inWords(await trigger.restart())).toEqual(['updated 3 (1 to 2)']);
    expect(await trigger.restart()).toEqual([]);
  });

  it.each([
    ['of another version', 'ads0|{}|'],
    ['cut off', 'CUT'],
    ['not a text', { records: [] }],
  ])('with a state that is %s start over, without a flood', async (_, state) => {
    const trigger = watch({ options: { startFrom: 'existing' } });
    await trigger.activate();
    trigger.replaceState(state === 'CUT' ? trigger.state!.slice(0, -3) : state);
    expect(await trigger.restart()).toEqual([]);
    expect(trigger.warnings.join()).toContain('cannot be read');
    await sandbox.addRecords('tickets', [{ Title: 'Three' }]);
    expect(inWords(await trigger.poll())).toEqual(['created 3 (1)']);
  });

  it('do not change the saved state if nothing changes', async () => {
    const trigger = watch();
    await trigger.activate();
    const { state } = trigger;
    await trigger.poll();
    await trigger.poll();
    expect(trigger.state).toBe(state);
  });
});

describe('polls that overlap', () => {
  it('leave the work to the one that runs', async () => {
    const trigger = watch();
    await trigger.activate();
    await sandbox.addRecords('tickets', [{ Title: 'Three' }]);
    const polls = await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
    expect(polls.map(inWords)).toEqual([['created 3 (1)'], [], []]);
  });

  it('are independent in another workflow', async () => {
    const [one, other] = [watch(), watch()];
    await one.activate();
    await other.activate();
    await sandbox.addRecords('tickets', [{ Title: 'Three' }]);
    const polls = await Promise.all([one.poll(), other.poll()]);
    expect(polls.map(inWords)).toEqual([['created 3 (1)'], ['created 3 (1)']]);
  });
});

/** If a poll may take as long as it needs, it waits instead. */
const itTimed = CAPABILITIES.pollBudget() ? it : it.skip;

describe('failures of a poll', () => {
  const faults = [
    { kind: 'drop', when: 'before' },
    { kind: 'drop', when: 'after' },
    { kind: 'cut' },
    { kind: 'cut', how: 'abort' },
    { kind: 'status', status: 429, retryAfter: 0 },
    { kind: 'status', status: 503 },
    { kind: 'slow', ms: 10 },
  ] as const;

  it.each(faults)('are solved by requesting again: %j', async (fault) => {
    const trigger = watch();
    await trigger.activate();
    await sandbox.addRecords('tickets', numbered(3));
    await sandbox.setFaults([{ ...fault, times: 2 }]);
    expect(inWords(await trigger.poll())).toEqual(['created 3 (1)', 'created 4 (1)', 'created 5 (1)']);
    expect(await trigger.poll()).toEqual([]);
  });

  it('that continue are thrown, and nothing is lost', async () => {
    const trigger = watch();
    await trigger.activate();
    await sandbox.addRecords('tickets', numbered(3));
    await sandbox.setFaults([{ kind: 'html', status: 500 }]);
    const failure = await failureOf(trigger.poll());
    expect(failure.failure).toEqual({ cause: 'temporarily-unavailable' });
    await sandbox.clearFaults();
    expect(inWords(await trigger.poll())).toEqual(['created 3 (1)', 'created 4 (1)', 'created 5 (1)']);
  });

  itTimed('tell n8n how long the service asks to wait', async () => {
    const trigger = watch({}, { budgetMs: 1500 });
    await trigger.activate();
    await sandbox.setFaults([{ kind: 'status', status: 429, retryAfter: 3, times: 1 }]);
    const { failure } = await failureOf(trigger.poll());
    expect(failure).toMatchObject({ cause: 'rate-limited', retryAfterMs: expect.any(Number) as number });
  });
});

describe('n8n starts, and the first poll fails', () => {
  const page = { statusCode: 404, body: '<html>Not found</html>' };

  test.each<[string, (sandbox: Sandbox) => Promise<unknown>, Between]>([
    [
      'the application is stopped',
      async (own) => await own.changeApplication('tickets', { status: 'stopped' }),
      {},
    ],
    ['a proxy answers with a page of its own', async () => await Promise.resolve(), { answer: () => page }],
    ['the service refuses everything', async () => await Promise.resolve(), { answer: () => REFUSED }],
  ])('because %s: the next poll goes on', async (_, before, between) => {
    const trigger = watch();
    await trigger.activate();
    await before(sandbox);
    trigger.between = between;
    expect(await trigger.restart()).toEqual([]);
    expect(trigger.warnings.join()).toContain('The first poll is postponed');
    await expect(trigger.poll()).rejects.toThrow();
    trigger.between = {};
    await sandbox.changeApplication('tickets', { status: 'running' });
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    expect(await polledOn(trigger, 2)).toEqual(['updated 1 (1 to 2)']);
  });

  test('for a person who activates it, a refusal is an error', async () => {
    const trigger = watch();
    trigger.between = { answer: () => REFUSED };
    await expect(trigger.activate()).rejects.toThrow('cannot be read');
  });
});

/** For a little longer than n8n allows for a poll. */
const HANGS_MS = CAPABILITIES.pollBudget() ? [299_000, 35_900] : [299_000];

test.each(HANGS_MS)('a credential store that hangs once stops only that poll: %d ms', async (hangsMs) => {
  const clock = new FakePollClock();
  const trigger = watch({}, { isDurable: hangsMs < 36_000, clock });
  await trigger.activate();
  await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
  const { state } = trigger;
  trigger.between = { credentials: async () => await clock.sleep(hangsMs) };
  await expect(trigger.poll()).rejects.toThrow('within the time limit of the poll');
  expect(trigger.state).toBe(state);
  trigger.between = {};
  expect(await polledOn(trigger)).toEqual(['updated 1 (1 to 2)']);
});
