import { created, numbered, upTo } from '../support/triggerTickets';
import { each, testStories, useDesk } from './support/story';
import {
  add,
  failing,
  full,
  itself,
  limited,
  oneEmptyList,
  passes,
  remove,
  rights,
  set,
} from './support/storyActs';
import { keeps, poll, tries, warned } from './support/storyPolls';

/** Another access key continues what the last one has learned and found. */

/** What the other key does not see. */
const hidden = rights({ records: Object.fromEntries(['1', '3'].map((id) => [id, { read: false }])) });
const both = set(['2', '4'], { Title: 'Changed' });
const one = add(...numbered(1));
const minute = passes(60_000);
const many = upTo(5, 124);
const NAME = 'what was found and is not told yet comes:';

testStories(
  useDesk(),
  {
    'that sees more: the additional records are learned, changes and later creations come': {
      ...{ before: [hidden, limited], engine: { isDurable: true } },
      steps: [
        [set('2', { Title: 'Due' }), full, poll('updated 2 (1 to 2)')],
        [set('3', { Title: 'Tre' }), one, tries(2, 'updated 3 (1 to 2)', ...created(5))],
      ],
    },
    'that sees less: hidden records are forgotten with a warning, and not deleted': {
      ...{ before: [hidden], engine: { isDurable: true } },
      steps: [
        [limited, tries(2), warned(/2 records are not visible with the current credential/)],
        [remove('2'), poll('deleted 2 (1)'), full, tries(2)],
      ],
    },
    'that sees more, and is given up before all was learned: what is created later comes': {
      ...{ before: [hidden, limited], options: { maxRecordsPerPoll: 1 } },
      steps: [
        [both, full, poll('updated 2 (1 to 2)')],
        [one, limited, tries(4, 'updated 4 (1 to 2)', ...created(5))],
      ],
    },
    'that sees nothing for a while makes no record new afterwards': {
      before: [rights({ read: 'none' })],
      steps: [
        [limited, tries(2), full, one, tries(2)],
        [set('5', { Title: 'Uno' }), poll('updated 5 (1 to 2)')],
      ],
    },
    ...each('learns nothing from one answer "no matching data", after %s other lists', [0, 1], (after) => ({
      before: [rights({})],
      steps: [limited, oneEmptyList(after), tries(4)],
    })),
    'is not taken to see more because of records that never met a condition of the node': {
      before: [rights({}), set(['1', '2'], { Price: '5' })],
      ...{ where: [{ part: 'Price', operator: 'gt', value: '100' }], options: { maxRecordsPerPoll: 3 } },
      steps: [
        [add(...numbered(8).map((values) => ({ ...values, Price: '500' }))), poll(...created(5, 7))],
        [limited, tries(4, ...created(8, 12))],
      ],
    },
    ...each(
      'what was found and is not told yet comes: a backlog of new records, beginning with %s',
      [{}, { startFrom: 'existing' }],
      (more) => ({
        ...{ before: [rights({})], options: { maxRecordsPerPoll: 10, ...more } },
        first: 'startFrom' in more ? created(1, 4) : [],
        steps: [add(...numbered(30)), poll(...created(5, 14)), limited, tries(8, ...created(15, 34))],
      }),
    ),
    [`${NAME} new records that quick polls found in another order`]: {
      ...{ before: [rights({})], options: { updatedPart: '4', maxRecordsPerPoll: 120 } },
      steps: [
        [minute, add(...numbered(240)), minute, set(many, { Title: 'Later' }), poll(...created(125, 244))],
        [limited, tries(3, ...many.map((id) => `created ${id} (2)`))],
      ],
    },
    [`${NAME} records that wait`]: {
      before: [rights({})],
      steps: [
        [set('1', { Title: 'Uno' }), one, failing('1', '5'), poll()],
        [itself, limited, tries(2, 'updated 1 (1 to 2)', ...created(5))],
      ],
    },
    'leaves at most 16 bits of its hash in the state': [
      keeps(/"credential":"1:[0-9a-f]{1,4}"/),
      ({ trigger }) => expect(trigger.state).not.toContain(trigger.credential.accessKey),
    ],
  },
  { application: { records: numbered(4) } },
);
