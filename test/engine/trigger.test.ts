import { created, numbered, TICKETS } from '../support/triggerTickets';
import { some } from './support/like';
import { useQuickRetries } from './support/quickRetries';
import { each, testStories, useDesk } from './support/story';
import { add, remove, set, type Step } from './support/storyActs';
import { gives, poll, polls, restart, tried, warned } from './support/storyPolls';

useQuickRetries();

const desk = useDesk();

/** One event of each kind. */
const threeEvents = [set('1', { Title: 'Uno' }), remove('2'), add({ Title: 'Three', State: 'open' })];
/** The tickets are as at first. */
const restoredBackup: Step = async ({ sandbox }) => {
  await sandbox.reset();
  await sandbox.createApplication(TICKETS);
};
const OPEN = { part: 'State', operator: 'equals', value: 'open' };
const files = ['a.txt', 'b.txt'].map((name) => ({ name, mimeType: 'text/plain', text: 'hello' }));

describe('what is output', () => {
  testStories(desk, {
    'is what was created, updated and deleted, once': [
      [poll(), ...threeEvents, poll('updated 1 (1 to 2)', 'created 3 (1)', 'deleted 2 (1)'), poll()],
    ],
    ...each([
      [['created'], ['created 3 (1)']],
      [['updated'], ['updated 1 (1 to 2)']],
      [['deleted'], ['deleted 2 (1)']],
      [
        ['created', 'deleted'],
        ['created 3 (1)', 'deleted 2 (1)'],
      ],
    ])('is only %s if that is chosen', ([events, expected]) => ({
      parameters: { events: [...events] },
      steps: [...threeEvents, poll(...expected)],
    })),
    'notices changes that do not move the date of the last change': [
      [set('1', { Price: '5' }, { quietly: true }), poll('updated 1 (1 to 2)')],
    ],
    'is a change also where a backup was restored, and revisions are lower': [
      [set('2', { Title: 'Due' }), poll('updated 2 (1 to 2)'), restoredBackup, poll('updated 2 (2 to 1)')],
    ],
    'begins with the existing records if that is chosen, few at a time': {
      ...{ options: { startFrom: 'existing', maxRecordsPerPoll: 1 }, first: created(1) },
      steps: [
        [set('1', { Title: 'Uno' }), poll('created 2 (1)'), poll('updated 1 (1 to 2)'), poll(), poll()],
      ],
    },
    'is limited to Max Records, the oldest first, and nothing is dropped': {
      options: { maxRecordsPerPoll: 3 },
      steps: [
        [add(...numbered(7)), poll(...created(3, 5)), poll(...created(6, 8)), poll(...created(9)), poll()],
      ],
    },
    'has the values of the record; a deleted one has none': [
      ...threeEvents,
      async ({ trigger }) =>
        expect(await trigger.poll()).toEqual([
          some({ event: 'updated', id: '1', Title: 'Uno' }),
          some({ event: 'created', id: '3', previousRevision: null, Title: 'Three' }),
          { event: 'deleted', id: '2', previousRevision: 1 },
        ]),
    ],
    'has the parts to return': {
      ...{ parameters: { events: ['updated'] }, options: { partsToReturn: ['Title'] } },
      steps: [
        ...threeEvents,
        gives({
          ...{ event: 'updated', id: '1', revision: 2, previousRevision: 1 },
          ...{ Title: 'Uno', State: undefined },
        }),
      ],
    },
    'is the service’s own object': {
      parameters: { events: ['updated'], simplify: false },
      steps: [
        ...threeEvents,
        async ({ trigger }) => {
          const [item] = await trigger.poll();
          expect(Object.keys(item!).sort()).toEqual([
            'event',
            'id',
            'previousRevision',
            'record',
            'revision',
          ]);
          expect(item).toMatchObject({ record: { Title: { val: 'Uno' } } });
        },
      ],
    },
    'is an update where a record comes to meet the filter, and creations are not told': {
      ...{ parameters: { events: ['updated'] }, where: [OPEN] },
      steps: [
        [
          set('2', { State: 'open' }),
          gives({ event: 'updated', id: '2', revision: 2, previousRevision: null }),
        ],
        [
          add({ Title: 'New', State: 'open' }),
          poll(),
          set('3', { Title: 'Tre' }),
          poll('updated 3 (1 to 2)'),
        ],
      ],
    },
    'is an update then with watched parts, too, without what they were': {
      ...{ parameters: { events: ['updated'], watchParts: ['Price'] }, where: [OPEN] },
      ...{ options: { previousValues: 'updated' } },
      steps: [
        set('2', { State: 'open' }),
        gives({ event: 'updated', id: '2', previousRevision: null, changes: { Price: { to: null } } }),
      ],
    },
    'is nothing of existing records where creations are not told': {
      ...{ parameters: { events: ['updated', 'deleted'] }, options: { startFrom: 'existing' } },
      steps: [polls(2), set('1', { Title: 'Uno' }), poll('updated 1 (1 to 2)')],
    },
    ...each([true, false])('has attachments if that is chosen: simplify %s', (simplify) => ({
      ...{ parameters: { simplify }, options: { downloadAttachments: true } },
      steps: [
        [add({ Title: 'Three', Files: files }), remove('2')],
        async ({ trigger }) => {
          const [made, deleted] = await trigger.pollItems();
          const names = Object.entries(made!.binary ?? {}).map(([key, { fileName }]) => [key, fileName]);
          expect(Object.fromEntries(names)).toEqual({ attachment_0: 'a.txt', attachment_1: 'b.txt' });
          expect(deleted!.binary).toBeUndefined();
        },
      ],
    })),
  });
});

