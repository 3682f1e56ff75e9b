import type { INodeParameters } from 'n8n-workflow';

import { created, numbered, TICKETS } from '../support/triggerTickets';
import { each, testStories, useDesk } from './support/story';
import { add, answers, change, oneEmptyList, set, type Step } from './support/storyActs';
import { polls, restart, tries } from './support/storyPolls';
import { REFUSED } from './support/triggerCalls';

/** What must not start the workflow for records that nobody touched. */

const keyword = { keyword: 'open', keywordParts: ['Title'], partsToReturn: ['Title'] };
const textboxes = (...names: string[]) => names.map((name) => ({ name, type: 'textbox' }));
const by = (condition: INodeParameters) => ({ filters: { condition: [condition] } });
/** The application is another one, which has its identifier. */
const madeAgain: Step = async (at) => {
  const { id } = await at.sandbox.call('get_app', { app_id: '@tickets' });
  await at.sandbox.reset();
  // The sandbox gives its ID again, which a service does not.
  await at.sandbox.createApplication({ ...TICKETS, name: 'Other', identifier: 'other' });
  await at.sandbox.createApplication({ ...TICKETS, records: numbered(20) });
  await answers(({ form }) => (form.get('app_id') === id ? REFUSED : undefined))(at);
};
/** Tickets whose town comes from another application, which is under maintenance. */
const linked: Step = async ({ sandbox }) => {
  const source = await sandbox.createApplication({
    ...{ name: 'Source', identifier: 'source', parts: textboxes('Key', 'Town') },
    records: [{ Key: 'k', Town: 'Kyoto' }],
  });
  const reference = { application: source.id, key: 'Link', match: 'Key', part: 'Town' };
  await sandbox.removeApplication('tickets');
  await sandbox.createApplication({
    ...{ name: 'Tickets', identifier: 'tickets' },
    parts: [...textboxes('Link'), { name: 'Town', type: 'reference', reference }],
    records: Array.from({ length: 20 }, () => ({ Link: 'k' })),
  });
  await sandbox.changeApplication('source', { status: 'maintenance' });
};

testStories(
  useDesk(),
  {
    ...each([0, 1, 2], (after) => [
      `one answer "no matching data" while the first scan learns the records, after ${after} other lists`,
      { before: [oneEmptyList(after)], steps: [tries(2), add(...numbered(1)), tries(3, ...created(31))] },
    ]),
    'one answer "no matching data" later on': [oneEmptyList(0), tries(3)],
    ...each(
      [
        { options: { ...keyword, partsToReturn: ['Title', 'State'] } },
        { watchParts: ['State'], options: keyword },
      ],
      (parameters) => [
        `where a keyword is searched, a new baseline comes without a word: ${Object.keys(parameters).join()}`,
        {
          ...{ before: [add({ Title: 'open door' })], options: keyword },
          steps: [restart(parameters), polls(2)],
        },
      ],
    ),
    ...each(
      [
        [{ options: { keyword: '={{ " " }}' } }, /"keyword" is empty/],
        [{ options: { filterJson: '={{ "{}" }}' } }, /"filterJson" is empty/],
        [{ options: { filterJson: '={{ ({ item: [] }) }}' } }, /"filterJson" is empty/],
        [by({ part: 'Title', operator: 'equals', value: '={{ "" }}' }), /is empty/],
        [by({ part: 'Title', operator: '={{ "" }}', value: 'a' }), /is empty/],
        [{ options: { keyword: 'x', keywordParts: '={{ "" }}' } }, /is empty/],
        [{ options: { startFrom: '={{ undefined }}' } }, /is empty/],
        [{ watchParts: '={{ "" }}' }, /is empty/],
        [{ match: '={{ "" }}' }, /is empty/],
      ],
      ([parameters, refused]) => [
        `an expression that gives nothing one day is an error: ${JSON.stringify(parameters)}`,
        { ...{ parameters, refused } },
      ],
    ),
    'an application that was made again under the same identifier is learned anew': {
      engine: { isDurable: true },
      steps: [madeAgain, tries(3), add(...numbered(1)), tries(2, ...created(21))],
    },
    ...each(
      [
        ['startsWith', 'Ky'],
        ['equals', 'Kyoto'],
      ],
      ([operator, value]) => [
        `a condition (${operator}) on a part whose source was under maintenance at first`,
        {
          ...{ before: [linked], where: [{ part: 'Town', operator, value }] },
          steps: [
            [change({ status: 'running' }, 'source'), set('3', { Link: '' }), set('3', { Link: 'k' })],
            tries(2, 'updated 3 (1 to 3)'),
          ],
        },
      ],
    ),
  },
  { application: { records: numbered(30) } },
);
