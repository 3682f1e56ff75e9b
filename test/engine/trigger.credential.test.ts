import type { INodeParameters } from 'n8n-workflow';

import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import type { TriggerEngine, TriggerOptions } from '../support/triggerEngine';
import { inWords, NOTHING, numbered, polledOn, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

/** Another access key continues what the last one has learned and found. */

let sandbox: Sandbox;
useSandbox({ ...TICKETS, records: numbered(4) }, (own) => (sandbox = own));

const KEY = 'sandbox-key-tanaka';
/** IDs of records that the other key does not see. */
const HIDDEN = ['1', '3'];

/** What the other key may read. */
async function allow(read: string, hidden: readonly string[] = []): Promise<void> {
  const records = Object.fromEntries(hidden.map((id) => [id, { read: false }]));
  await sandbox.setUser('1002', { rights: { tickets: { access: true, read, records } } });
}

beforeEach(async () => await allow('all'));

function watch(parameters: INodeParameters = {}, options: TriggerOptions = {}): TriggerEngine {
  return watchTickets(sandbox, parameters, { clock: new FakePollClock(), ...options });
}

/** @returns the key that was in use. */
function use(trigger: TriggerEngine, accessKey = KEY): string {
  const before = trigger.credential.accessKey as string;
  trigger.credential = { ...trigger.credential, accessKey };
  return before;
}

test('that sees more: the additional records are learned, changes and later creations come', async () => {
  await allow('all', HIDDEN);
  const trigger = watch({}, { isDurable: true });
  const full = use(trigger);
  await trigger.activate();
  await sandbox.changeRecord('tickets', '2', { Title: 'Due' });
  use(trigger, full);
  expect(await polledOn(trigger)).toEqual(['updated 2 (1 to 2)']);
  await sandbox.changeRecord('tickets', '3', { Title: 'Tre' });
  const [id] = await sandbox.addRecords('tickets', numbered(1));
  expect(await polledOn(trigger, 2)).toEqual(['updated 3 (1 to 2)', `created ${id} (1)`]);
});

test('that sees less: hidden records are forgotten with a warning, and not deleted', async () => {
  await allow('all', HIDDEN);
  const trigger = watch({}, { isDurable: true });
  await trigger.activate();
  const full = use(trigger);
  expect(await polledOn(trigger, 2)).toEqual([]);
  expect(trigger.warnings.join()).toContain('2 records are not visible with the current credential');
  await sandbox.removeRecord('tickets', '2');
  expect(await polledOn(trigger)).toEqual(['deleted 2 (1)']);
  use(trigger, full);
  expect(await polledOn(trigger, 2)).toEqual([]);
});

test('that sees more, and is given up before all was learned: what is created later comes', async () => {
  await allow('all', HIDDEN);
  const trigger = watch({ options: { maxRecordsPerPoll: 1 } });
  const full = use(trigger);
  await trigger.activate();
  for (const id of ['2', '4']) await sandbox.changeRecord('tickets', id, { Title: 'Changed' });
  use(trigger, full);
  const items = await polledOn(trigger);
  const [id] = await sandbox.addRecords('tickets', numbered(1));
  use(trigger);
  items.push(...(await polledOn(trigger, 4)));
  expect(items).toEqual(['updated 2 (1 to 2)', 'updated 4 (1 to 2)', `created ${id} (1)`]);
});

test('that sees nothing for a while makes no record new afterwards', async () => {
  await allow('none');
  const trigger = watch();
  await trigger.activate();
  const full = use(trigger);
  expect(await polledOn(trigger, 2)).toEqual([]);
  use(trigger, full);
  const [id] = await sandbox.addRecords('tickets', numbered(1));
  expect(await polledOn(trigger, 2)).toEqual([]);
  await sandbox.changeRecord('tickets', id!, { Title: 'Uno' });
  expect(await polledOn(trigger)).toEqual([`updated ${id} (1 to 2)`]);
});

test.each([0, 1])(
  'learns nothing from one answer "no matching data", after %i other lists',
  async (after) => {
    const trigger = watch();
    await trigger.activate();
    use(trigger);
    let lists = 0;
    trigger.between = {
      answer: ({ action }) => (action === 'list_data' && lists++ === after ? NOTHING : undefined),
    };
    expect(await polledOn(trigger, 4)).toEqual([]);
  },
);

test('is not taken to see more because of records that never met a condition of the node', async () => {
  const filters = { condition: [{ part: 'Price', operator: 'gt', value: '100' }] };
  for (const id of ['1', '2']) await sandbox.changeRecord('tickets', id, { Price: '5' });
  const trigger = watch({ filters, options: { maxRecordsPerPoll: 3 } });
  await trigger.activate();
  const dear = numbered(8).map((values) => ({ ...values, Price: '500' }));
  const added = await sandbox.addRecords('tickets', dear);
  const items = await polledOn(trigger);
  use(trigger);
  expect([...items, ...(await polledOn(trigger, 4))].sort()).toEqual(
    added.map((id) => `created ${id} (1)`).sort(),
  );
});

describe('what was found and is not told yet comes', () => {
  test.each<[string, INodeParameters, number]>([
    ['a backlog of new records', { maxRecordsPerPoll: 10 }, 30],
    ['the rest of the existing records', { maxRecordsPerPoll: 10, startFrom: 'existing' }, 34],
  ])('%s', async (_, options, expected) => {
    const trigger = watch({ options });
    const items = [...(await trigger.activate())];
    await sandbox.addRecords('tickets', numbered(30));
    items.push(...(await trigger.poll()));
    use(trigger);
    for (let polls = 0; polls < 8; polls++) items.push(...(await trigger.poll()));
    expect(new Set(inWords(items)).size).toBe(expected);
    expect(items).toHaveLength(expected);
  });

  test('new records that quick polls found in another order than that of the IDs', async () => {
    const clock = new FakePollClock();
    const passes = async (): Promise<void> => {
      clock.leap(60_000);
      await sandbox.setClock(new Date(clock.now()).toISOString());
    };
    const trigger = watch({ options: { updatedPart: '4', maxRecordsPerPoll: 3 } }, { clock });
    await trigger.activate();
    await passes();
    const added = await sandbox.addRecords('tickets', numbered(6));
    await passes();
    for (const id of added.slice(0, 3)) await sandbox.changeRecord('tickets', id, { Title: 'Later' });
    const items = await polledOn(trigger);
    use(trigger);
    items.push(...(await polledOn(trigger, 3)));
    expect(items.map((words) => Number(words.split(' ')[1])).sort((one, other) => one - other)).toEqual(
      added.map(Number),
    );
  });

  test('records that wait', async () => {
    const trigger = watch();
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    const [id] = await sandbox.addRecords('tickets', numbered(1));
    trigger.between = {
      answer: ({ action, form }) =>
        action === 'get_data' && ['1', id].includes(form.get('data_id')!)
          ? { statusCode: 500, body: '' }
          : undefined,
    };
    expect(await polledOn(trigger)).toEqual([]);
    trigger.between = {};
    use(trigger);
    expect((await polledOn(trigger, 2)).sort()).toEqual([`created ${id} (1)`, 'updated 1 (1 to 2)']);
  });
});

test('leaves at most 16 bits of its hash in the state', async () => {
  const trigger = watch();
  await trigger.activate();
  expect(trigger.state).toMatch(/"credential":"1:[0-9a-f]{1,4}"/);
  expect(trigger.state).not.toContain(trigger.credential.accessKey);
});
