import type { INodeParameters } from 'n8n-workflow';

import { FakePollClock } from '../support/fakePollClock';
import type { Sandbox } from '../support/sandbox';
import type { Between, TriggerEngine, TriggerOptions } from '../support/triggerEngine';
import { NOTHING, numbered, polledOn, REFUSED, TICKETS, watchTickets } from '../support/triggerTickets';
import { useSandbox } from './support/useSandbox';

/** What must not start the workflow for records that nobody touched. */

let sandbox: Sandbox;
useSandbox({ ...TICKETS, records: numbered(30) }, (own) => (sandbox = own));

function watch(parameters: INodeParameters = {}, options: TriggerOptions = {}): TriggerEngine {
  return watchTickets(sandbox, parameters, { clock: new FakePollClock(), ...options });
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
    const [id] = [await polledOn(trigger, 2), (await sandbox.addRecords('tickets', numbered(1)))[0]].slice(1);
    expect(await polledOn(trigger, 3)).toEqual([`created ${String(id)} (1)`]);
  });

  test('later on', async () => {
    const trigger = watch();
    await trigger.activate();
    trigger.between = oneEmptyList(0);
    expect(await polledOn(trigger, 3)).toEqual([]);
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
    expect(await polledOn(trigger, 2)).toEqual([]);
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
  expect(await polledOn(trigger, 3)).toEqual([]);
  const [added] = await sandbox.addRecords('tickets', numbered(1));
  expect(await polledOn(trigger, 2)).toEqual([`created ${added} (1)`]);
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
    expect(await polledOn(trigger, 2)).toEqual(['updated 3 (1 to 3)']);
  },
);
