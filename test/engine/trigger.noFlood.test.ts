import type { INodeParameters } from 'n8n-workflow';

import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import type { Between, SentCall, TriggerEngine, TriggerOptions } from '../support/triggerEngine';
import { inWords, numbered, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

/** What must neither start the workflow for records that nobody touched, nor stop the trigger for good. */

let sandbox: Sandbox;
useSandbox({ ...TICKETS, records: numbered(30) }, (own) => (sandbox = own));

const NOTHING = { statusCode: 200, body: { status: 'ng', errorno: -110, errormessage: 'W:No data [W110]' } };
const REFUSED = { statusCode: 200, body: { status: 'ng', errorno: -1, errormessage: 'W:No [W1]' } };

function watch(parameters: INodeParameters = {}, options: TriggerOptions = {}): TriggerEngine {
  return watchTickets(sandbox, parameters, { clock: new FakePollClock(), ...options });
}

/** Polls several times. @returns short texts of the changes; a poll that fails adds none. */
async function polled(trigger: TriggerEngine, polls = 1): Promise<string[]> {
  const items: object[] = [];
  for (let each = 0; each < polls; each++) items.push(...(await trigger.poll().catch(() => [])));
  return inWords(items);
}

/** Answers one list with "no matching data", after so many others. */
function oneEmptyList(after: number): Between {
  let lists = 0;
  return { answer: ({ action }) => (action === 'list_data' && lists++ === after ? NOTHING : undefined) };
}

describe('one answer "no matching data"', () => {
  test.each([0, 1, 2])('while the first scan learns the records, after %i other lists', async (after) => {
    const trigger = watch();
    trigger.between = oneEmptyList(after);
    await trigger.activate();
    const [id] = [await polled(trigger, 2), (await sandbox.addRecords('tickets', numbered(1)))[0]].slice(1);
    expect(await polled(trigger, 3)).toEqual([`created ${String(id)} (1)`]);
  });

  test('later on', async () => {
    const trigger = watch();
    await trigger.activate();
    trigger.between = oneEmptyList(0);
    expect(await polled(trigger, 3)).toEqual([]);
  });
});

describe('where a keyword is searched', () => {
  const options = { keyword: 'open', keywordParts: ['Title'], partsToReturn: ['Title'] };

  test.each<[string, INodeParameters]>([
    ['other Parts to Return', { options: { ...options, partsToReturn: ['Title', 'State'] } }],
    ['another watched part', { watchParts: ['State'] }],
  ])('%s are a new baseline, without a word', async (_, after) => {
    await sandbox.addRecords('tickets', [{ Title: 'open door' }]);
    const trigger = watch({ options });
    await trigger.activate();
    trigger.parameters = { ...trigger.parameters, ...after };
    expect(await trigger.restart()).toEqual([]);
    expect(await polled(trigger, 2)).toEqual([]);
  });
});

test.each<[string, INodeParameters]>([
  ['keyword', { keyword: '={{ " " }}' }],
  ['filterJson', { filterJson: '={{ "{}" }}' }],
  ['filterJson', { filterJson: '={{ ({ item: [] }) }}' }],
])('an expression for %s that gives nothing one day is an error', async (name, options) => {
  await expect(watch({ options }).activate()).rejects.toThrow(`"${name}" is empty`);
});

test('an application that was made again under the same identifier is learned anew', async () => {
  const trigger = watch({}, { isDurable: true });
  await trigger.activate();
  const gone = (await sandbox.call('get_app', { app_id: '@tickets' })).id;
  await sandbox.reset();
  // The sandbox gives its ID again, which a service does not.
  await sandbox.createApplication({ ...TICKETS, name: 'Other', identifier: 'other' });
  trigger.between = { answer: ({ form }) => (form.get('app_id') === gone ? REFUSED : undefined) };
  await sandbox.createApplication({ ...TICKETS, records: numbered(20) });
  expect(await polled(trigger, 3)).toEqual([]);
  const [added] = await sandbox.addRecords('tickets', numbered(1));
  expect(await polled(trigger, 2)).toEqual([`created ${added} (1)`]);
});

test.each(['startsWith', 'equals'])(
  'a condition (%s) on a part whose source was under maintenance at first',
  async (operator) => {
    const source = await sandbox.createApplication({
      name: 'Source',
      identifier: 'source',
      parts: [
        { name: 'Key', type: 'textbox' },
        { name: 'Town', type: 'textbox' },
      ],
      records: [{ Key: 'k', Town: 'Kyoto' }],
    });
    await sandbox.createApplication({
      name: 'Linked',
      identifier: 'linked',
      parts: [
        { name: 'Link', type: 'textbox' },
        {
          name: 'Town',
          type: 'reference',
          reference: { application: source.id, key: 'Link', match: 'Key', part: 'Town' },
        },
      ],
      records: Array.from({ length: 20 }, () => ({ Link: 'k' })),
    });
    await sandbox.changeApplication('source', { status: 'maintenance' });
    const filters = {
      condition: [{ part: 'Town', operator, value: operator === 'equals' ? 'Kyoto' : 'Ky' }],
    };
    const trigger = watch({ application: { __rl: true, mode: 'identifier', value: 'linked' }, filters });
    await trigger.activate();
    await sandbox.changeApplication('source', { status: 'running' });
    await sandbox.changeRecord('linked', '3', { Link: '' });
    await sandbox.changeRecord('linked', '3', { Link: 'k' });
    expect(await polled(trigger, 2)).toEqual(['updated 3 (1 to 3)']);
  },
);

describe('n8n starts, and the first poll fails', () => {
  const page = { statusCode: 404, body: '<html>Not found</html>' };

  test.each<[string, (sandbox: Sandbox) => Promise<unknown>, Between]>([
    [
      'the application is stopped',
      async (own) => await own.changeApplication('tickets', { status: 'stopped' }),
      {},
    ],
    ['a proxy answers with a page of its own', async () => await Promise.resolve(), { answer: () => page }],
    ['the service refuses everything', async () => await Promise.resolve(), { answer: () => REFUSED }],
  ])('because %s: the next poll goes on', async (_, before, between) => {
    const trigger = watch();
    await trigger.activate();
    await before(sandbox);
    trigger.between = between;
    expect(await trigger.restart()).toEqual([]);
    expect(trigger.warnings.join()).toContain('The first poll is postponed');
    await expect(trigger.poll()).rejects.toThrow();
    trigger.between = {};
    await sandbox.changeApplication('tickets', { status: 'running' });
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    expect(await polled(trigger, 2)).toEqual(['updated 1 (1 to 2)']);
  });

  test('for a person who activates it, a refusal is an error', async () => {
    const trigger = watch();
    trigger.between = { answer: () => REFUSED };
    await expect(trigger.activate()).rejects.toThrow('cannot be read');
  });
});

/** For a little longer than n8n allows for a poll. */
test.each([
  [{}, 299_000],
  [{ isDurable: true }, 35_900],
])('a credential store that hangs once stops only that poll: %j', async (options, hangsMs) => {
  const clock = new FakePollClock();
  const trigger = watch({}, { ...options, clock });
  await trigger.activate();
  await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
  const { state } = trigger;
  trigger.between = { credentials: async () => await clock.sleep(hangsMs) };
  await expect(trigger.poll()).rejects.toThrow('within the time limit of the poll');
  expect(trigger.state).toBe(state);
  trigger.between = {};
  expect(await polled(trigger)).toEqual(['updated 1 (1 to 2)']);
});

/** HTTP 500 for single reads of these records. */
function failing(
  ...ids: readonly string[]
): (call: SentCall) => { statusCode: number; body: unknown } | undefined {
  return ({ action, form }) =>
    action === 'get_data' && ids.includes(form.get('data_id')!) ? { statusCode: 500, body: '' } : undefined;
}

describe('a record that waits', () => {
  const filters = { condition: [{ part: 'State', operator: 'equals', value: 'open' }] };

  test.each([{}, { equalsMisses: '1' }])('is not told once it has left the filter: %j', async (dialect) => {
    const trigger = watch({ filters });
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    trigger.between = { answer: failing('1') };
    expect(await polled(trigger)).toEqual([]);
    trigger.between = {};
    await sandbox.setDialect(dialect);
    await sandbox.changeRecord('tickets', '1', { State: 'closed' });
    expect(await polled(trigger, 3)).toEqual([]);
    await sandbox.changeRecord('tickets', '1', { State: 'open' });
    expect(await polled(trigger, 2)).toEqual(['updated 1 (1 to 4)']);
  });

  test('waits no longer once it has left the filter, also where the filter cannot be asked for its ID', async () => {
    await sandbox.setDialect({ equalsMisses: '1' });
    const trigger = watch({ filters });
    await trigger.activate();
    const [id] = await sandbox.addRecords('tickets', numbered(1));
    trigger.between = { answer: failing('1', id!) };
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    expect(await polled(trigger)).toEqual([]);
    expect(trigger.state).toContain('"waits":[["1",');
    trigger.between = {};
    for (const each of ['1', id!]) await sandbox.changeRecord('tickets', each, { State: 'closed' });
    expect(await polled(trigger)).toEqual([]);
    expect(trigger.state).toContain('"waits":[]');
  });

  test('is given in part after three polls in which another record could be read', async () => {
    const trigger = watch();
    await trigger.activate();
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    await sandbox.changeRecord('tickets', '2', { Title: 'Due' });
    trigger.between = { answer: failing('1') };
    expect(await polled(trigger, 2)).toEqual(['updated 2 (1 to 2)']);
    // Polls in which no record can be read do not count.
    trigger.between = {
      answer: ({ action }) => (action === 'get_data' ? { statusCode: 500, body: '' } : undefined),
    };
    expect(await polled(trigger, 3)).toEqual([]);
    trigger.between = { answer: failing('1') };
    expect(await trigger.poll()).toMatchObject([
      {
        event: 'updated',
        id: '1',
        revision: 2,
        previousRevision: 1,
        readError: expect.any(String) as string,
      },
    ]);
    expect(await polled(trigger, 2)).toEqual([]);
  });
});

test('a service that refuses lists of whole records holds up none of many new ones', async () => {
  const trigger = watch();
  await trigger.activate();
  const added = await sandbox.addRecords('tickets', numbered(25));
  trigger.between = {
    answer: ({ form }) => (form.get('fields')?.includes('State') === true ? REFUSED : undefined),
  };
  expect(await polled(trigger, 2)).toEqual(added.map((id) => `created ${id} (1)`));
});

test('where an application was emptied while a record waited, its deletions come', async () => {
  const trigger = watch();
  await trigger.activate();
  await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
  trigger.between = { answer: failing('1') };
  expect(await polled(trigger)).toEqual([]);
  trigger.between = {};
  for (let id = 1; id <= 30; id++) await sandbox.removeRecord('tickets', String(id));
  expect(await polled(trigger, 2)).toHaveLength(30);
});

/** Answers all lists with this one, its records altered. */
function listing(list: object, alter: (record: Record<string, unknown>) => object): Between {
  const { list: page, ...rest } = list as { list: { item: Record<string, unknown>[] } };
  const body = JSON.parse(JSON.stringify({ ...rest, list: { item: page.item.map(alter) } })) as object;
  return { answer: ({ action }) => (action === 'list_data' ? { statusCode: 200, body } : undefined) };
}

describe('lists that say less than a record', () => {
  const list = async (): Promise<object> => await sandbox.call('list_data', { app_id: '@tickets' });

  test('a watched part that they leave out is refused by name', async () => {
    const trigger = watch({ watchParts: ['Price'] });
    trigger.between = listing(await list(), (record) => ({ ...record, Price: undefined }));
    await expect(trigger.activate()).rejects.toThrow(
      /^Part "Price" .*cannot be watched: the service leaves it out/,
    );
  });

  test('one record without a revision holds up no other, and is read instead', async () => {
    const trigger = watch();
    await trigger.activate();
    await sandbox.changeRecord('tickets', '2', { Title: 'Due' });
    await sandbox.changeRecord('tickets', '3', { Title: 'Tre' });
    const isSecond = ({ ID }: Record<string, unknown>): boolean => (ID as { val: string }).val === '2';
    trigger.between = listing(await list(), (record) =>
      isSecond(record) ? { ...record, revision: undefined } : record,
    );
    expect(await polled(trigger)).toEqual(['updated 2 (1 to 2)', 'updated 3 (1 to 2)']);
    expect(await polled(trigger, 2)).toEqual([]);
  });

  test('that are not in the order of their IDs are an error', async () => {
    const trigger = watch();
    await trigger.activate();
    const { list: page, ...rest } = (await list()) as { list: { item: unknown[] } };
    const body = { ...rest, list: { item: [...page.item].reverse() } };
    trigger.between = {
      answer: ({ action }) => (action === 'list_data' ? { statusCode: 200, body } : undefined),
    };
    await expect(trigger.poll()).rejects.toThrow('does not list the records in the order of their IDs');
  });
});

test('records outside the filter that were deleted are forgotten', async () => {
  const clock = new FakePollClock();
  const filters = { condition: [{ part: 'State', operator: 'equals', value: 'open' }] };
  const trigger = watch({ filters }, { clock });
  await trigger.activate();
  for (const id of ['1', '2', '3']) await sandbox.changeRecord('tickets', id, { State: 'closed' });
  expect(await polled(trigger)).toEqual([]);
  for (const id of ['1', '2']) await sandbox.removeRecord('tickets', id);
  clock.leap(3_600_000);
  expect(await polled(trigger, 2)).toEqual([]);
  const { decodeState } = await import('../../nodes/ApplicationDataService/trigger/state/stateCodec');
  expect((await decodeState(trigger.state!))?.records.outside()).toEqual(['3']);
});

test('a deleted part that is watched is named, and where to take it out', async () => {
  await expect(watch({ watchParts: ['999'] }).activate()).rejects.toMatchObject({
    message: 'There is no part "999", but it is watched',
    description: expect.stringContaining('Take it out of Only When These Parts Change') as string,
  });
});

test('an example with Previous Values has changes', async () => {
  const [first] = await watch({ watchParts: ['State'], options: { previousValues: 'updated' } }).manual();
  expect(first).toMatchObject({
    event: 'updated',
    changes: { State: { from: 'open', to: 'open' } },
    sample: true,
  });
});
