import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../support/sandbox';
import { created, inWords, numbered, watchTickets } from '../support/triggerTickets';
import { CAPABILITIES } from './support/capabilities';
import { like } from './support/like';
import { byIdentifier } from './support/saved';
import { each, testStories, useDesk } from './support/story';
import { add, answers, between, change, faults, itself, set, takes, type Step } from './support/storyActs';
import { activate, fails, poll, restart, tries, warned } from './support/storyPolls';
import { REFUSED } from './support/triggerCalls';

const desk = useDesk();
afterEach(async () => await desk.sandbox.startListening());

const down: Step = async ({ sandbox }) => await sandbox.stopListening();
const up: Step = async ({ sandbox }) => await sandbox.startListening();
const runs = change({ status: 'running' });
const three = add({ Title: 'Three' });
const uno = set('1', { Title: 'Uno' });
const page = { statusCode: 404, body: '<html>Not found</html>' };
const nobody = byIdentifier('nobody');
const invalid = (message: string) => ({
  message: like(message),
  failure: { cause: 'configuration-invalid' },
});
const keepsState =
  (...steps: readonly Step[]): Step =>
  async (at) => {
    const { state } = at.trigger;
    for (const step of steps) await step(at);
    expect(at.trigger.state).toBe(state);
  };
const passing = { failure: { cause: 'temporarily-unavailable' } };

describe('the first poll after activation', () => {
  testStories(desk, {
    'waits for a service that is down, and continues when it is up': {
      before: [down],
      steps: [
        [warned(/The first poll is postponed: Nothing answers/), fails(passing)],
        [up, poll(), three, poll('created 3 (1)')],
      ],
    },
    'returns in time if the service does not answer': {
      first: null,
      steps: [
        takes(({ action }) => (action === 'list_data' ? 60_000 : 0)),
        async (at) => {
          const begin = at.clock.now();
          await activate()(at);
          expect(at.clock.now() - begin).toBeGreaterThan(5_000);
          expect(at.clock.now() - begin).toBeLessThan(20_000);
        },
        warned(/did not answer within the time/),
      ],
    },
    'fails for a wrong key': {
      before: [({ trigger }) => void (trigger.credential = { ...trigger.credential, accessKey: 'wrong' })],
      refused: { message: like('did not accept the access key'), failure: { cause: 'credential-invalid' } },
    },
    ...each([
      [{ application: nobody }, 'The application @nobody cannot be read'],
      [{ events: [] }, 'No event is selected'],
      [{ application: '' }, 'No application is selected'],
      [{ options: { updatedPart: 'Title' } }, 'it is not a date/time part'],
      [{ watchParts: ['Titel'] }, 'There is no part "Titel"'],
      [{ options: { maxRecordsPerPoll: -1 } }, 'must be a whole number'],
    ] as [INodeParameters, string][])('fails for parameters that are wrong: %s', ([parameters, message]) => ({
      parameters,
      refused: invalid(message),
    })),
    'fails for a person who activates it if the service refuses everything': {
      before: [answers(() => REFUSED)],
      refused: /cannot be read/,
    },
    'waits for the end of maintenance': {
      before: [change({ status: 'maintenance' })],
      steps: [warned(/is not running \(maintenance\)/), runs, poll()],
    },
    // docs/guarantees.md says what it can lose if it is interrupted.
    'has saved nothing, if it was postponed, and n8n is restarted before a poll had items': {
      before: [answers(() => ({ statusCode: 503, body: 'down' }))],
      steps: [itself, poll(), three, restart(), three, poll('created 4 (1)'), poll()],
    },
  });
});

