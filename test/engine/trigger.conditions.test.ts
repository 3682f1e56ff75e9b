import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../support/sandbox';
import type { TriggerEngine } from '../support/triggerEngine';
import { inWords, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

let sandbox: Sandbox;
useSandbox(TICKETS, (own) => (sandbox = own));

/** A trigger that is on, on records that meet the conditions. */
async function watch(match: string, ...condition: INodeParameters[]): Promise<TriggerEngine> {
  const trigger = watchTickets(sandbox, { match, filters: { condition } });
  expect(await trigger.activate()).toEqual([]);
  return trigger;
}

const DEAR = { part: 'Price', operator: 'gt', value: '100' };
const CLOSED = { part: 'State', operator: 'equals', value: 'closed' };

describe('conditions that the node checks', () => {
  it('let through what meets them, created or updated', async () => {
    const trigger = await watch('all', DEAR);
    const [dear, cheap] = await sandbox.addRecords('tickets', [
      { Title: 'Dear', Price: '250' },
      { Title: 'Cheap', Price: '9' },
    ]);
    expect(inWords(await trigger.poll())).toEqual([`created ${dear} (1)`]);
    await sandbox.changeRecord('tickets', cheap!, { Price: '1000' });
    expect(inWords(await trigger.poll())).toEqual([`created ${cheap} (2)`]);
    await sandbox.changeRecord('tickets', dear!, { Price: '260' });
    expect(inWords(await trigger.poll())).toEqual([`updated ${dear} (1 to 2)`]);
  });

  it('leaving them is no deletion, and coming back under a newer revision is an update', async () => {
    const trigger = await watch('all', DEAR);
    const [dear] = await sandbox.addRecords('tickets', [{ Title: 'Dear', Price: '250' }]);
    expect(await trigger.poll()).toHaveLength(1);
    await sandbox.changeRecord('tickets', dear!, { Price: '1' });
    expect(await trigger.poll()).toEqual([]);
    await sandbox.changeRecord('tickets', dear!, { Price: '300' });
    expect(inWords(await trigger.poll())).toEqual([`updated ${dear} (1 to 3)`]);
    await sandbox.removeRecord('tickets', dear!);
    expect(inWords(await trigger.poll())).toEqual([`deleted ${dear} (3)`]);
  });

  it('what never met them is never deleted', async () => {
    const trigger = await watch('all', DEAR);
    await sandbox.removeRecord('tickets', '1');
    expect(await trigger.poll()).toEqual([]);
  });

  it('any of several is enough, those that the service knows among them', async () => {
    const trigger = await watch('any', DEAR, CLOSED);
    const [dear, , closed] = await sandbox.addRecords('tickets', [
      { Title: 'Dear', State: 'open', Price: '250' },
      { Title: 'Neither', State: 'open', Price: '9' },
      { Title: 'Closed', State: 'closed' },
    ]);
    expect(inWords(await trigger.poll())).toEqual([`created ${dear} (1)`, `created ${closed} (1)`]);
  });

  it('parts that only a condition needs are not in the items', async () => {
    const trigger = watchTickets(sandbox, {
      filters: { condition: [DEAR] },
      options: { partsToReturn: ['Title'], output: 'raw' },
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
