import type { INodeParameters } from 'n8n-workflow';

import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import type { TriggerEngine } from '../support/triggerEngine';
import { inWords, numbered, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

/** What a poll learns about a service must not outlast it. */

let sandbox: Sandbox;
let most = Infinity;
/** Which pages come in the wrong order. */
let turnsRound: 'none' | 'later' | 'ascending' = 'none';

jest.mock('../../nodes/ApplicationDataService/service/read/recordList', () => {
  interface Slice {
    readonly offset: number;
    readonly limit: number;
  }
  interface Query {
    readonly sort?: { readonly order: string };
  }
  const actual: { listParts: (...given: [unknown, Query, Slice]) => Promise<unknown[]> } = jest.requireActual(
    '../../nodes/ApplicationDataService/service/read/recordList',
  );
  return {
    ...actual,
    listParts: async (app: unknown, query: Query, slice: Slice) => {
      const page = await actual.listParts(app, query, { ...slice, limit: Math.min(slice.limit, most) });
      const isWrong =
        turnsRound === 'later' ? slice.offset > 0 : turnsRound !== 'none' && query.sort?.order !== 'desc';
      return isWrong ? page.reverse() : page;
    },
  };
});

useSandbox(TICKETS, (own) => (sandbox = own));
beforeEach(() => {
  most = Infinity;
  turnsRound = 'none';
});

function watch(options: INodeParameters = {}, clock = new FakePollClock()): TriggerEngine {
  return watchTickets(sandbox, { options }, { clock });
}

/** Polls so often. @returns short texts of the changes. */
async function polled(trigger: TriggerEngine, polls: number): Promise<string[]> {
  const items: object[] = [];
  for (let each = 0; each < polls; each++) items.push(...(await trigger.poll()));
  return inWords(items);
}

it.each([20, 30, 120])(
  'a service that returns at most %i records at once hides none of those that are added, by full and by quick polls',
  async (limit) => {
    most = limit;
    await sandbox.addRecords('tickets', numbered(limit - 2));
    const full = watch();
    const quick = watch({ updatedPart: '4', fullScanEvery: 600 });
    for (const each of [full, quick]) expect(await each.activate()).toEqual([]);
    await polled(full, 3);
    for (let round = 0; round < 3; round++) {
      const ids = await sandbox.addRecords('tickets', numbered(1));
      expect(await polled(full, 10)).toEqual(ids.map((id) => `created ${id} (1)`));
    }
    const ids = await sandbox.addRecords('tickets', numbered(2 * limit));
    const expected = [...Array(3).keys()].map((each) => `created ${limit + 1 + each} (1)`);
    expect((await polled(quick, 1)).sort()).toEqual(
      [...expected, ...ids.map((id) => `created ${id} (1)`)].sort(),
    );
    expect(await polled(quick, 3)).toEqual([]);
  },
  60_000,
);

it.each(['steps', 'is suspended'])(
  'a clock that %s while a page is read slows down no later poll',
  async (how) => {
    const clock = new FakePollClock();
    await sandbox.addRecords('tickets', numbered(298));
    const trigger = watch({}, clock);
    await trigger.activate();
    let pages = 0;
    trigger.between = {
      cost: ({ action }) => {
        if (action !== 'list_data' || pages++ > 0) return 20;
        if (how === 'steps') clock.step(6 * 3_600_000);
        return how === 'steps' ? 20 : 6 * 3_600_000;
      },
    };
    await sandbox.changeRecord('tickets', '1', { Title: 'Changed' });
    await trigger.poll().catch(() => []);
    for (let id = 1; id <= 300; id++) await sandbox.changeRecord('tickets', String(id), { State: 'closed' });
    const calls = trigger.calls.length;
    expect(await polled(trigger, 2)).toHaveLength(300);
    expect(trigger.calls.length - calls).toBeLessThanOrEqual(8);
  },
);

it.each([
  ['503', { statusCode: 503, body: '' }, 6],
  ['500', { statusCode: 500, body: '' }, 12],
])(
  'a service that answers %s for good fails a poll after the tries of one call, or of two',
  async (_, answer, calls) => {
    const trigger = watch();
    await trigger.activate();
    trigger.calls.length = 0;
    trigger.between = { answer: () => answer };
    await expect(trigger.poll()).rejects.toThrow();
    expect(trigger.calls.length).toBeLessThanOrEqual(calls);
    expect(
      new Set(
        trigger.calls.filter(({ action }) => action === 'list_data').map(({ form }) => form.get('limit')),
      ).size,
    ).toBe(1);
  },
);

it('a record that always answers 503 is given from the list', async () => {
  const trigger = watch();
  await trigger.activate();
  await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
  await sandbox.changeRecord('tickets', '2', { Title: 'Dos' });
  trigger.between = {
    answer: ({ action, form }) =>
      action === 'get_data' && form.get('data_id') === '1' ? { statusCode: 503, body: '' } : undefined,
  };
  expect(await polled(trigger, 1)).toEqual(['updated 1 (1 to 2)', 'updated 2 (1 to 2)']);
});

it('a service that returns the same page whatever the offset is not asked without end', async () => {
  const trigger = watch();
  await trigger.activate();
  const page = await sandbox.call('list_data', { app_id: '@tickets', limit: '2' });
  most = 2;
  trigger.between = {
    answer: ({ action }) => (action === 'list_data' ? { statusCode: 200, body: page } : undefined),
  };
  await sandbox.addRecords('tickets', numbered(3));
  trigger.calls.length = 0;
  await trigger.poll().catch(() => []);
  expect(trigger.calls.length).toBeLessThan(30);
});

it('a list that is out of order where a scan goes on hides no change', async () => {
  most = 20;
  await sandbox.addRecords('tickets', numbered(58));
  const trigger = watch();
  expect(await trigger.activate()).toEqual([]);
  expect(await polled(trigger, 3)).toEqual([]);
  await sandbox.changeRecord('tickets', '50', { State: 'closed' });
  trigger.between = { cost: ({ action }) => (action === 'list_data' ? 100_000 : 0) };
  expect(await polled(trigger, 1)).toEqual([]);
  trigger.between = {};
  turnsRound = 'later';
  expect(await polled(trigger, 1)).toEqual(['updated 50 (1 to 2)']);
});

it.each([
  [{}, [expect.stringMatching(/^Record IDs are not in ascending order: records created during the first/)]],
  [{ startFrom: 'existing' }, []],
])('a first scan in the wrong order says what it cannot tell, with the options %j', async (options, said) => {
  most = 4;
  turnsRound = 'ascending';
  await sandbox.addRecords('tickets', numbered(8));
  const trigger = watch(options);
  const existing = [...(await trigger.activate()), ...(await polled(trigger, 3))];
  expect(existing).toHaveLength('startFrom' in options ? 10 : 0);
  expect(trigger.warnings).toEqual(said);
});

it('one list out of order does not keep a later poll from scanning in slices', async () => {
  await sandbox.addRecords('tickets', numbered(8));
  const trigger = watch();
  await trigger.activate();
  const page = (await sandbox.call('list_data', { app_id: '@tickets' })) as { list: { item: unknown[] } };
  let lists = 0;
  trigger.between = {
    answer: ({ action }) => {
      if (action !== 'list_data' || lists++ > 0) return undefined;
      return { statusCode: 200, body: { ...page, list: { item: [...page.list.item].reverse() } } };
    },
  };
  const [id] = await sandbox.addRecords('tickets', numbered(1));
  expect(await polled(trigger, 1)).toEqual([`created ${id} (1)`]);
  // It says so only where records of the first scan cannot be told from older ones.
  expect(trigger.warnings).toEqual([]);
  expect(trigger.state).not.toMatch(/order/i);
  trigger.calls.length = 0;
  expect(await polled(trigger, 1)).toEqual([]);
  expect(trigger.calls.filter(({ action }) => action === 'list_data').length).toBeLessThanOrEqual(2);
});

it('a filter that moves on from a thousand records costs no read for each', async () => {
  await sandbox.addRecords('tickets', numbered(1000));
  const condition = [{ part: 'State', operator: 'equals', value: 'open', valueType: 'value' }];
  const trigger = watchTickets(sandbox, { filters: { condition } }, { clock: new FakePollClock() });
  await trigger.activate();
  const moved = [{ ...condition[0], value: '={{ "closed" }}' }];
  expect(moved).toHaveLength(1);
  trigger.between = {
    answer: ({ action, form }) =>
      action === 'list_data' &&
      form.get('filter')?.includes('open') === true &&
      !form.get('filter')!.includes('\\t')
        ? { statusCode: 200, body: { status: 'ok', list: { item: [] } } }
        : undefined,
  };
  expect(await polled(trigger, 1)).toEqual([]);
  trigger.calls.length = 0;
  expect(await polled(trigger, 2)).toEqual([]);
  expect(trigger.calls.filter(({ action }) => action === 'get_data').length).toBeLessThan(30);
  expect(trigger.calls.length).toBeLessThan(40);
});

it('IDs that are no numbers fail the poll, which names the ID', async () => {
  const trigger = watch();
  await trigger.activate();
  const list = JSON.stringify(await sandbox.call('list_data', { app_id: '@tickets' }));
  const body = JSON.parse(list.replaceAll('"val":"2"', '"val":"A-2"')) as object;
  trigger.between = {
    answer: ({ action }) => (action === 'list_data' ? { statusCode: 200, body } : undefined),
  };
  await expect(trigger.poll()).rejects.toThrow('The record ID "A-2" is not a whole number');
});
