import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../support/sandbox';
import type { TriggerEngine } from '../support/triggerEngine';
import { inWords, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

let sandbox: Sandbox;
useSandbox(TICKETS, (own) => (sandbox = own));

/** An active trigger for the records that meet the conditions. */
async function watch(match: string, ...condition: INodeParameters[]): Promise<TriggerEngine> {
  const trigger = watchTickets(sandbox, { match, filters: { condition } });
  expect(await trigger.activate()).toEqual([]);
  return trigger;
}

const EXPENSIVE = { part: 'Price', operator: 'gt', value: '100' };
const CLOSED = { part: 'State', operator: 'equals', value: 'closed' };

describe('conditions that the node checks', () => {
  it('emit records that meet them, created or updated', async () => {
    const trigger = await watch('all', EXPENSIVE);
    const [expensive, cheap] = await sandbox.addRecords('tickets', [
      { Title: 'Dear', Price: '250' },
      { Title: 'Cheap', Price: '9' },
    ]);
    expect(inWords(await trigger.poll())).toEqual([`created ${expensive} (1)`]);
    await sandbox.changeRecord('tickets', cheap!, { Price: '1000' });
    expect(inWords(await trigger.poll())).toEqual([`created ${cheap} (2)`]);
    await sandbox.changeRecord('tickets', expensive!, { Price: '260' });
    expect(inWords(await trigger.poll())).toEqual([`updated ${expensive} (1 to 2)`]);
  });

  it('a record that stops meeting them is no deletion, and one that meets them again under a newer revision is an update', async () => {
    const trigger = await watch('all', EXPENSIVE);
    const [expensive] = await sandbox.addRecords('tickets', [{ Title: 'Dear', Price: '250' }]);
    expect(await trigger.poll()).toHaveLength(1);
    await sandbox.changeRecord('tickets', expensive!, { Price: '1' });
    expect(await trigger.poll()).toEqual([]);
    await sandbox.changeRecord('tickets', expensive!, { Price: '300' });
    expect(inWords(await trigger.poll())).toEqual([`updated ${expensive} (1 to 3)`]);
    await sandbox.removeRecord('tickets', expensive!);
    expect(inWords(await trigger.poll())).toEqual([`deleted ${expensive} (3)`]);
  });

  it('a record that stops meeting them between the list and its reading is not output', async () => {
    const trigger = await watch('all', EXPENSIVE);
    const [expensive] = await sandbox.addRecords('tickets', [{ Title: 'Dear', Price: '250' }]);
    await trigger.poll();
    await sandbox.changeRecord('tickets', expensive!, { Price: '260' });
    const { record } = await sandbox.call('get_data', { app_id: '@tickets', data_id: expensive! });
    const cheap = { ...(record as object), revision: '3', Price: { val: '1' } };
    trigger.between = {
      answer: ({ action }) =>
        action === 'get_data' ? { statusCode: 200, body: { status: 'ok', record: cheap } } : undefined,
    };
    expect(inWords(await trigger.poll())).toEqual([]);
    trigger.between = {};
    await sandbox.changeRecord('tickets', expensive!, { Price: '1' });
    expect(inWords(await trigger.poll())).toEqual([]);
  });

  it('a record that never met them is never reported as deleted', async () => {
    const trigger = await watch('all', EXPENSIVE);
    await sandbox.removeRecord('tickets', '1');
    expect(await trigger.poll()).toEqual([]);
  });

  it('any of several is enough, including those that the service checks', async () => {
    const trigger = await watch('any', EXPENSIVE, CLOSED);
    const [expensive, , closed] = await sandbox.addRecords('tickets', [
      { Title: 'Dear', State: 'open', Price: '250' },
      { Title: 'Neither', State: 'open', Price: '9' },
      { Title: 'Closed', State: 'closed' },
    ]);
    expect(inWords(await trigger.poll())).toEqual([`created ${expensive} (1)`, `created ${closed} (1)`]);
  });

  it('parts that only a condition needs are not in the items', async () => {
    const trigger = watchTickets(sandbox, {
      filters: { condition: [EXPENSIVE] },
      simplify: false,
      options: { partsToReturn: ['Title'] },
    });
    await trigger.activate();
    await sandbox.addRecords('tickets', [{ Title: 'Dear', Price: '250' }]);
    const [item] = await trigger.poll();
    expect(Object.keys((item as { record: object }).record)).not.toContain('Price');
  });

  it('another match is refused', async () => {
    const trigger = watchTickets(sandbox, { match: 'some' });
    await expect(trigger.activate()).rejects.toThrow(/"Must Match" must be one of: all, any/);
  });
});
