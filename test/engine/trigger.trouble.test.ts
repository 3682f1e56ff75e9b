import type { SentCall } from '../support/triggerEngine';
import { created, inWords, numbered } from '../support/triggerTickets';
import { each, testStories, useDesk } from './support/story';
import { add, answers, change, itself, passes, remove, set, type Step } from './support/storyActs';
import { fails, poll, tried, tries, warned } from './support/storyPolls';
import { EMPTY, REFUSED, isRead, isWhole, ng, ok } from './support/triggerCalls';

/** Trouble that looks as if records were gone, and trouble in the middle of a poll. */

const stopped = change({ status: 'maintenance' });
const runs = change({ status: 'running' });
const notRunning = ok({ id: '1', name: 'Tickets', app_status: 'maintenance' });
/** What an application that is not running answers: it looks like one without records, or refuses everything. */
const empty = (call: SentCall) =>
  isRead(call) ? REFUSED : call.action === 'count_data' ? ok({ allcnt: '0' }) : EMPTY;
const unlessAsked = (answer: typeof empty) => (call: SentCall) =>
  call.action === 'get_app' ? undefined : answer(call);
const suddenly: Step = (at) => {
  let calls = 0;
  return answers((call) => {
    if (++calls < 2) return undefined;
    return call.action === 'get_app' ? notRunning : empty(call);
  })(at);
};
const forbidden = (...ids: string[]) => answers((call) => (isRead(call, ...ids) ? ng(403) : undefined));
const CHANGES = [...created(3, 5), 'deleted 2 (1)', 'updated 1 (1 to 2)'];

testStories(useDesk(), {
  ...each([
    ['shows nothing and counts 0', [stopped, answers(unlessAsked(empty))]],
    ['refuses everything', [stopped, answers(unlessAsked(() => REFUSED))]],
    ['shows nothing from the middle of a poll on', [suddenly]],
  ])('an application that does not run, and %s: nothing is deleted, lost or repeated', ([, trouble]) => [
    [set('1', { Title: 'Before it' }), remove('2'), add(...numbered(3)), ...trouble],
    async (at) => {
      const during = await tried(at, 4);
      expect(during.filter((words) => words.startsWith('deleted'))).toEqual([]);
      for (const step of [itself, runs]) await step(at);
      expect([...during, ...(await tried(at, 4))].sort()).toEqual(CHANGES);
    },
  ]),
  'an application that stops while missing records are looked up: said, and looked up by the next poll': {
    options: { updatedPart: '4' },
    steps: [
      [remove('2'), passes(3_600_000)],
      (at) => {
        let isStopped = false;
        return answers((call) => {
          isStopped ||= isRead(call);
          if (isRead(call)) return REFUSED;
          return isStopped && call.action === 'get_app' ? notRunning : undefined;
        })(at);
      },
      [poll(), fails(/"Tickets" is not running \(maintenance\)/)],
      [itself, passes(60_000), poll('deleted 2 (1)')],
    ],
  },
  'deletions are found although get_data answers 403 with a refusal for a deleted record': [
    [remove('2'), forbidden('2'), poll('deleted 2 (1)')],
    [remove('1'), forbidden(), poll('deleted 1 (1)')],
  ],
  'deletions are not found if 403 is the answer for every existing record': [
    [remove('2'), forbidden(), tries(3), itself, tries(2, 'deleted 2 (1)')],
  ],
  // A failure of the service as a whole ends a poll, but what was done is kept: durable cursors drop it otherwise.
  'a poll that the service interrupts returns what it has, with durable cursors': {
    ...{ engine: { isDurable: true }, needsBudget: true },
    steps: [
      add(...numbered(4)),
      async (at) => {
        let reads = 0;
        await answers((call) => {
          if (isWhole(call)) return EMPTY;
          return isRead(call) && ++reads > 2 ? ng(401) : undefined;
        })(at);
        const given = inWords(await at.trigger.poll());
        expect(given.length).toBeGreaterThan(0);
        await warned(/The poll ended early and the next one continues/)(at);
        const sixMore = async () => {
          for (let polls = 0; polls < 6; polls++) await at.trigger.poll();
        };
        await expect(sixMore()).rejects.toThrow('no longer accepts the access key');
        await itself(at);
        expect([...given, ...(await tried(at, 3))].sort()).toEqual(created(3, 6));
      },
    ],
  },
});
