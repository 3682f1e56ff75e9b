import { created, numbered } from '../support/triggerTickets';
import { each, testStories, useDesk } from './support/story';
import { add, full, limited, otherCredential, rights, set } from './support/storyActs';
import { keeps, poll, polls, restart, tries, warned } from './support/storyPolls';

/** A new key in the same credential changes nothing; another credential begins anew. */

/** What the other key does not see. */
const hidden = rights({ records: Object.fromEntries(['1', '3'].map((id) => [id, { read: false }])) });
const one = add(...numbered(1));
const OPEN = [{ part: 'State', operator: 'equals', value: 'open' }];

testStories(
  useDesk(),
  {
    'a new key goes on where the last one was, with what was still to be told': {
      ...{ before: [rights({})], options: { maxRecordsPerPoll: 10 } },
      steps: [
        add(...numbered(30)),
        poll(...created(5, 14)),
        limited,
        polls(3, ...created(15, 34)),
        warned(null),
      ],
    },
    'a new key makes nothing new of records that come to meet the filter': {
      ...{
        before: [rights({})],
        where: OPEN,
        application: { records: [{ State: 'closed' }, { State: 'open' }] },
      },
      steps: [set('1', { State: 'open' }), limited, one, polls(2, 'created 1 (2)', ...created(3))],
    },
    'what a new key sees besides is new, what it does not see looks deleted': {
      before: [hidden],
      steps: [
        [limited, polls(2, 'deleted 1 (1)', 'deleted 3 (1)')],
        [full, polls(2, ...created(1), ...created(3)), warned(null)],
      ],
    },
    ...each([{}, { startFrom: 'existing' }])('another credential begins anew, no flood: %s', (options) => ({
      ...{ before: [hidden], options, first: 'startFrom' in options ? created(1, 4) : [] },
      steps: [
        [limited, otherCredential('2'), set('2', { Title: 'Due' }), restart()],
        [warned(/the trigger learns the records again/), one, tries(2, ...created(5))],
      ],
    })),
    'nothing of the key is in the state': [
      keeps(/^ads\d+\|/),
      ({ trigger }) => expect(trigger.state).not.toContain(trigger.credential.accessKey),
    ],
  },
  { application: { records: numbered(4) } },
);
