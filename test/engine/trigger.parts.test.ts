import type { INodeParameters } from 'n8n-workflow';

import { decodeState } from '../../nodes/ApplicationDataService/trigger/state/stateCodec';
import { numbered, TICKETS, upTo } from '../support/triggerTickets';
import { anyText } from './support/like';
import { each, testStories, useDesk } from './support/story';
import { answers, change, itself, limited, passes, reset, rights, set, type Step } from './support/storyActs';
import { gives, poll, polls, restart, sent, warned } from './support/storyPolls';
import { BROKEN, isRead } from './support/triggerCalls';

/** Each watched part has a hash of its own, or is unknown. */
const desk = useDesk();

const may = (State: string) => rights({ parts: { State } });
const noReads = answers((call) =>
  isRead(call, '1') || call.form.get('fields')?.includes('Title') === true ? BROKEN : undefined,
);

describe.each([false, true])('with previous values %s', (previousValues) => {
  const options: INodeParameters = previousValues ? { previousValues: 'updated' } : {};
  const watching = (...watchParts: string[]) => ({ parameters: { watchParts }, options });
  testStories(desk, {
    'a right that is withdrawn and given back is no update, and a change meanwhile is one': {
      ...{ before: [may('read'), limited], ...watching('State', 'Price') },
      steps: [
        [may('none'), set('1', { Title: 'Uno' }), polls(2), set('2', { State: 'open' }), polls(2)],
        [may('read'), polls(2, 'updated 2 (1 to 2)')],
        [set('1', { State: 'closed' }), polls(2, 'updated 1 (2 to 3)')],
      ],
    },
    'the next change of a watched part after a record was given with readError is told, and no other': {
      ...watching('State'),
      steps: [
        [set('1', { State: 'closed' }), noReads, polls(2)],
        [gives({ id: '1', readError: anyText }), itself],
        [set('1', { Title: 'Uno' }), polls(2)],
        [set('1', { State: null }), poll('updated 1 (3 to 4)')],
      ],
    },
    'a part that is added to the watched ones is unknown, and no new baseline': {
      ...watching('State'),
      steps: [
        [set('1', { State: 'closed' }), restart({ watchParts: ['State', 'Price'] }, 'updated 1 (1 to 2)')],
        [warned(null), set('2', { Price: '5' }), poll('updated 2 (1 to 2)')],
      ],
    },
    'the order in which parts were chosen does not matter': {
      ...watching('State', 'Price'),
      steps: [
        [restart({ watchParts: ['Price', 'State'] }), set('1', { Title: 'Uno' }), polls(2), warned(null)],
        [set('2', { Price: '5' }), poll('updated 2 (1 to 2)')],
      ],
    },
    'a part that was renamed minutes ago keeps its value': {
      first: null,
      options,
      steps: [
        async (at) => {
          const { State = '' } = await at.sandbox.partIds('tickets');
          await reset({ watchParts: [State] })(at);
          await at.trigger.activate();
        },
        [change({ parts: { State: { name: 'Status' } } }), set('1', { Status: 'closed' })],
        async ({ trigger }) => {
          const items = [...(await trigger.poll()), ...(await trigger.poll())];
          const changes = previousValues ? { Status: { from: 'open', to: 'closed' } } : undefined;
          expect(items).toMatchObject([{ id: '1', Status: 'closed' }]);
          expect(items[0]!.changes).toEqual(changes);
        },
      ],
    },
  });
});

const condition = (part: string, more: INodeParameters = {}): INodeParameters => ({
  part,
  value: '={{ "open" }}',
  ...more,
});
const by = (...conditions: INodeParameters[]): INodeParameters => ({ filters: { condition: conditions } });
const title = condition('Title');
const filterJson = '{"item":[{"field_id":"1","operator":">","value":"0"}]}';
/** How many records have values in the state. */
const kept =
  (count: number): Step =>
  async ({ trigger }) =>
    expect((await decodeState(trigger.state!))!.records.values.size).toBe(count);
const on: INodeParameters = { watchParts: ['State', 'Title'], options: { previousValues: 'updated' } };

