import type { INodeParameters } from 'n8n-workflow';

import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import type { TriggerEngine } from '../support/triggerEngine';
import { inWords, numbered, polled, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

const MINUTE = 60_000;
const QUICK = { updatedPart: '4', fullScanEvery: 600 };

let sandbox: Sandbox;
let clock: FakePollClock;
useSandbox(TICKETS, (own) => (sandbox = own));
beforeEach(async () => {
  clock = new FakePollClock();
  await passes(0);
});

/** Lets time pass for the trigger and for the service. */
async function passes(milliseconds: number): Promise<void> {
  clock.leap(milliseconds);
  await sandbox.setClock(new Date(clock.now()).toISOString());
}

async function watch(options: INodeParameters): Promise<TriggerEngine> {
  const trigger = watchTickets(sandbox, { options }, { clock });
  await trigger.activate();
  await passes(MINUTE);
  return trigger;
}

it.each([
  ['full scans', {}],
  ['quick polls', QUICK],
])(
  'with few records in each poll, by %s, the oldest come first and none waits for another',
  async (_, more) => {
    const trigger = await watch({ ...more, maxRecordsPerPoll: 2 });
    const ids = await sandbox.addRecords('tickets', numbered(9));
    const words: string[] = [];
    for (let polls = 0; polls < 10; polls++) {
      await passes(MINUTE);
      await sandbox.changeRecord('tickets', '1', { Title: `At ${clock.now()}` });
      const some = inWords(await trigger.poll());
      expect(some.length).toBeLessThanOrEqual(2);
      words.push(...some);
    }
    expect(words.filter((each) => each.startsWith('created'))).toEqual(ids.map((id) => `created ${id} (1)`));
    expect(words.some((each) => each.startsWith('updated 1 '))).toBe(true);
  },
);

it('they miss nothing because of a few records that are dated in the future', async () => {
  await sandbox.addRecords('tickets', numbered(200));
  const trigger = await watch(QUICK);
  await sandbox.setClock(new Date(clock.now() + 400 * 24 * 60 * MINUTE).toISOString());
  for (const id of ['5', '6', '7']) await sandbox.changeRecord('tickets', id, { Title: 'From the future' });
  await passes(MINUTE);
  expect(await polled(trigger)).toHaveLength(3);
  await sandbox.changeRecord('tickets', '150', { Title: 'Now' });
  const ids = await sandbox.addRecords('tickets', numbered(150));
  const changes = [...ids.map((id) => `created ${id} (1)`), 'updated 150 (1 to 2)'];
  expect((await polled(trigger, 2)).sort()).toEqual(changes.sort());
});
