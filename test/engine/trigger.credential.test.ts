import type { INodeParameters } from 'n8n-workflow';

import { FakePollClock } from '../support/fakePollClock';
import { NOTHING, numbered } from '../support/triggerTickets';
import {
  add,
  all,
  answers,
  failing,
  itself,
  limited,
  polls,
  remove,
  rights,
  set,
  testStories,
  useDesk,
  type Act,
  type Story,
} from './support/polls';

/** Another access key continues what the last one has learned and found. */
const desk = useDesk();

/** What the other key does not see. */
const hidden = rights({ records: Object.fromEntries(['1', '3'].map((id) => [id, { read: false }])) });
const full: Act = ({ trigger, sandbox }) =>
  void (trigger.credential = { ...trigger.credential, accessKey: sandbox.accessKey });
const both = all(...['2', '4'].map((id) => set(id, { Title: 'Changed' })));
const created = (...ids: number[]) => ids.map((id) => `created ${id} (1)`);
const upTo = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const clock = new FakePollClock();
const minute: Act = async ({ sandbox }) => {
  clock.leap(60_000);
  await sandbox.setClock(new Date(clock.now()).toISOString());
};

testStories(
  desk,
  [
    {
      name: 'that sees more: the additional records are learned, changes and later creations come',
      ...{ before: all(hidden, limited), options: { isDurable: true } },
      steps: [
        [all(set('2', { Title: 'Due' }), full), 'updated 2 (1 to 2)'],
        [polls(2, all(set('3', { Title: 'Tre' }), add(...numbered(1)))), 'updated 3 (1 to 2)', ...created(5)],
      ],
    },
    {
      name: 'that sees less: hidden records are forgotten with a warning, and not deleted',
      ...{ before: hidden, options: { isDurable: true } },
      steps: [
        [polls(2, limited), /2 records are not visible with the current credential/],
        [remove('2'), 'deleted 2 (1)'],
        [polls(2, full)],
      ],
    },
    {
      name: 'that sees more, and is given up before all was learned: what is created later comes',
      ...{ before: all(hidden, limited), parameters: { options: { maxRecordsPerPoll: 1 } } },
      steps: [
        [all(both, full), 'updated 2 (1 to 2)'],
        [polls(4, all(add(...numbered(1)), limited)), 'updated 4 (1 to 2)', ...created(5)],
      ],
    },
    {
      name: 'that sees nothing for a while makes no record new afterwards',
      before: rights({ read: 'none' }),
      steps: [
        [polls(2, limited)],
        [polls(2, all(full, add(...numbered(1))))],
        [set('5', { Title: 'Uno' }), 'updated 5 (1 to 2)'],
      ],
    },
    ...[0, 1].map((after): Story => {
      let lists = 0;
      const once = answers(({ action }) =>
        action === 'list_data' && lists++ === after ? NOTHING : undefined,
      );
      return {
        name: `learns nothing from one answer "no matching data", after ${after} other lists`,
        ...{ before: rights({}), steps: [[polls(4, all(limited, once))]] },
      };
    }),
    {
      name: 'is not taken to see more because of records that never met a condition of the node',
      before: all(rights({}), set('1', { Price: '5' }), set('2', { Price: '5' })),
      where: [{ part: 'Price', operator: 'gt', value: '100' }],
      parameters: { options: { maxRecordsPerPoll: 3 } },
      steps: [
        [add(...numbered(8).map((values) => ({ ...values, Price: '500' }))), ...created(5, 6, 7)],
        [polls(4, limited), ...created(...upTo(8, 12))],
      ],
    },
    ...(
      [
        ['a backlog of new records', {}, 5],
        ['the rest of the existing records', { startFrom: 'existing' }, 1],
      ] as const
    ).map(([what, more, first]): Story => ({
      name: `what was found and is not told yet comes: ${what}`,
      before: rights({}),
      parameters: { options: { maxRecordsPerPoll: 10, ...more } as INodeParameters },
      first: first === 1 ? created(1, 2, 3, 4) : [],
      steps: [
        [add(...numbered(30)), ...created(...upTo(5, 14))],
        [polls(8, limited), ...created(...upTo(15, 34))],
      ],
    })),
    {
      name: 'what was found and is not told yet comes: new records that quick polls found in another order',
      ...{ before: rights({}), options: { clock } },
      parameters: { options: { updatedPart: '4', maxRecordsPerPoll: 120 } },
      steps: [
        [
          all(
            minute,
            add(...numbered(240)),
            minute,
            ...upTo(5, 124).map((id) => set(String(id), { Title: 'Later' })),
          ),
          ...created(...upTo(5, 124).map((id) => id + 120)),
        ],
        [polls(3, limited), ...upTo(5, 124).map((id) => `created ${id} (2)`)],
      ],
    },
    {
      name: 'what was found and is not told yet comes: records that wait',
      before: rights({}),
      steps: [
        [all(set('1', { Title: 'Uno' }), add(...numbered(1)), failing('1', '5'))],
        [polls(2, all(itself, limited)), 'updated 1 (1 to 2)', ...created(5)],
      ],
    },
    {
      name: 'leaves at most 16 bits of its hash in the state',
      after: ({ trigger }) => {
        expect(trigger.state).toMatch(/"credential":"1:[0-9a-f]{1,4}"/);
        expect(trigger.state).not.toContain(trigger.credential.accessKey);
      },
    },
  ],
  { application: { records: numbered(4) } },
);
