import type { Sandbox } from '../support/sandbox';
import type { TriggerEngine } from '../support/triggerEngine';
import { watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

let sandbox: Sandbox;
useSandbox(null, (own) => (sandbox = own));

async function watch(watchParts: string[], options: object = {}): Promise<TriggerEngine> {
  const trigger = watchTickets(sandbox, { watchParts, options: { ...options } });
  expect(await trigger.activate()).toEqual([]);
  return trigger;
}

/** Tickets whose town comes from another application. */
async function linked(): Promise<void> {
  const source = await sandbox.createApplication({
    name: 'Source',
    identifier: 'source',
    parts: [
      { name: 'Key', type: 'textbox' },
      { name: 'Town', type: 'textbox' },
    ],
    records: [
      { Key: 'k', Town: 'Kyoto' },
      { Key: 'n', Town: 'Nara' },
    ],
  });
  await sandbox.createApplication({
    name: 'Tickets',
    identifier: 'tickets',
    parts: [
      { name: 'Title', type: 'textbox' },
      { name: 'Link', type: 'textbox' },
      {
        name: 'Town',
        type: 'reference',
        reference: { application: source.id, key: 'Link', match: 'Key', part: 'Town' },
      },
    ],
    records: [
      { Title: 'One', Link: 'k' },
      { Title: 'Two', Link: 'k' },
    ],
  });
}

describe('a watched part of an application under maintenance', () => {
  it.each([undefined, 'updated'])(
    'is no update by itself, and no update is lost: previous values %s',
    async (previousValues) => {
      await linked();
      const trigger = await watch(['Town'], previousValues === undefined ? {} : { previousValues });
      await sandbox.changeApplication('source', { status: 'maintenance' });
      await sandbox.changeRecord('tickets', '1', { Title: 'New' });
      await sandbox.changeRecord('tickets', '2', { Link: 'n' });
      expect(await trigger.poll()).toEqual([]);
      await sandbox.changeApplication('source', { status: 'running' });
      expect(await trigger.poll()).toMatchObject([{ event: 'updated', id: '2', Town: 'Nara' }]);
      expect(await trigger.poll()).toEqual([]);
      await sandbox.changeApplication('source', { status: 'maintenance' });
      await sandbox.changeRecord('tickets', '1', { Title: 'Newer' });
      expect(await trigger.poll()).toEqual([]);
      await sandbox.changeApplication('source', { status: 'running' });
      await sandbox.changeRecord('tickets', '1', { Link: 'n' });
      expect(await trigger.poll()).toMatchObject([{ event: 'updated', id: '1', Town: 'Nara' }]);
      await sandbox.changeRecord('tickets', '1', { Link: 'k' });
      const [last] = await trigger.poll();
      expect(last?.changes).toEqual(
        previousValues !== undefined ? { Town: { from: 'Nara', to: 'Kyoto' } } : undefined,
      );
    },
  );

  it('is left out of the changes, and reported when it is back', async () => {
    await linked();
    const trigger = await watch(['Town', 'Title'], { previousValues: 'updated' });
    await sandbox.changeApplication('source', { status: 'maintenance' });
    await sandbox.changeRecord('tickets', '1', { Title: 'New' });
    await sandbox.changeRecord('tickets', '2', { Title: 'New', Link: 'n' });
    const changes = { Title: { from: 'One', to: 'New' } };
    expect(await trigger.poll()).toMatchObject([{ id: '1', changes }, { id: '2' }]);
    await sandbox.changeApplication('source', { status: 'running' });
    expect(await trigger.poll()).toEqual([]);
    await sandbox.changeRecord('tickets', '1', { Link: '' });
    await sandbox.changeRecord('tickets', '1', { Link: 'k' });
    await sandbox.changeRecord('tickets', '2', { Link: 'n' });
    expect((await trigger.poll()).map(({ id, changes }) => ({ id, changes }))).toEqual([
      { id: '2', changes: { Town: { to: 'Nara' } } },
    ]);
    await sandbox.changeRecord('tickets', '1', { Link: 'n' });
    expect(await trigger.poll()).toMatchObject([{ changes: { Town: { from: 'Kyoto', to: 'Nara' } } }]);
  });
});
