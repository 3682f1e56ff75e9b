import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import { numbered, REFUSED, TICKETS, watchTickets } from '../support/triggerTickets';
import type { Between, SentCall, TriggerEngine } from '../support/triggerEngine';
import { useSandbox } from './support/useSandbox';

/** What fails or is slow holds up nothing else. */
let sandbox: Sandbox;
useSandbox({ ...TICKETS, records: numbered(400) }, (own) => (sandbox = own));

const isByIds = ({ action, form }: SentCall): boolean =>
  action === 'list_data' && (form.get('filter') ?? '').includes('\\t');
const reads = ({ action, form }: SentCall, isMeant: (id: number) => boolean): boolean =>
  action === 'get_data' && isMeant(Number(form.get('data_id')));
const OPEN = { filters: { condition: [{ part: 'State', operator: 'equals', value: 'open' }] } };

async function watching(parameters: object, clock = new FakePollClock()): Promise<TriggerEngine> {
  const trigger = watchTickets(sandbox, parameters as never, { clock, budgetMs: 36_000, isDurable: true });
  await trigger.activate();
  await trigger.poll();
  return trigger;
}

async function change(first: number, last: number, values: Record<string, string>): Promise<void> {
  for (let id = first; id <= last; id++) await sandbox.changeRecord('tickets', String(id), values);
}

/** The IDs that some polls tell, poll by poll; `failed` for one that fails. */
async function polls(trigger: TriggerEngine, count: number, between: Between): Promise<unknown[]> {
  trigger.between = between;
  const told: unknown[] = [];
  for (let poll = 0; poll < count; poll++)
    told.push(
      await trigger.poll().then(
        (items) => items.map(({ id }) => Number(id)),
        () => 'failed',
      ),
    );
  return told;
}

test.each<[string, Between]>([
  ['slow', { cost: (call) => (isByIds(call) ? 20_000 : 20) }],
  ['failing', { answer: (call) => (isByIds(call) ? { statusCode: 500, body: '' } : undefined) }],
])('lists by ID that are %s: records that left the filter hold up no change', async (_, between) => {
  const trigger = await watching(OPEN);
  await change(1, 10, { State: 'closed' });
  await change(30, 30, { Title: 'x' });
  const told = await polls(trigger, 3, between);
  await change(30, 30, { Title: 'y' });
  expect([...told, ...(await polls(trigger, 3, between))].flat().filter((each) => each === 30)).toHaveLength(
    2,
  );
});

test('hundreds that left the filter are settled piece by piece, however slow the lists of their IDs', async () => {
  const trigger = await watching(OPEN);
  await change(1, 390, { State: 'closed' });
  const between = { cost: (call: SentCall) => (isByIds(call) ? 9000 : 20) };
  await polls(trigger, 12, between);
  await change(395, 395, { Title: 'x' });
  expect((await polls(trigger, 3, between)).flat()).toContain(395);
});

test.each<[string, Between]>([
  ['hangs', { cost: (call) => (reads(call, (id) => id === 401) ? 100_000_000 : 20) }],
  ['refuses', { answer: (call) => (reads(call, (id) => id === 401) ? REFUSED : undefined) }],
])('a new record that %s is told without its values, the others before', async (_, between) => {
  const trigger = await watching({});
  await sandbox.addRecords('tickets', numbered(1));
  await change(5, 5, { Title: 'x' });
  const told = await polls(trigger, 8, between);
  expect(told.flat().sort()).toEqual([401, 5]);
});

test('records that come before many near ones are read singly, the near ones by their part of the list', async () => {
  const trigger = await watching({});
  await change(1, 1, { Title: 'x' });
  await sandbox.addRecords('tickets', numbered(90));
  trigger.calls.length = 0;
  const told = await polls(trigger, 1, { answer: (call) => (isByIds(call) ? REFUSED : undefined) });
  expect(told.flat()).toHaveLength(91);
  expect(trigger.calls.filter(({ action }) => action === 'get_data')).toHaveLength(1);
});

test('more records that fail than may wait hold up none of those that can be read', async () => {
  const trigger = await watching({});
  await change(1, 300, { Title: 'x' });
  const answer = (call: SentCall) =>
    reads(call, (id) => id <= 150) || (call.form.get('fields') ?? '').includes('State') ? REFUSED : undefined;
  const told = (await polls(trigger, 3, { cost: () => 20, answer })).flat();
  expect(told.filter((id) => Number(id) > 150)).toHaveLength(150);
});
