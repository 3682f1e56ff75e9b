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
