import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import type { SentCall, TriggerEngine, TriggerOptions } from '../support/triggerEngine';
import { inWords, numbered, polledOn, TICKETS, watchTickets } from '../support/triggerTickets';
import { CAPABILITIES } from './support/capabilities';
import { useSandbox } from './support/useSandbox';

let sandbox: Sandbox;
useSandbox(TICKETS, (own) => (sandbox = own));

/** An active trigger on the tickets; its waits take no time. */
async function watch(options: TriggerOptions = {}): Promise<TriggerEngine> {
  const trigger = watchTickets(sandbox, {}, { clock: new FakePollClock(), ...options });
  expect(await trigger.activate()).toEqual([]);
  return trigger;
}

const ok = (more: object) => ({ statusCode: 200, body: { status: 'ok', ...more } });
const ng = { status: 'ng', errorno: -1, errormessage: 'W:Trouble [W1]' };
const refused = { statusCode: 200, body: ng };
const nothing = ok({ list: { item: [] } });

function isRead({ action, form }: SentCall, id?: string): boolean {
  return action === 'get_data' && (id === undefined || form.get('data_id') === id);
}

function isWholeList({ action, form }: SentCall): boolean {
  return action === 'list_data' && form.get('fields')?.includes('State') === true;
}

/** The answers of such an application look like those of one without records. */
describe('an application that is not running', () => {
  const status = 'maintenance';
  it.each([
    ['shows nothing and counts 0', { answersEmpty: true, isSudden: false }],
    ['refuses everything', { answersEmpty: false, isSudden: false }],
    ['shows nothing from the middle of a poll on', { answersEmpty: true, isSudden: true }],
  ])('and %s: nothing is reported as deleted, lost or repeated', async (_, { answersEmpty, isSudden }) => {
    const trigger = await watch();
    await sandbox.changeRecord('tickets', '1', { Title: 'Before it' });
    await sandbox.removeRecord('tickets', '2');
    await sandbox.addRecords('tickets', numbered(3));
    let calls = 0;
    if (!isSudden) await sandbox.changeApplication('tickets', { status });
    trigger.between = {
      answer: (call) => {
        if (isSudden && ++calls < 2) return undefined;
        if (call.action === 'get_app')
          return isSudden ? ok({ id: '1', name: 'Tickets', app_status: status }) : undefined;
        if (isRead(call) || !answersEmpty) return refused;
        return call.action === 'count_data' ? ok({ allcnt: '0' }) : nothing;
      },
    };
    const during = await polledOn(trigger, 4);
    expect(during.filter((words) => words.startsWith('deleted'))).toEqual([]);
    trigger.between = {};
    await sandbox.changeApplication('tickets', { status: 'running' });
    const after = await polledOn(trigger, 4);
    expect([...during, ...after].sort()).toEqual([
      'created 3 (1)',
      'created 4 (1)',
      'created 5 (1)',
      'deleted 2 (1)',
      'updated 1 (1 to 2)',
    ]);
  });
});

test('an application that stops while missing records are looked up: said, and looked up by the next poll', async () => {
  const clock = new FakePollClock();
  const trigger = watchTickets(sandbox, { options: { updatedPart: '4' } }, { clock });
  await trigger.activate();
  await sandbox.removeRecord('tickets', '2');
  clock.leap(3_600_000);
  let isStopped = false;
  trigger.between = {
    answer: (call) => {
      isStopped ||= isRead(call);
      if (isRead(call)) return refused;
      const isAsked = isStopped && call.action === 'get_app';
      return isAsked ? ok({ id: '1', name: 'Tickets', app_status: 'maintenance' }) : undefined;
    },
  };
  expect(await trigger.poll()).toEqual([]);
  await expect(trigger.poll()).rejects.toThrow('"Tickets" is not running (maintenance)');
  trigger.between = {};
  clock.leap(60_000);
  expect(inWords(await trigger.poll())).toEqual(['deleted 2 (1)']);
});

describe('deletions are found', () => {
  it('although get_data answers 403 with a refusal for a deleted record', async () => {
    const trigger = await watch();
    await sandbox.removeRecord('tickets', '2');
    trigger.between = {
      answer: (call) => (isRead(call, '2') ? { statusCode: 403, body: ng } : undefined),
    };
    expect(await polledOn(trigger, 1)).toEqual(['deleted 2 (1)']);
    await sandbox.removeRecord('tickets', '1');
    trigger.between = { answer: (call) => (isRead(call) ? { statusCode: 403, body: ng } : undefined) };
    expect(await polledOn(trigger, 1)).toEqual(['deleted 1 (1)']);
  });

  it('not if 403 is the answer for every existing record', async () => {
    const trigger = await watch();
    await sandbox.removeRecord('tickets', '2');
    trigger.between = { answer: (call) => (isRead(call) ? { statusCode: 403, body: ng } : undefined) };
    expect(await polledOn(trigger, 3)).toEqual([]);
    trigger.between = {};
    expect(await polledOn(trigger, 2)).toEqual(['deleted 2 (1)']);
  });
});

const itTimed = CAPABILITIES.pollBudget() ? it : it.skip;

/** A failure of the service as a whole ends a poll, but what was done is kept: durable cursors drop it otherwise. */
itTimed('a poll that the service interrupts returns what it has, with durable cursors', async () => {
  const trigger = await watch({ isDurable: true });
  await sandbox.addRecords('tickets', numbered(4));
  let reads = 0;
  trigger.between = {
    answer: (call) => {
      if (isWholeList(call)) return nothing;
      return isRead(call) && ++reads > 2 ? { statusCode: 401, body: ng } : undefined;
    },
  };
  const first = inWords(await trigger.poll());
  expect(first.length).toBeGreaterThan(0);
  expect(trigger.warnings.join()).toContain('The poll ended early and the next one continues');
  const later = async (): Promise<object[]> => {
    const items: object[] = [];
    for (let polls = 0; polls < 6; polls++) items.push(...(await trigger.poll()));
    return items;
  };
  await expect(later()).rejects.toThrow('no longer accepts the access key');
  trigger.between = {};
  expect([...first, ...(await polledOn(trigger, 3))].sort()).toEqual(
    [3, 4, 5, 6].map((id) => `created ${id} (1)`),
  );
});
