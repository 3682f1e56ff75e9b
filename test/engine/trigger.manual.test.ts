import type { IDataObject } from 'n8n-workflow';

import { numbered } from '../support/triggerTickets';
import { testStories, useDesk } from './support/story';
import { add, failing, passes, set, type Desk, type Step } from './support/storyActs';
import { activate, fails, poll } from './support/storyPolls';

/** What a click on Fetch Test Event shows. */

const manual = async ({ trigger }: Desk): Promise<IDataObject[]> => await trigger.manual();
/** A manual run shows these items, each at least with these properties. */
const shows =
  (...items: readonly object[]): Step =>
  async (at) =>
    expect(await manual(at)).toMatchObject(items);
const none = (pattern: RegExp): Step => fails(pattern, manual);
const hour = passes(3_600_000);
const byTitle = (value: string, operator = 'startsWith') => [{ part: 'Title', operator, value }];

testStories(
  useDesk(),
  {
    'shows up to five recent records in the shape of later changes, marked as samples': {
      application: { records: numbered(8) },
      steps: [
        async (at) => {
          const items = await manual(at);
          expect(items).toHaveLength(5);
          expect(items[0]).toMatchObject({ event: 'created', revision: 1, previousRevision: null, id: '8' });
          expect(Object.keys(items[0]!).slice(0, 3)).toEqual(['event', 'id', 'Title']);
        },
      ],
    },
    'shows updates if only these are chosen': {
      parameters: { events: ['updated'] },
      steps: [
        shows(...[2, 1].map(() => ({ event: 'updated', revision: 1, previousRevision: null, sample: true }))),
      ],
    },
    'shows deletions if only these are chosen': {
      parameters: { events: ['deleted'] },
      steps: [
        async (at) =>
          expect(await manual(at)).toEqual(
            ['2', '1'].map((id) => ({ event: 'deleted', id, previousRevision: 1, sample: true })),
          ),
      ],
    },
    'shows a record that was changed as updated': [
      set('1', { Title: 'Uno' }),
      shows(
        { event: 'created', id: '2', previousRevision: null, sample: true },
        { event: 'updated', id: '1', previousRevision: 1, sample: true },
      ),
    ],
    'shows the last changed records first where a part says when they were changed': {
      options: { updatedPart: '4' },
      steps: [hour, set('1', { Title: 'Uno' }), shows({ id: '1' }, { id: '2' })],
    },
    'shows a change with Previous Values from what another record holds': {
      ...{ parameters: { watchParts: ['State', 'Title'] }, options: { previousValues: 'updated' } },
      steps: [
        async (at) => {
          const [first, second] = await manual(at);
          expect(first).toMatchObject({ event: 'updated', sample: true });
          expect(first?.changes).toEqual({
            State: { from: 'open', to: 'closed' },
            Title: { from: 'One', to: 'Two' },
          });
          expect(second).toMatchObject({ event: 'created' });
        },
      ],
    },
    'shows a change from another option or from nothing, where no other record differs': {
      ...{ parameters: { watchParts: ['State', 'Price', 'Files'] }, options: { previousValues: 'updated' } },
      application: { records: [{ State: 'open', Price: '7' }] },
      steps: [
        async (at) =>
          expect((await manual(at))[0]?.changes).toEqual({
            State: { from: 'closed', to: 'open' },
            ...{ Price: { from: null, to: 7 }, Files: { to: [] } },
          }),
      ],
    },
    'passes over a record that cannot be read, and fails where none can': [
      [failing('2'), shows({ event: 'created', id: '1' }), failing(), none(/HTTP 500/)],
    ],
    'says so if there is no record': {
      application: { records: [] },
      steps: [none(/The application "Tickets" has no records to show/)],
    },
    'says so if none meets the conditions': {
      where: byTitle('Nobody', 'equals'),
      steps: [none(/No record of the application "Tickets" meets the conditions/)],
    },
    'looks further than a few records for those that meet a condition of the node, and says how far': {
      where: byTitle('Tw'),
      steps: [
        [hour, add(...numbered(1500)), shows({ id: '2', Title: 'Two', sample: true })],
        [hour, add(...numbered(1000))],
        none(/None of the last 2000 records of the application "Tickets" meets the conditions/),
      ],
    },
    'does not change the state of an active trigger': [
      [activate(), set('1', { Title: 'Uno' }), manual, poll('updated 1 (1 to 2)')],
    ],
  },
  { first: null },
);
