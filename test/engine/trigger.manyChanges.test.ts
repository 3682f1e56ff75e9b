import type { Sandbox } from '../support/sandbox';
import { inWords, numbered, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

let sandbox: Sandbox;
useSandbox({ ...TICKETS, records: numbered(15_000) }, (own) => (sandbox = own));

// What a scan of several polls gives: test/unit/trigger/history.test.ts.
test('many changes are read with few requests, and none is missed while records are deleted', async () => {
  const trigger = watchTickets(sandbox);
  await trigger.activate();
  await trigger.poll();
  trigger.calls.length = 0;
  await trigger.poll();
  const unchanged = trigger.calls.length;
  const changed = Array.from({ length: 100 }, (_, each) => String(101 + each * 148));
  for (const id of changed) await sandbox.changeRecord('tickets', id, { Title: 'Changed' });
  trigger.calls.length = 0;
  const polling = trigger.poll();
  for (const id of ['40', '41', '5100', '9000']) await sandbox.removeRecord('tickets', id);
  const items = await polling;
  const reads = trigger.calls.filter(({ action }) => ['list_data', 'get_data'].includes(action));
  expect(reads.length).toBeLessThanOrEqual(unchanged + 25 + 8);
  const words = inWords([...items, ...(await trigger.poll()), ...(await trigger.poll())]);
  expect(words.filter((each) => each.startsWith('updated'))).toHaveLength(100);
  expect(words.filter((each) => each.startsWith('deleted'))).toHaveLength(4);
  expect(words).toHaveLength(104);
});
