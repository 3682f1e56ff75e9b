import type { INodeParameters } from 'n8n-workflow';

import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import type { Between, TriggerEngine } from '../support/triggerEngine';
import { numbered, polled, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

/** Lists that are odd, fail, or say less than a record. */

let sandbox: Sandbox;
useSandbox(TICKETS, (own) => (sandbox = own));

function watch(options: INodeParameters = {}, clock = new FakePollClock()): TriggerEngine {
  return watchTickets(sandbox, { options }, { clock });
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

it('a filter that moves on from a thousand records costs no read for each', async () => {
  await sandbox.addRecords('tickets', numbered(1000));
  const condition = [{ part: 'State', operator: 'equals', value: 'open', valueType: 'value' }];
  const trigger = watchTickets(sandbox, { filters: { condition } });
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

/** Answers all lists with this one, its records altered. */
function listing(list: object, alter: (record: Record<string, unknown>) => object): Between {
  const { list: page, ...rest } = list as { list: { item: Record<string, unknown>[] } };
  const body = JSON.parse(JSON.stringify({ ...rest, list: { item: page.item.map(alter) } })) as object;
  return { answer: ({ action }) => (action === 'list_data' ? { statusCode: 200, body } : undefined) };
}

describe('lists that say less than a record', () => {
  const list = async (): Promise<object> => await sandbox.call('list_data', { app_id: '@tickets' });

  beforeEach(async () => void (await sandbox.addRecords('tickets', numbered(1))));

  test('a watched part that they leave out is refused by name', async () => {
    const trigger = watchTickets(sandbox, { watchParts: ['Price'] });
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
