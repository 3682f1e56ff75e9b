import type { INodeParameters } from 'n8n-workflow';

import type { ApplicationDefinition, Sandbox } from '../support/sandbox';
import type { TriggerEngine } from '../support/triggerEngine';
import { inWords, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

const KEY = 'sandbox-key-tanaka';

const DESK: ApplicationDefinition = {
  ...TICKETS,
  parts: [
    ...TICKETS.parts,
    { name: 'Tags', type: 'checkbox', identifier: 'tags', options: ['red', 'green', 'blue'] },
    { name: 'Owners', type: 'users', identifier: 'owners' },
    {
      name: 'Lines',
      type: 'input_list',
      identifier: 'lines',
      children: [
        { name: 'Item', type: 'textbox', identifier: 'item' },
        { name: 'Quantity', type: 'number', identifier: 'quantity' },
      ],
    },
  ],
};

let sandbox: Sandbox;
useSandbox(DESK, (own) => (sandbox = own));

const PREVIOUS = { previousValues: 'updated' };

/** An active trigger that watches these parts, with these options. */
async function watch(
  watchParts: string[],
  options: INodeParameters = {},
  simplify = true,
): Promise<TriggerEngine> {
  const trigger = watchTickets(sandbox, { watchParts, simplify, options });
  expect(await trigger.activate()).toEqual([]);
  return trigger;
}

/** What a poll reports about the changes of one record. */
async function changes(trigger: TriggerEngine): Promise<unknown> {
  const items = await trigger.poll();
  expect(items).toHaveLength(1);
  return items[0]!.changes;
}

describe('an update', () => {
  it('reports the previous and the new value of each watched part that changed', async () => {
    const trigger = await watch(['State', 'Price'], PREVIOUS);
    await sandbox.changeRecord('tickets', '1', { State: 'closed', Title: 'Uno' });
    expect(await trigger.poll()).toEqual([
      expect.objectContaining({
        event: 'updated',
        id: '1',
        Title: 'Uno',
        State: 'closed',
        changes: { State: { from: 'open', to: 'closed' } },
        revision: 2,
        previousRevision: 1,
      }),
    ]);
    await sandbox.changeRecord('tickets', '1', { State: null, Price: '12.5' });
    expect(await changes(trigger)).toEqual({
      State: { from: 'closed', to: null },
      Price: { from: null, to: 12.5 },
    });
    await sandbox.changeRecord('tickets', '1', { Title: 'Not watched' });
    expect(await trigger.poll()).toEqual([]);
  });

  it('reports them for a record that was created since', async () => {
    const trigger = await watch(['State'], PREVIOUS);
    const [id] = await sandbox.addRecords('tickets', [{ Title: 'Three', State: 'open' }]);
    const [created] = await trigger.poll();
    expect(created).toMatchObject({ event: 'created', id });
    expect(created).not.toHaveProperty('changes');
    await sandbox.changeRecord('tickets', id!, { State: 'closed' });
    expect(await changes(trigger)).toEqual({ State: { from: 'open', to: 'closed' } });
  });

  it('knows the values after a restart', async () => {
    const trigger = await watch(['State'], PREVIOUS);
    await sandbox.changeRecord('tickets', '1', { State: 'closed' });
    expect((await trigger.restart())[0]?.changes).toEqual({ State: { from: 'open', to: 'closed' } });
  });

  it('reports them beside the service’s own record, too', async () => {
    const trigger = await watch(['State'], PREVIOUS, false);
    await sandbox.changeRecord('tickets', '1', { State: 'closed' });
    const [item] = await trigger.poll();
    expect(Object.keys(item!).sort()).toEqual([
      'changes',
      'event',
      'id',
      'previousRevision',
      'record',
      'revision',
    ]);
    expect(item!.changes).toEqual({ State: { from: 'open', to: 'closed' } });
    expect(item!.record).toMatchObject({ State: { val: 'closed' } });
  });

  it('reports none unless it is switched on', async () => {
    const trigger = await watch(['State']);
    await sandbox.changeRecord('tickets', '1', { State: 'closed' });
    expect((await trigger.poll())[0]).not.toHaveProperty('changes');
  });
});

describe('values that are more than a text', () => {
  const FILE = { name: 'a.txt', mimeType: 'text/plain', text: 'one' };

  it('are readable: choices, people, files, rows', async () => {
    const before = {
      Tags: ['red'],
      Owners: ['1001'],
      Files: [FILE],
      Lines: [{ Item: 'Bolt', Quantity: '2' }],
    };
    await sandbox.changeRecord('tickets', '1', before);
    const trigger = await watch(['Tags', 'Owners', 'Files', 'Lines'], PREVIOUS);
    await sandbox.changeRecord('tickets', '1', {
      Tags: ['red', 'blue'],
      Owners: ['1002'],
      Files: [{ ...FILE, name: 'b.txt', text: 'other' }],
      Lines: [
        { Item: 'Bolt', Quantity: '3' },
        { Item: 'Nut', Quantity: '1' },
      ],
    });
    const name = expect.any(String) as unknown;
    const id = expect.any(String) as unknown;
    expect(await changes(trigger)).toEqual({
      Tags: { from: ['red'], to: ['red', 'blue'] },
      Owners: { from: [{ id: '1001', name }], to: [{ id: '1002', name }] },
      Files: { from: [{ id, name: 'a.txt', size: 3 }], to: [{ id, name: 'b.txt', size: 5 }] },
      Lines: {
        from: [{ id, Item: 'Bolt', Quantity: 2 }],
        to: [
          { id, Item: 'Bolt', Quantity: 3 },
          { id, Item: 'Nut', Quantity: 1 },
        ],
      },
    });
  });

  it('are no change if a user is renamed', async () => {
    await sandbox.changeRecord('tickets', '1', { Owners: ['1002'] });
    const trigger = await watch(['Owners'], PREVIOUS);
    await sandbox.setUser('1002', { name: 'Somebody Else' });
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    expect(await trigger.poll()).toEqual([]);
  });
});

describe('a part with an error', () => {
  const show = async (parts: object): Promise<void> => {
    await sandbox.setUser('1002', { rights: { tickets: { access: true, read: 'all', parts } } });
  };

  async function watchAsTanaka(): Promise<TriggerEngine> {
    const watched = { watchParts: ['State', 'Price'], options: PREVIOUS };
    const trigger = watchTickets(sandbox, watched);
    trigger.credential = { ...trigger.credential, accessKey: KEY };
    await trigger.activate();
    return trigger;
  }

  it('is not among the changes, and its previous value is forgotten', async () => {
    await show({});
    const trigger = await watchAsTanaka();
    await show({ Price: 'none' });
    await sandbox.changeRecord('tickets', '1', { State: 'closed', Price: '5' });
    expect(await changes(trigger)).toEqual({ State: { from: 'open', to: 'closed' } });
    await show({});
    await sandbox.changeRecord('tickets', '1', { State: 'open' });
    expect(await changes(trigger)).toEqual({ State: { from: 'closed', to: 'open' }, Price: { to: 5 } });
  });

  it('is no change where it was never seen, and can be read now', async () => {
    await show({ Price: 'none' });
    const trigger = await watchAsTanaka();
    await show({});
    await sandbox.changeRecord('tickets', '1', { State: 'closed', Price: '7' });
    expect(await changes(trigger)).toEqual({ State: { from: 'open', to: 'closed' } });
  });

  it('is learned once it can be read, so that its next change is reported', async () => {
    await show({ Price: 'none' });
    const trigger = await watchAsTanaka();
    await show({});
    expect(await trigger.poll()).toEqual([]);
    await sandbox.changeRecord('tickets', '1', { Price: '7' });
    expect(await changes(trigger)).toEqual({ Price: { from: null, to: 7 } });
  });
});

describe('a deletion', () => {
  const BOTH = { previousValues: 'updatedAndDeleted' };

  it('reports the last known values if this is switched on', async () => {
    const trigger = await watch(['State', 'Title'], BOTH);
    const other = await watch(['State', 'Title'], PREVIOUS);
    await sandbox.changeRecord('tickets', '2', { Title: 'Due' });
    await trigger.poll();
    await other.poll();
    await sandbox.removeRecord('tickets', '2');
    expect(await trigger.poll()).toEqual([
      { event: 'deleted', id: '2', previous: { Title: 'Due', State: 'closed' }, previousRevision: 2 },
    ]);
    expect(await other.poll()).toEqual([{ event: 'deleted', id: '2', previousRevision: 2 }]);
  });
});

describe('switching it on', () => {
  it('keeps the state, and reports "from" from the next poll on', async () => {
    const trigger = await watch(['State']);
    const [id] = await sandbox.addRecords('tickets', [{ Title: 'While off', State: 'open' }]);
    await sandbox.changeRecord('tickets', '1', { State: 'closed' });
    trigger.parameters = { ...trigger.parameters, options: PREVIOUS };
    const items = await trigger.restart();
    expect(inWords(items)).toEqual(['updated 1 (1 to 2)', `created ${id} (1)`]);
    expect(items[0]!.changes).toEqual({ State: { to: 'closed' } });
    await sandbox.changeRecord('tickets', '1', { State: 'open' });
    await sandbox.changeRecord('tickets', '2', { State: 'open' });
    expect((await trigger.poll()).map((item) => item.changes)).toEqual([
      { State: { from: 'closed', to: 'open' } },
      { State: { from: 'closed', to: 'open' } },
    ]);
  });

  it.each(['updated', 'updatedAndDeleted'])(
    'is refused if no values are kept: %s',
    async (previousValues) => {
      const message = 'Previous Values needs Only When These Parts Change';
      await expect(watchTickets(sandbox, { options: { previousValues } }).activate()).rejects.toThrow(
        message,
      );
      await expect(watchTickets(sandbox, { options: { previousValues } }).manual()).rejects.toThrow(message);
    },
  );
});