describe('restarts', () => {
  testStories(desk, {
    'repeat nothing and lose nothing': [
      [three, poll('created 3 (1)'), restart()],
      [set('3', { Title: 'Drei' }), restart({}, 'updated 3 (1 to 2)'), restart()],
    ],
    ...each(['of another version', 'cut off', 'not a text'])(
      'with a state that is %s start over, without a flood',
      (how) => ({
        ...{ options: { startFrom: 'existing' }, first: created(1, 2) },
        steps: [
          ({ trigger }) => {
            const states = { 'of another version': 'ads0|{}|', 'not a text': { records: [] } };
            trigger.replaceState({ ...states, 'cut off': trigger.state!.slice(0, -3) }[how]);
          },
          [restart(), warned(/cannot be read/), three, poll('created 3 (1)')],
        ],
      }),
    ),
    'do not change the saved state if nothing changes': [keepsState(poll(), poll())],
    ...each([
      ['the application is stopped', change({ status: 'stopped' })],
      ['a proxy answers with a page of its own', answers(() => page)],
      ['the service refuses everything', answers(() => REFUSED)],
    ])('whose first poll fails because %s: the next poll goes on', ([, trouble]) => [
      [trouble, restart(), warned(/The first poll is postponed/), fails(/./)],
      [itself, runs, uno, tries(2, 'updated 1 (1 to 2)')],
    ]),
  });
});

describe('polls that overlap', () => {
  testStories(desk, {
    'leave the work to the one that runs': [
      three,
      async ({ trigger }) => {
        const polls = await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
        expect(polls.map(inWords)).toEqual([['created 3 (1)'], [], []]);
      },
    ],
    'are independent of another node of the same ID': [
      async ({ trigger, sandbox }) => {
        const twin = trigger.twin();
        await twin.activate();
        await sandbox.addRecords('tickets', [{ Title: 'Three' }]);
        const polls = await Promise.all([trigger.poll(), twin.poll()]);
        expect(polls.map(inWords)).toEqual([['created 3 (1)'], ['created 3 (1)']]);
      },
    ],
    'are independent in another workflow': [
      async (at) => {
        const other = watchTickets(at.sandbox);
        await other.activate();
        await three(at);
        const polls = await Promise.all([at.trigger.poll(), other.poll()]);
        expect(polls.map(inWords)).toEqual([['created 3 (1)'], ['created 3 (1)']]);
      },
    ],
  });
});

const FAULTS: readonly Fault[] = [
  { kind: 'drop', when: 'before' },
  { kind: 'drop', when: 'after' },
  { kind: 'cut' },
  { kind: 'cut', how: 'abort' },
  { kind: 'status', status: 429, retryAfter: 0 },
  { kind: 'status', status: 503 },
  { kind: 'slow', ms: 10 },
];
/** For a little longer than n8n allows for a poll. */
const HANGS_MS = CAPABILITIES.pollBudget() ? [299_000, 35_900] : [299_000];

describe('failures of a poll', () => {
  const some = add(...numbered(3));
  testStories(desk, {
    ...each(FAULTS)('are solved by requesting again: %s', (fault) => [
      some,
      faults({ ...fault, times: 2 }),
      poll(...created(3, 5)),
      poll(),
    ]),
    'that continue are thrown, and nothing is lost': [
      [some, faults({ kind: 'html', status: 500 }), fails(passing)],
      [faults(), poll(...created(3, 5))],
    ],
    'tell n8n how long the service asks to wait': {
      // If a poll may take as long as it needs, it waits instead.
      ...{ engine: { budgetMs: 1500 }, needsBudget: true },
      steps: [
        faults({ kind: 'status', status: 429, retryAfter: 3, times: 1 }),
        fails({ failure: { cause: 'rate-limited', retryAfterMs: expect.any(Number) as number } }),
      ],
    },
    ...each(HANGS_MS)('a credential store that hangs once stops only that poll: %s ms', (hangsMs) => ({
      engine: { isDurable: hangsMs < 36_000 },
      steps: [
        [uno, (at) => between({ credentials: async () => await at.clock.sleep(hangsMs) })(at)],
        [keepsState(fails(/within the time limit of the poll/)), itself, poll('updated 1 (1 to 2)')],
      ],
    })),
  });
});
