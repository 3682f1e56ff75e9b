import type { INodeParameters } from 'n8n-workflow';

import { decodeState } from '../../nodes/ApplicationDataService/trigger/state/stateCodec';
import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import type { TriggerEngine } from '../support/triggerEngine';
import { inWords, numbered, polled, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

/** Each watched part has a hash of its own, or is unknown. */

let sandbox: Sandbox;
useSandbox(TICKETS, (own) => (sandbox = own));

const KEY = 'sandbox-key-tanaka';

async function watch(parameters: INodeParameters, more: INodeParameters = {}): Promise<TriggerEngine> {
  const trigger = watchTickets(sandbox, { ...parameters, ...more });
  expect(await trigger.activate()).toEqual([]);
  return trigger;
}

describe.each([false, true])('with previous values %s', (previousValues) => {
  const watching = (...watchParts: string[]): INodeParameters => ({
    watchParts,
    options: previousValues ? { previousValues: 'updated' } : {},
  });

  it('a right that is withdrawn and given back is no update, and a change meanwhile is one', async () => {
    const rights = (State: string): object => ({
      rights: { tickets: { access: true, read: 'all', parts: { State } } },
    });
    await sandbox.setUser('1002', rights('read') as never);
    const trigger = watchTickets(sandbox, watching('State', 'Price'));
    trigger.credential = { ...trigger.credential, accessKey: KEY };
    await trigger.activate();
    await sandbox.setUser('1002', rights('none') as never);
    await sandbox.changeRecord('tickets', '1', { Title: 'Uno' });
    expect(await polled(trigger, 2)).toEqual([]);
    await sandbox.changeRecord('tickets', '2', { State: 'open' });
    expect(await polled(trigger, 2)).toEqual([]);
    await sandbox.setUser('1002', rights('read') as never);
    expect(await polled(trigger, 2)).toEqual(['updated 2 (1 to 2)']);
    await sandbox.changeRecord('tickets', '1', { State: 'closed' });
    expect(await polled(trigger, 2)).toEqual(['updated 1 (2 to 3)']);
  });

  it('the next change after a record was given with readError is told', async () => {
    const trigger = await watch(watching('State'));
    await sandbox.changeRecord('tickets', '1', { State: 'closed' });
    trigger.between = {
      answer: ({ action, form }) => {
        if (action === 'get_data' && form.get('data_id') === '1') return { statusCode: 500, body: '' };
        return form.get('fields')?.includes('Title') === true ? { statusCode: 500, body: '' } : undefined;
      },
    };
    const items: object[] = [];
    for (let each = 0; each < 10 && items.length === 0; each++) items.push(...(await trigger.poll()));
    expect(items).toMatchObject([{ id: '1', readError: expect.any(String) as string }]);
    trigger.between = {};
    expect(await polled(trigger)).toEqual([]);
    await sandbox.changeRecord('tickets', '1', { State: null });
    expect(await polled(trigger)).toEqual(['updated 1 (2 to 3)']);
  });

  it('a part that is added to the watched ones is unknown, and no new baseline', async () => {
    const trigger = await watch(watching('State'));
    trigger.parameters = { ...trigger.parameters, ...watching('State', 'Price') };
    await sandbox.changeRecord('tickets', '1', { State: 'closed' });
    expect(inWords(await trigger.restart())).toEqual(['updated 1 (1 to 2)']);
    expect(trigger.warnings).toEqual([]);
    await sandbox.changeRecord('tickets', '2', { Price: '5' });
    expect(await polled(trigger)).toEqual(['updated 2 (1 to 2)']);
  });

  it('a part that was renamed minutes ago keeps its value', async () => {
    const { State = '' } = await sandbox.partIds('tickets');
    const trigger = await watch(watching(State));
    await sandbox.changeApplication('tickets', { parts: { State: { name: 'Status' } } });
    await sandbox.changeRecord('tickets', '1', { Status: 'closed' });
    const [item, ...others] = [...(await trigger.poll()), ...(await trigger.poll())];
    expect(others).toEqual([]);
    expect(item).toMatchObject({ id: '1', Status: 'closed' });
    expect(item!.changes).toEqual(previousValues ? { Status: { from: 'open', to: 'closed' } } : undefined);
  });
});

it('a part that was renamed minutes ago is read as what it is in many records, too', async () => {
  await sandbox.addRecords('tickets', numbered(28));
  const trigger = await watch({});
  await sandbox.changeApplication('tickets', { parts: { Price: { name: 'Cost' } } });
  for (let id = 1; id <= 30; id++) await sandbox.changeRecord('tickets', String(id), { Cost: '5' });
  const items = [...(await trigger.poll()), ...(await trigger.poll())];
  expect(items.map(({ Cost }) => Cost)).toEqual(Array.from({ length: 30 }, () => 5));
  expect(trigger.calls.filter(({ action }) => action === 'get_data')).toEqual([]);
});

it('the parts are read again after five minutes', async () => {
  const clock = new FakePollClock();
  const trigger = watchTickets(sandbox, {}, { clock });
  await trigger.activate();
  const reads = async (minutes: number): Promise<number> => {
    clock.leap(minutes * 60_000);
    trigger.calls.length = 0;
    await trigger.poll();
    return trigger.calls.filter(({ action }) => action === 'get_app').length;
  };
  expect([await reads(4), await reads(4), await reads(4)]).toEqual([0, 1, 0]);
});

describe('the fingerprint', () => {
  const filter = (part: string, more: INodeParameters = {}): INodeParameters => ({
    filters: { condition: [{ part, value: '={{ "open" }}', ...more }] },
  });

  it.each([
    [
      'a part by its ID instead of its name',
      filter('Title'),
      (ids: Record<string, string>) => filter(ids.Title!),
    ],
    [
      'keys that are at their defaults',
      filter('Title'),
      () => ({ ...filter('Title', { operator: 'equals', valueType: 'value' }), match: 'all' }),
    ],
    [
      'an empty keyword',
      filter('Title'),
      () => ({ ...filter('Title'), options: { keyword: ' ', keywordParts: [] } }),
    ],
  ])('is the same for %s', async (_, before, after) => {
    const trigger = await watch({}, before);
    trigger.parameters = { ...trigger.parameters, ...after(await sandbox.partIds('tickets')) };
    await trigger.restart();
    expect(trigger.warnings).toEqual([]);
  });

  it.each<[string, INodeParameters]>([
    ['another value', filter('Title', { value: 'Two' })],
    ['Any Condition', { match: 'any' }],
    ['another operator', filter('Title', { operator: 'notEquals' })],
    [
      'a Filter (JSON)',
      { options: { keyword: 'One', filterJson: '{"item":[{"field_id":"1","operator":">","value":"0"}]}' } },
    ],
    ['a keyword', { options: { keyword: 'Uno' } }],
    [
      'parts to search for the keyword',
      { options: { keyword: 'One', keywordParts: ['Title'], partsToReturn: ['State'] } },
    ],
  ])('is another one for %s', async (_, after) => {
    const conditions = [filter('Title'), filter('State')].flatMap(
      ({ filters }) => (filters as { condition: object[] }).condition,
    );
    const before = { match: 'all', filters: { condition: conditions }, options: { keyword: 'One' } };
    const trigger = await watch({}, before as INodeParameters);
    trigger.parameters = { ...trigger.parameters, ...after };
    await trigger.restart();
    expect(trigger.warnings.join()).toContain('The settings of what to watch have changed');
  });
});

describe('values that are no longer wanted', () => {
  it('are in the state of no record after the next poll, and are kept again when they are wanted again', async () => {
    await sandbox.addRecords('tickets', numbered(20));
    const condition = [{ part: 'Price', operator: 'isNull' }];
    const on = { watchParts: ['State', 'Title'], options: { previousValues: 'updated' } };
    const trigger = await watch(on, { filters: { condition } });
    await sandbox.changeRecord('tickets', '5', { Price: '1' });
    expect(await polled(trigger)).toEqual([]);
    const kept = async (): Promise<number> => (await decodeState(trigger.state!))!.records.values.size;
    expect(await kept()).toBe(22);
    trigger.parameters = { ...trigger.parameters, options: {} };
    await trigger.poll();
    expect(await kept()).toBe(22);
    await trigger.restart();
    expect(await kept()).toBe(0);
    trigger.parameters = { ...trigger.parameters, ...on };
    await trigger.restart();
    expect(await kept()).toBe(21);
  });
});
