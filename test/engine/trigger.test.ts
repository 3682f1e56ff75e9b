import type { Sandbox } from '../support/sandbox';
import { inWords, numbered, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

let sandbox: Sandbox;
useSandbox(TICKETS, (own) => (sandbox = own));

/** One event of each kind: record 1 is updated, record 2 deleted, and a record created. */
async function change(): Promise<void> {
  await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
  await sandbox.removeRecord('tickets', '2');
  await sandbox.addRecords('tickets', [{ Title: 'Three', State: 'open' }]);
}

describe('what is output', () => {
  it('is what was created, updated and deleted, once', async () => {
    const trigger = watchTickets(sandbox);
    expect(await trigger.activate()).toEqual([]);
    expect(await trigger.poll()).toEqual([]);
    await change();
    const [updated, created, deleted, ...others] = await trigger.poll();
    expect(updated).toMatchObject({
      event: 'updated',
      id: '1',
      revision: 2,
      previousRevision: 1,
      Title: 'Uno',
    });
    expect(created).toMatchObject({
      event: 'created',
      id: '3',
      revision: 1,
      previousRevision: null,
      Title: 'Three',
    });
    expect(deleted).toEqual({ event: 'deleted', id: '2', previousRevision: 1 });
    expect(others).toEqual([]);
    expect(await trigger.poll()).toEqual([]);
  });

  it.each([
    [['created'], ['created 3 (1)']],
    [['updated'], ['updated 1 (1 to 2)']],
    [['deleted'], ['deleted 2 (1)']],
    [
      ['created', 'deleted'],
      ['created 3 (1)', 'deleted 2 (1)'],
    ],
  ])('is only %j if that is chosen', async (events, expected) => {
    const trigger = watchTickets(sandbox, { events });
    await trigger.activate();
    await change();
    expect(inWords(await trigger.poll())).toEqual(expected);
  });

  it('contains the parts to return, or the service’s own object', async () => {
    const some = watchTickets(sandbox, { options: { partsToReturn: ['Title'] } });
    const raw = watchTickets(sandbox, { simplify: false });
    await some.activate();
    await raw.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    const [item] = await some.poll();
    expect(item).toMatchObject({ event: 'updated', id: '1', revision: 2, previousRevision: 1, Title: 'Uno' });
    expect(item).not.toHaveProperty('State');
    expect(await raw.poll()).toEqual([
      {
        event: 'updated',
        id: '1',
        revision: 2,
        previousRevision: 1,
        record: expect.objectContaining({
          Title: expect.objectContaining({ val: 'Uno' }) as unknown,
        }) as unknown,
      },
    ]);
  });

  it('notices changes that do not move the date of the last change', async () => {
    const trigger = watchTickets(sandbox);
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Price: '5' }, { quietly: true });
    expect(inWords(await trigger.poll())).toEqual(['updated 1 (1 to 2)']);
  });

  it('begins with the existing records if that is chosen, few at a time', async () => {
    const trigger = watchTickets(sandbox, { options: { startFrom: 'existing', maxRecordsPerPoll: 1 } });
    expect(inWords(await trigger.activate())).toEqual(['created 1 (1)']);
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    const rest = [...(await trigger.poll()), ...(await trigger.poll()), ...(await trigger.poll())];
    expect(inWords(rest).sort()).toEqual(['created 2 (1)', 'updated 1 (1 to 2)']);
    expect(await trigger.poll()).toEqual([]);
  });

  it('is limited to Max Records, the oldest first, and nothing is dropped', async () => {
    const trigger = watchTickets(sandbox, { options: { maxRecordsPerPoll: 3 } });
    await trigger.activate();
    await sandbox.addRecords('tickets', numbered(7));
    const polls = [await trigger.poll(), await trigger.poll(), await trigger.poll(), await trigger.poll()];
    expect(polls.map((items) => items.map(({ id }) => id))).toEqual([
      ['3', '4', '5'],
      ['6', '7', '8'],
      ['9'],
      [],
    ]);
  });
});

describe('filters', () => {
  const open = { condition: [{ part: 'State', operator: 'equals', value: 'open' }] };

  it('treat a record that starts to meet them as new, and one that stops as neither deleted nor changed', async () => {
    const trigger = watchTickets(sandbox, { filters: open });
    await trigger.activate();
    await sandbox.changeRecord('tickets', '2', { State: 'open' });
    expect(inWords(await trigger.poll())).toEqual(['created 2 (2)']);
    await sandbox.changeRecord('tickets', '2', { State: 'closed' });
    expect(await trigger.poll()).toEqual([]);
    expect(await trigger.poll()).toEqual([]);
    await sandbox.changeRecord('tickets', '2', { State: 'open' });
    expect(inWords(await trigger.poll())).toEqual(['updated 2 (2 to 4)']);
    await sandbox.removeRecord('tickets', '2');
    expect(inWords(await trigger.poll())).toEqual(['deleted 2 (4)']);
    expect(await trigger.poll()).toEqual([]);
  });

  it('accept JSON and keywords as the action node does', async () => {
    const json = watchTickets(sandbox, {
      options: { filterJson: '{"item":[{"field_id":"101","operator":"contains","value":"Special"}]}' },
    });
    const keyword = watchTickets(sandbox, {
      options: { keyword: 'special', keywordParts: ['Title'], partsToReturn: ['State'] },
    });
    await json.activate();
    await keyword.activate();
    await sandbox.addRecords('tickets', [{ Title: 'Special offer' }, { Title: 'Usual offer' }]);
    expect(inWords(await json.poll())).toEqual(['created 3 (1)']);
    expect(inWords(await keyword.poll())).toEqual(['created 3 (1)']);
  });

  it('that are changed start over, without a flood', async () => {
    const trigger = watchTickets(sandbox, { filters: open, options: { startFrom: 'existing' } });
    expect(inWords(await trigger.activate())).toEqual(['created 1 (1)']);
    trigger.parameters = { ...trigger.parameters, filters: {} };
    expect(await trigger.restart()).toEqual([]);
    expect(trigger.warnings.join()).toContain('The settings of what to watch have changed');
    await sandbox.changeRecord('tickets', '2', { Title: 'Dos' });
    expect(inWords(await trigger.poll())).toEqual(['updated 2 (1 to 2)']);
  });

  it('with expressions may change without starting over', async () => {
    const value = '={{ $now.toFormat("yyyy") > "2000" ? "open" : "closed" }}';
    const trigger = watchTickets(sandbox, {
      filters: { condition: [{ part: 'State', operator: 'equals', value }] },
    });
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    expect(inWords(await trigger.poll())).toEqual(['updated 1 (1 to 2)']);
  });
});

describe('attachments', () => {
  const file = { name: 'a.txt', mimeType: 'text/plain', text: 'hello' };

  it.each(['simplified', 'raw'])('are downloaded if that is chosen, with %s output', async (output) => {
    const trigger = watchTickets(sandbox, { options: { downloadAttachments: true, output } });
    await trigger.activate();
    await sandbox.addRecords('tickets', [{ Title: 'Three', Files: [file, { ...file, name: 'b.txt' }] }]);
    await sandbox.removeRecord('tickets', '2');
    const [created, deleted] = await trigger.pollItems();
    expect(Object.values(created!.binary ?? {}).map(({ fileName }) => fileName)).toEqual(['a.txt', 'b.txt']);
    expect(Object.keys(created!.binary ?? {})).toEqual(['attachment_0', 'attachment_1']);
    expect(deleted!.binary).toBeUndefined();
  });
});
