import { decodeState } from '../../nodes/ApplicationDataService/trigger/state/stateCodec';
import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import { inWords, numbered, polled, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

let sandbox: Sandbox;
useSandbox(TICKETS, (own) => (sandbox = own));

describe('deletions', () => {
  it('are not assumed if the right to read is gone', async () => {
    await sandbox.setUser('1002', { rights: { tickets: { access: true, read: 'all' } } });
    const trigger = watchTickets(sandbox);
    trigger.credential = { ...trigger.credential, accessKey: 'sandbox-key-tanaka' };
    await trigger.activate();
    await sandbox.setUser('1002', { rights: { tickets: { access: true, read: 'none' } } });
    // Nothing can be read. Either the application still counts records, so none is deleted, or it counts none.
    const seen = await trigger.poll().catch(() => []);
    await sandbox.setUser('1002', { rights: { tickets: { access: true, read: 'all' } } });
    const later = await trigger.poll();
    expect(inWords([...seen, ...later]).filter((words) => words.startsWith('created'))).toEqual(
      seen.length > 0 ? ['created 1 (1)', 'created 2 (1)'] : [],
    );
  });

  it('are not assumed if the service refuses to read a record once', async () => {
    const filters = { condition: [{ part: 'State', operator: 'equals', value: 'open', valueType: 'value' }] };
    const trigger = watchTickets(sandbox, { filters });
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { State: 'closed' });
    const refusal = { kind: 'ng', errorno: -1, message: 'Trouble', action: 'get_data', times: 1 } as const;
    await sandbox.setFaults([refusal]);
    expect(await trigger.poll()).toEqual([]);
    await sandbox.clearFaults();
    await sandbox.changeRecord('tickets', '1', { State: 'open' });
    expect(inWords(await trigger.poll())).toEqual(['updated 1 (1 to 3)']);
    await sandbox.removeRecord('tickets', '1');
    await sandbox.setFaults([refusal]);
    expect(inWords(await trigger.poll())).toEqual(['deleted 1 (3)']);
  });

  it('are emitted although none of the first records can be read one by one', async () => {
    await sandbox.addRecords('tickets', numbered(18));
    const trigger = watchTickets(sandbox);
    await trigger.activate();
    await sandbox.removeRecord('tickets', '9');
    const refusal = { status: 'ng', errorno: -1, errormessage: 'No' };
    trigger.between = {
      answer: ({ action, form }) =>
        action === 'get_data' && Number(form.get('data_id')) <= 8
          ? { statusCode: 200, body: refusal }
          : undefined,
    };
    expect(inWords(await trigger.poll())).toEqual(['deleted 9 (1)']);
  });

  it('are emitted when the application is emptied', async () => {
    await sandbox.addRecords('tickets', numbered(12));
    const trigger = watchTickets(sandbox);
    await trigger.activate();
    for (let id = 1; id <= 14; id++) await sandbox.removeRecord('tickets', String(id));
    expect(await trigger.poll()).toHaveLength(14);
  });
});

test('records outside the filter that were deleted are forgotten', async () => {
  await sandbox.addRecords('tickets', numbered(1));
  const clock = new FakePollClock();
  const filters = { condition: [{ part: 'State', operator: 'equals', value: 'open' }] };
  const trigger = watchTickets(sandbox, { filters }, { clock });
  await trigger.activate();
  for (const id of ['1', '2', '3']) await sandbox.changeRecord('tickets', id, { State: 'closed' });
  expect(await polled(trigger)).toEqual([]);
  for (const id of ['1', '2']) await sandbox.removeRecord('tickets', id);
  clock.leap(3_600_000);
  expect(await polled(trigger, 2)).toEqual([]);
  expect((await decodeState(trigger.state))?.records.outside()).toEqual(['3']);
});

test.each([
  ['deletions are wanted', ['created', 'updated', 'deleted']],
  ['they are not', ['created']],
])('the state shrinks when records are deleted, if %s', async (_, events) => {
  await sandbox.addRecords('tickets', numbered(30));
  const trigger = watchTickets(sandbox, { events });
  await trigger.activate();
  const size = async (): Promise<number | undefined> => (await decodeState(trigger.state))?.records.size;
  expect(await size()).toBe(32);
  for (let id = 3; id <= 12; id++) await sandbox.removeRecord('tickets', String(id));
  await polled(trigger, 3);
  expect(await size()).toBe(22);
});
