import type { INodeParameters } from 'n8n-workflow';

import { created, numbered, TICKETS } from '../support/triggerTickets';
import { each, testStories, useDesk } from './support/story';
import { add, answers, linked, oneEmptyList, set, source, type Step } from './support/storyActs';
import { polls, restart, tries } from './support/storyPolls';
import { REFUSED } from './support/triggerCalls';

/** What must not start the workflow for records that nobody touched. */

const keyword = { keyword: 'open', keywordParts: ['Title'], partsToReturn: ['Title'] };
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
testStories(
  useDesk(),
  {
    ...each([0, 1, 2])(
      'one answer "no matching data" while the first scan learns the records, after %s other lists',
      (after) => ({
        before: [oneEmptyList(after)],
        steps: [tries(2), add(...numbered(1)), tries(3, ...created(31))],
      }),
    ),
    'one answer "no matching data" later on': [oneEmptyList(0), tries(3)],
    ...each([
      { options: { ...keyword, partsToReturn: ['Title', 'State'] } },
      { watchParts: ['State'], options: keyword },
    ])('where a keyword is searched, a new baseline comes without a word: %s', (parameters) => ({
      ...{ before: [add({ Title: 'open door' })], options: keyword },
      steps: [restart(parameters), polls(2)],
    })),
    ...each([
      [{ options: { keyword: '={{ " " }}' } }, /^"Keyword" is empty/],
      [{ options: { filterJson: '={{ "{}" }}' } }, /^The filter JSON contains no list of conditions/],
      [{ options: { filterJson: '={{ ({ item: [] }) }}' } }, /^"Filter \(JSON\)" is empty/],
      [by({ part: 'Title', operator: 'equals', value: '={{ "" }}' }), /^Filter 1: "Value" is empty/],
      [by({ part: 'Title', operator: '={{ "" }}', value: 'a' }), /^Filter 1: "Operator" is empty/],
      [{ options: { keyword: 'x', keywordParts: '={{ "" }}' } }, /^"Keyword Part Names or IDs" is empty/],
      [{ options: { startFrom: '={{ undefined }}' } }, /^"Start From" is empty/],
      [{ watchParts: '={{ "" }}' }, /^"Only When These Parts Change" is empty/],
      [{ watchParts: ['Title', '={{ "" }}'] }, /^"Only When These Parts Change" is empty/],
      [{ match: '={{ "" }}' }, /^"Must Match" is empty/],
    ])('an expression that gives nothing one day is an error: %s', ([parameters, refused]) => ({
      parameters,
      refused,
    })),
    'an application that was made again under the same identifier is learned anew': {
      engine: { isDurable: true },
      steps: [madeAgain, tries(3), add(...numbered(1)), tries(2, ...created(21))],
    },
    ...each([
      ['startsWith', 'Ky'],
      ['equals', 'Kyoto'],
    ])('a condition (%s) on a part whose source was under maintenance at first', ([operator, value]) => ({
      ...{
        before: [linked(Array.from({ length: 20 }, () => ({ Link: 'k' }))), source('maintenance')],
        where: [{ part: 'Town', operator, value }],
      },
      steps: [
        [source('running'), set('3', { Link: '' }), set('3', { Link: 'k' })],
        tries(2, 'updated 3 (1 to 3)'),
      ],
    })),
  },
  { application: { records: numbered(30) } },
);
