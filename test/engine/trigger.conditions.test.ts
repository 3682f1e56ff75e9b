import { testStories, useDesk } from './support/story';
import { add, itself, readsShow, remove, set } from './support/storyActs';
import { poll } from './support/storyPolls';

/** Conditions that the node checks. */

const EXPENSIVE = { part: 'Price', operator: 'gt', value: '100' };
const CLOSED = { part: 'State', operator: 'equals', value: 'closed' };
const dear = add({ Title: 'Dear', State: 'open', Price: '250' });
const costs = (id: string, Price: string) => set(id, { Price });
testStories(
  useDesk(),
  {
    'records that meet them are told, created or updated': [
      [dear, add({ Title: 'Cheap', Price: '9' }), poll('created 3 (1)')],
      [costs('4', '1000'), poll('created 4 (2)'), costs('3', '260'), poll('updated 3 (1 to 2)')],
    ],
    'a record that stops meeting them is no deletion, and one that meets them again is an update': [
      [dear, poll('created 3 (1)'), costs('3', '1'), poll(), costs('3', '300')],
      [poll('updated 3 (1 to 3)'), remove('3'), poll('deleted 3 (3)')],
    ],
    'a record that stops meeting them between the list and its reading is not output': [
      [dear, poll('created 3 (1)'), costs('3', '260')],
      [readsShow('3', { revision: '3', Price: { val: '1' } }), poll()],
      [itself, costs('3', '1'), poll()],
    ],
    'a record that never met them is never reported as deleted': [remove('1'), poll()],
    'any of several is enough, including those that the service checks': {
      ...{ parameters: { match: 'any' }, where: [EXPENSIVE, CLOSED] },
      steps: [
        [dear, add({ Title: 'Neither', State: 'open', Price: '9' }, { Title: 'Closed', State: 'closed' })],
        poll('created 3 (1)', 'created 5 (1)'),
      ],
    },
    'parts that only a condition needs are not in the items': {
      ...{ parameters: { simplify: false }, options: { partsToReturn: ['Title'] } },
      steps: [
        dear,
        async ({ trigger }) => {
          const [item] = await trigger.poll();
          expect(item!.record).toHaveProperty('Title');
          expect(item!.record).not.toHaveProperty('Price');
        },
      ],
    },
    'another match is refused': {
      parameters: { match: 'some' },
      refused: /"Must Match" must be one of: all, any/,
    },
  },
  { where: [EXPENSIVE] },
);