describe('filters', () => {
  const offers = add({ Title: 'Special offer' }, { Title: 'Usual offer' });
  const filterJson = '{"item":[{"field_id":"101","operator":"contains","value":"Special"}]}';
  testStories(desk, {
    'treat a record that starts to meet them as new, and one that stops as neither deleted nor changed': {
      where: [OPEN],
      steps: [
        [set('2', { State: 'open' }), poll('created 2 (2)'), set('2', { State: 'closed' }), polls(2)],
        [set('2', { State: 'open' }), poll('updated 2 (2 to 4)')],
        [remove('2'), poll('deleted 2 (4)'), poll()],
      ],
    },
    ...each([{ filterJson }, { keyword: 'special', keywordParts: ['Title'], partsToReturn: ['State'] }])(
      'work as in the action node: %s',
      (options) => ({ options, steps: [offers, poll(...created(3))] }),
    ),
    'that are changed start over, without a flood': {
      ...{ where: [OPEN], options: { startFrom: 'existing' }, first: created(1) },
      steps: [
        [restart({ filters: {} }), warned(/The settings of what to watch have changed/)],
        [set('2', { Title: 'Dos' }), poll('updated 2 (1 to 2)')],
      ],
    },
    ...each([
      [{ events: ['created'] }, { events: ['created', 'updated'] }],
      [{ events: ['created', 'updated'] }, { events: ['updated'] }],
      [{ events: ['updated'], watchParts: ['State'] }, { watchParts: [] }],
    ])(
      'and events that are wanted now and were not before start over, without a flood: %s, then %s',
      ([parameters, then]) => ({
        parameters,
        steps: [
          [
            set(['1', '2'], { Title: 'Old' }),
            add({ Title: 'Three' }),
            async (at) => await tried(at, 1),
            restart(then),
          ],
          [
            warned(/The settings of what to watch have changed/),
            set('1', { Title: 'New' }),
            poll('updated 1 (2 to 3)'),
          ],
        ],
      }),
    ),
    ...each([
      [{}, { events: ['created', 'updated'] }],
      [{}, { events: ['created', 'deleted'] }],
      [{ watchParts: ['State', 'Title'] }, { watchParts: ['Title'] }],
    ])('and events that are wanted no longer change nothing: %s, then %s', ([parameters, then]) => ({
      parameters,
      steps: [restart(then), warned(null), add({ Title: 'Three' }), poll(...created(3))],
    })),
    'that are changed say what was still to be told': {
      options: { maxRecordsPerPoll: 1 },
      steps: [
        [
          add({ Title: 'Three' }, { Title: 'Four' }),
          poll('created 3 (1)'),
          restart({ filters: { condition: [OPEN] } }),
        ],
        warned(/It had still to tell of what its scan had not reached, after record 3/),
      ],
    },
    'with expressions may change without starting over': {
      where: [{ ...OPEN, value: '={{ $now.toFormat("yyyy") > "2000" ? "open" : "closed" }}' }],
      steps: [set('1', { Title: 'Uno' }), poll('updated 1 (1 to 2)')],
    },
  });
});
