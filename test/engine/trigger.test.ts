import { numbered, TICKETS, watchTickets } from '../support/triggerTickets';
import { add, all, remove, restart, set, testStories, useDesk, type Story } from './support/polls';
import { useQuickRetries } from './support/quickRetries';

useQuickRetries();

const desk = useDesk();

/** One event of each kind. */
const threeEvents = all(set('1', { Title: 'Uno' }), remove('2'), add({ Title: 'Three', State: 'open' }));
const created = (...ids: number[]) => ids.map((id) => `created ${id} (1)`);
const OPEN = { part: 'State', operator: 'equals', value: 'open' };

describe('what is output', () => {
  testStories(desk, [
    {
      name: 'is what was created, updated and deleted, once',
      steps: [[null], [threeEvents, 'updated 1 (1 to 2)', 'created 3 (1)', 'deleted 2 (1)'], [null]],
    },
    ...(
      [
        [['created'], ['created 3 (1)']],
        [['updated'], ['updated 1 (1 to 2)']],
        [['deleted'], ['deleted 2 (1)']],
        [
          ['created', 'deleted'],
          ['created 3 (1)', 'deleted 2 (1)'],
        ],
      ] as const
    ).map(([events, expected]): Story => ({
      name: `is only ${events.join()} if that is chosen`,
      ...{ parameters: { events: [...events] }, steps: [[threeEvents, ...expected]] },
    })),
    {
      name: 'notices changes that do not move the date of the last change',
      steps: [
        [
          async ({ sandbox }) =>
            void (await sandbox.changeRecord('tickets', '1', { Price: '5' }, { quietly: true })),
          'updated 1 (1 to 2)',
        ],
      ],
    },
    {
      name: 'begins with the existing records if that is chosen, few at a time',
      parameters: { options: { startFrom: 'existing', maxRecordsPerPoll: 1 } },
      first: created(1),
      steps: [[set('1', { Title: 'Uno' }), 'created 2 (1)'], [null, 'updated 1 (1 to 2)'], [null], [null]],
    },
    {
      name: 'is limited to Max Records, the oldest first, and nothing is dropped',
      parameters: { options: { maxRecordsPerPoll: 3 } },
      steps: [
        [add(...numbered(7)), ...created(3, 4, 5)],
        [null, ...created(6, 7, 8)],
        [null, ...created(9)],
        [null],
      ],
    },
  ]);

  /** The items of one poll after a change. */
  const itemsOf = (
    name: string,
    parameters: NonNullable<Story['parameters']>,
    after: (items: readonly object[]) => void,
    act = threeEvents,
  ): Story => ({
    ...{ name, parameters },
    after: async ({ sandbox, trigger }) => {
      await act({ sandbox, trigger });
      after(await trigger.poll());
    },
  });
  testStories(desk, [
    itemsOf('has the values of the record; a deleted one has none', {}, (items) =>
      expect(items).toEqual([
        expect.objectContaining({ event: 'updated', id: '1', Title: 'Uno' }),
        expect.objectContaining({ event: 'created', id: '3', previousRevision: null, Title: 'Three' }),
        { event: 'deleted', id: '2', previousRevision: 1 },
      ]),
    ),
    itemsOf('has the parts to return', { options: { partsToReturn: ['Title'] } }, ([item]) => {
      expect(item).toMatchObject({
        event: 'updated',
        id: '1',
        revision: 2,
        previousRevision: 1,
        Title: 'Uno',
      });
      expect(item).not.toHaveProperty('State');
    }),
    itemsOf('is the service’s own object', { simplify: false }, ([item]) => {
      expect(Object.keys(item!).sort()).toEqual(['event', 'id', 'previousRevision', 'record', 'revision']);
      expect(item).toMatchObject({ record: { Title: { val: 'Uno' } } });
    }),
  ]);

  test.each(['simplified', 'raw'])('has attachments if that is chosen, with %s output', async (output) => {
    const files = ['a.txt', 'b.txt'].map((name) => ({ name, mimeType: 'text/plain', text: 'hello' }));
    await desk.sandbox.reset();
    await desk.sandbox.createApplication(TICKETS);
    const trigger = watchTickets(desk.sandbox, { options: { downloadAttachments: true, output } });
    await trigger.activate();
    await all(add({ Title: 'Three', Files: files }), remove('2'))({ ...desk, trigger });
    const [made, deleted] = await trigger.pollItems();
    expect(Object.entries(made!.binary ?? {}).map(([key, { fileName }]) => [key, fileName])).toEqual([
      ['attachment_0', 'a.txt'],
      ['attachment_1', 'b.txt'],
    ]);
    expect(deleted!.binary).toBeUndefined();
  });
});

describe('filters', () => {
  const offers = add({ Title: 'Special offer' }, { Title: 'Usual offer' });
  const filterJson = '{"item":[{"field_id":"101","operator":"contains","value":"Special"}]}';
  testStories(desk, [
    {
      name: 'treat a record that starts to meet them as new, and one that stops as neither deleted nor changed',
      where: [OPEN],
      steps: [
        [set('2', { State: 'open' }), 'created 2 (2)'],
        [set('2', { State: 'closed' })],
        [null],
        [set('2', { State: 'open' }), 'updated 2 (2 to 4)'],
        [remove('2'), 'deleted 2 (4)'],
        [null],
      ],
    },
    {
      name: 'accept JSON as the action node does',
      ...{ parameters: { options: { filterJson } }, steps: [[offers, ...created(3)]] },
    },
    {
      name: 'accept keywords as the action node does',
      parameters: { options: { keyword: 'special', keywordParts: ['Title'], partsToReturn: ['State'] } },
      steps: [[offers, ...created(3)]],
    },
    {
      name: 'that are changed start over, without a flood',
      ...{ where: [OPEN], parameters: { options: { startFrom: 'existing' } }, first: created(1) },
      steps: [
        [restart({ filters: {} }), /The settings of what to watch have changed/],
        [set('2', { Title: 'Dos' }), 'updated 2 (1 to 2)'],
      ],
    },
    {
      name: 'with expressions may change without starting over',
      where: [{ ...OPEN, value: '={{ $now.toFormat("yyyy") > "2000" ? "open" : "closed" }}' }],
      steps: [[set('1', { Title: 'Uno' }), 'updated 1 (1 to 2)']],
    },
  ]);
});