const SCAN = [{ name: 'scan.txt', mimeType: 'text/plain', text: 'scanned' }];
const ADDED = [
  { name: 'Cost', type: 'number' },
  { name: 'Tags', type: 'checkbox', options: ['a', 'b'] },
  { name: 'Scan', type: 'files' },
];
const LINES = { name: 'Lines', type: 'input_list', children: [{ name: 'Item', type: 'textbox' }] };

testStories(desk, {
  'a part that was renamed minutes ago is read as what it is in many records, too': {
    application: { records: numbered(30) },
    steps: [
      [change({ parts: { Price: { name: 'Cost' } } }), set(upTo(1, 30), { Cost: '5' }), sent({})],
      async ({ trigger }) => {
        const items = [...(await trigger.poll()), ...(await trigger.poll())];
        expect(items.map(({ Cost }) => Cost)).toEqual(Array.from({ length: 30 }, () => 5));
      },
      sent({ get_data: 0 }),
    ],
  },
  ...each([1, 4, 30])('a part added minutes ago is read as what it is in %s changed records', (count) => ({
    ...{ application: { records: numbered(30) }, options: { downloadAttachments: true } },
    steps: [
      [
        change({ addParts: ADDED }),
        set(upTo(1, count), { Cost: '5', Tags: ['a', 'b'], Scan: SCAN }),
        sent({}),
      ],
      async ({ trigger }) => {
        const items = await trigger.pollItems();
        expect(
          items.map(({ json: { Cost, Tags }, binary }) => [Cost, Tags, binary?.attachment_0?.fileName]),
        ).toEqual(Array.from({ length: count }, () => [5, ['a', 'b'], 'scan.txt']));
      },
      sent({ get_app: 1 + 1 }),
    ],
  })),
  'a column of a watched table part that was renamed minutes ago is no change; what is written under it is one':
    {
      application: { parts: [...TICKETS.parts, LINES], records: [{ Lines: [{ Item: 'Bolt' }] }] },
      parameters: { watchParts: ['Lines'] },
      steps: [
        [change({ parts: { Item: { name: 'Thing' } } }), set('1', { Title: 'Uno' }), poll()],
        [change({ parts: { Thing: { name: 'What' } } }), set('1', { Lines: [{ What: 'Nut' }] })],
        poll('updated 1 (2 to 3)'),
      ],
    },
  'the parts are read again after five minutes': [
    sent({}),
    ...[0, 1, 0].flatMap((count) => [passes(240_000), poll(), sent({ get_app: count })]),
  ],
  ...each([
    ['a part by its ID instead of its name', (id: string) => by(condition(id))],
    [
      'keys that are at their defaults',
      () => ({ ...by({ ...title, operator: 'equals', valueType: 'value' }), match: 'all' }),
    ],
    ['Any Condition of only one', () => ({ ...by(title), match: 'any' })],
    ['an empty keyword', () => ({ ...by(title), options: { keyword: ' ', keywordParts: [] } })],
  ])('the fingerprint is the same for %s', ([, after]) => ({
    where: [title],
    steps: [
      async (at) => await restart(after((await at.sandbox.partIds('tickets')).Title!))(at),
      warned(null),
    ],
  })),
  ...each([
    by(condition('Title', { value: 'Two' }), condition('State')),
    by(title),
    { match: 'any' },
    by(condition('Title', { operator: 'notEquals' }), condition('State')),
    { options: { keyword: 'One', filterJson } },
    { options: { keyword: 'Uno' } },
    { options: { keyword: 'One', keywordParts: ['Title'], partsToReturn: ['State'] } },
  ] as INodeParameters[])('the fingerprint is another one for %s', (after) => ({
    ...{ where: [title, condition('State')], options: { keyword: 'One' }, parameters: { match: 'all' } },
    steps: [restart(after), warned(/The settings of what to watch have changed/)],
  })),
  'values that are no longer wanted leave the state, and are kept again when they are wanted again': {
    ...{ application: { records: numbered(22) }, parameters: on },
    where: [{ part: 'Price', operator: 'isNull' }],
    steps: [
      [set('5', { Price: '1' }), poll(), kept(22)],
      [reset({ options: {} }), poll(), kept(22), restart(), kept(0), restart(on), kept(21)],
    ],
  },
});
