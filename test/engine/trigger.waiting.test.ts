import type { Sandbox } from '../support/sandbox';
import type { SentCall } from '../support/triggerEngine';
import { numbered, polledOn, REFUSED, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

/** Records that were found and cannot be read yet. */

let sandbox: Sandbox;
useSandbox({ ...TICKETS, records: numbered(30) }, (own) => (sandbox = own));

/** HTTP 500 for single reads of these records. */
function failing(
  ...ids: readonly string[]
): (call: SentCall) => { statusCode: number; body: unknown } | undefined {
  return ({ action, form }) =>
    action === 'get_data' && ids.includes(form.get('data_id')!) ? { statusCode: 500, body: '' } : undefined;
}

describe('a record that waits', () => {
  const filters = { condition: [{ part: 'State', operator: 'equals', value: 'open' }] };

  test.each([{}, { equals: 'misses:id' }])('is not told once it has left the filter: %j', async (dialect) => {
    const trigger = watchTickets(sandbox, { filters });
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    trigger.between = { answer: failing('1') };
    expect(await polledOn(trigger)).toEqual([]);
    trigger.between = {};
    await sandbox.setDialect(dialect);
    await sandbox.changeRecord('tickets', '1', { State: 'closed' });
    expect(await polledOn(trigger, 3)).toEqual([]);
    await sandbox.changeRecord('tickets', '1', { State: 'open' });
    expect(await polledOn(trigger, 2)).toEqual(['updated 1 (1 to 4)']);
  });

  test('waits no longer once it has left the filter, also where the filter cannot be asked for its ID', async () => {
    await sandbox.setDialect({ equals: 'misses:id' });
    const trigger = watchTickets(sandbox, { filters });
    await trigger.activate();
    const [id] = await sandbox.addRecords('tickets', numbered(1));
    trigger.between = { answer: failing('1', id!) };
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    expect(await polledOn(trigger)).toEqual([]);
    expect(trigger.state).toContain('"waits":[["');
    trigger.between = {};
    for (const each of ['1', id!]) await sandbox.changeRecord('tickets', each, { State: 'closed' });
    expect(await polledOn(trigger)).toEqual([]);
    expect(trigger.state).toContain('"waits":[]');
  });

  test('is given in part after three polls although the service refuses it, as lists show it', async () => {
    const trigger = watchTickets(sandbox);
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    trigger.between = {
      answer: ({ action, form }) =>
        action === 'get_data' && form.get('data_id') === '1' ? REFUSED : undefined,
    };
    expect(await polledOn(trigger, 2)).toEqual([]);
    expect(await trigger.poll()).toMatchObject([
      { event: 'updated', id: '1', readError: expect.any(String) as string },
    ]);
    expect(await polledOn(trigger, 2)).toEqual([]);
  });

  test('is not told once it was deleted, also before the next full scan', async () => {
    const trigger = watchTickets(sandbox, { options: { updatedPart: '4' } });
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    trigger.between = { answer: failing('1') };
    expect(await polledOn(trigger)).toEqual([]);
    trigger.between = {};
    await sandbox.removeRecord('tickets', '1');
    expect(await polledOn(trigger, 3)).toEqual([]);
    expect(trigger.state).toContain('"waits":[]');
  });

  test('is given in part after three polls in which another record could be read', async () => {
    const trigger = watchTickets(sandbox);
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    await sandbox.changeRecord('tickets', '2', { Title: 'Due' });
    trigger.between = { answer: failing('1') };
    expect(await polledOn(trigger, 2)).toEqual(['updated 2 (1 to 2)']);
    // Polls in which no record can be read do not count.
    trigger.between = {
      answer: ({ action }) => (action === 'get_data' ? { statusCode: 500, body: '' } : undefined),
    };
    expect(await polledOn(trigger, 3)).toEqual([]);
    trigger.between = { answer: failing('1') };
    expect(await trigger.poll()).toMatchObject([
      {
        event: 'updated',
        id: '1',
        revision: 2,
        previousRevision: 1,
        readError: expect.any(String) as string,
      },
    ]);
    expect(await polledOn(trigger, 2)).toEqual([]);
  });
});

test('a service that refuses lists of whole records holds up none of many new ones', async () => {
  const trigger = watchTickets(sandbox);
  await trigger.activate();
  const added = await sandbox.addRecords('tickets', numbered(25));
  trigger.between = {
    answer: ({ form }) => (form.get('fields')?.includes('State') === true ? REFUSED : undefined),
  };
  expect(await polledOn(trigger, 2)).toEqual(added.map((id) => `created ${id} (1)`));
});

test('where an application was emptied while a record waited, its deletions come', async () => {
  const trigger = watchTickets(sandbox);
  await trigger.activate();
  await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
  trigger.between = { answer: failing('1') };
  expect(await polledOn(trigger)).toEqual([]);
  trigger.between = {};
  for (let id = 1; id <= 30; id++) await sandbox.removeRecord('tickets', String(id));
  expect(await polledOn(trigger, 2)).toHaveLength(30);
});
