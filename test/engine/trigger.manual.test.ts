import type { Sandbox } from '../support/sandbox';
import { inWords, numbered, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

let sandbox: Sandbox;
useSandbox(TICKETS, (own) => (sandbox = own));

describe('a manual run', () => {
  it('shows up to five recent records in the same shape', async () => {
    await sandbox.addRecords('tickets', numbered(6));
    const items = await watchTickets(sandbox).manual();
    expect(items).toHaveLength(5);
    expect(items[0]).toMatchObject({ event: 'created', revision: 1, previousRevision: null, State: 'open' });
    expect(Object.keys(items[0]!).slice(0, 3)).toEqual(['event', 'id', 'Title']);
  });

  it('shows the chosen events', async () => {
    const updated = await watchTickets(sandbox, { events: ['updated'] }).manual();
    expect(updated[0]).toMatchObject({ event: 'updated', revision: 1, previousRevision: null, sample: true });
    const deleted = await watchTickets(sandbox, { events: ['deleted'] }).manual();
    expect(deleted).toContainEqual({ event: 'deleted', id: '1', previousRevision: 1, sample: true });
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    const both = await watchTickets(sandbox).manual();
    expect(both.map(({ event, previousRevision, sample }) => [event, previousRevision, sample])).toEqual([
      ['created', null, true],
      ['updated', 1, true],
    ]);
    const { 'Updated At': updatedPart = '4' } = await sandbox.partIds('tickets');
    const newest = await watchTickets(sandbox, { options: { updatedPart } }).manual();
    expect(newest.map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('passes over a record that cannot be read, and fails where none can', async () => {
    const trigger = watchTickets(sandbox);
    const failing = (isFailing: (id: string | null) => boolean): void => {
      trigger.between = {
        answer: ({ action, form }) =>
          action === 'get_data' && isFailing(form.get('data_id')) ? { statusCode: 500, body: '' } : undefined,
      };
    };
    failing((id) => id === '2');
    expect(inWords(await trigger.manual())).toEqual(['created 1 (1)']);
    failing(() => true);
    await expect(trigger.manual()).rejects.toThrow('HTTP 500');
  });

  it('says so if there is none to show', async () => {
    await sandbox.createApplication({ ...TICKETS, name: 'Nothing', identifier: 'nothing', records: [] });
    const nothing = { application: { __rl: true, mode: 'identifier', value: 'nothing' } };
    await expect(watchTickets(sandbox, nothing).manual()).rejects.toThrow(
      'The application "Nothing" has no records to show',
    );
    const filters = { condition: [{ part: 'Title', operator: 'equals', value: 'Nobody' }] };
    await expect(watchTickets(sandbox, { filters }).manual()).rejects.toThrow(
      'No record of the application "Tickets" meets the conditions',
    );
  });

  it('looks further than a few records for those that meet a condition of the node, and says how far', async () => {
    const later = async (hours: number): Promise<void> =>
      await sandbox.setClock(new Date(Date.now() + hours * 3_600_000).toISOString());
    await later(1);
    await sandbox.addRecords('tickets', numbered(1500));
    const by = (value: string): object => ({
      filters: { condition: [{ part: 'Title', operator: 'startsWith', value }] },
    });
    const items = await watchTickets(sandbox, by('Tw') as never).manual();
    expect(items).toMatchObject([{ id: '2', Title: 'Two', sample: true }]);
    await later(2);
    await sandbox.addRecords('tickets', numbered(1000));
    await expect(watchTickets(sandbox, by('Tw') as never).manual()).rejects.toThrow(
      'None of the last 2000 records of the application "Tickets" meets the conditions',
    );
  });

  it('does not change the state of an active trigger', async () => {
    const trigger = watchTickets(sandbox);
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    await trigger.manual();
    expect(inWords(await trigger.poll())).toEqual(['updated 1 (1 to 2)']);
  });
});

test('an example with Previous Values has changes', async () => {
  const [first] = await watchTickets(sandbox, {
    watchParts: ['State'],
    options: { previousValues: 'updated' },
  }).manual();
  expect(first).toMatchObject({
    event: 'updated',
    changes: { State: { from: 'closed', to: 'closed' } },
    sample: true,
  });
});
