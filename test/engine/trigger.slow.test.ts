import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { SentCall, TriggerEngine } from '../support/triggerEngine';
import { created, inWords, numbered, watchTickets } from '../support/triggerTickets';
import { CAPABILITIES } from './support/capabilities';
import { each, testStories, useDesk } from './support/story';
import { add, between, itself, passes, remove, set, takes, type Step } from './support/storyActs';
import { activate, poll, polls, sent } from './support/storyPolls';
import { isList, isRead, isWhole } from './support/triggerCalls';

/** Existing records, and those that are added later: enough for a page with all values. */
const RECORDS = 300;
const NEW = 220;
const LAST = String(RECORDS);

const desk = useDesk();

/** n8n's usual engine allows five minutes, the durable one 36 seconds. */
const USUAL = { budgetMs: 300_000 };
const DURABLE = { budgetMs: 36_000, isDurable: true };

const LATE = 'did not answer within the time limit of the poll';

const isNewest = ({ form }: SentCall): boolean =>
  form.get('sort_order') === 'desc' && form.get('sort_field_id') !== '1';
const isHeads = (call: SentCall): boolean => !isWhole(call) && !isNewest(call);
/** A list of more than one record, which shows how parts are keyed. */
const isScan = ({ form }: SentCall): boolean => form.get('limit') !== '1';

/** Lists take long. @param cost milliseconds for a list of this many records @param readMs for a single record */
const slow = (
  isSlow: (call: SentCall) => boolean,
  cost: (records: number) => number,
  readMs = 20,
  partsMs = 20,
): Step =>
  takes((call) => {
    if (call.action === 'get_app') return partsMs;
    if (isRead(call)) return readMs;
    return isList(call) && isSlow(call) ? cost(Number(call.form.get('limit'))) : 20;
  });

/** Lists take so many milliseconds, one after the other, as the service works them off. */
const oneQueue =
  (ms: number): Step =>
  (at) => {
    let free = 0;
    return takes((call) => {
      if (!isList(call)) return 20;
      free = Math.max(at.clock.now(), free) + ms;
      return free - at.clock.now();
    })(at);
  };

const isLearning = (trigger: TriggerEngine): boolean => trigger.state?.includes('"learnsUpTo":null') !== true;

/** A poll that may be late. */
async function pollOn(trigger: TriggerEngine): Promise<object[]> {
  return await trigger.poll().catch((error: Error) => {
    expect(error.message).toContain(LATE);
    return [];
  });
}

/** The trigger is activated and learns all records, in fewer polls than this. @param before each poll */
const learns =
  (most: number, before: Step = () => undefined): Step =>
  async (at) => {
    await before(at);
    await at.trigger.activate().catch(() => undefined);
    for (let count = 0; isLearning(at.trigger); count++) {
      expect(count).toBeLessThan(most);
      await before(at);
      await pollOn(at.trigger);
    }
  };

/** So many polls at most give this, in any order, and another one nothing. */
const comes =
  (most: number, ...words: readonly string[]): Step =>
  async ({ trigger }) => {
    const items: object[] = [];
    for (let count = 0; items.length < words.length && count <= most; count++)
      items.push(...(await pollOn(trigger)));
    items.push(...(await pollOn(trigger)));
    expect(inWords(items).sort()).toEqual([...words].sort());
  };

const QUICK = { updatedPart: '4', fullScanEvery: 600 };
const CHANGED = ['1', '150', LAST];

testStories(
  desk,
  {
    // Which lists are slow, for how many polls if they hold 5,000 records, and how n8n polls.
    ...each([
      ['heads', 0.47, DURABLE, isHeads],
      ['whole records', 0.47, DURABLE, isWhole],
      ['quick pages', 0.47, DURABLE, isNewest],
      ['heads', 1.5, DURABLE, isHeads],
      ['whole records', 1.5, DURABLE, isWhole],
      ['quick pages', 1.5, DURABLE, isNewest],
      ['heads', 1.5, USUAL, isHeads],
      ['quick pages', 1.5, USUAL, isNewest],
    ])('%s that take %s polls at full size come with fewer records: %s', ([, times, engine, isSlow]) => ({
      ...{ engine, options: isSlow === isNewest ? QUICK : {} },
      steps: [
        slow(isSlow, (records) => 200 + (records * engine.budgetMs * times) / 5000),
        [learns(40), add(...numbered(NEW, 'New')), set(CHANGED, { Title: 'Changed' })],
        comes(40, ...created(RECORDS + 1, RECORDS + NEW), ...CHANGED.map((id) => `updated ${id} (1 to 2)`)),
      ],
    })),
    'a deletion is told although each scan leaves too little time to read a record': {
      application: { records: numbered(600) },
      steps: [
        slow(isScan, (records) => (records > 250 ? 60_000 : 8500), 2000),
        [learns(40), remove('9'), comes(2, 'deleted 9 (1)')],
      ],
    },
    'a deletion is told although that, and whether the parts are current, leaves too little time': {
      ...{ application: { records: numbered(600) }, parameters: { watchParts: ['State'] } },
      steps: [
        slow(isScan, (records) => (records > 250 ? 60_000 : 8500), 2000, 3000),
        [learns(40), remove('9'), comes(3, 'deleted 9 (1)')],
      ],
    },
    'a change is told although it takes a third of the time to see whether the parts are current': [
      learns(2),
      [slow(isList, () => 8000, 500, 11_000), set('1', { Title: 'Changed' })],
      comes(0, 'updated 1 (1 to 2)'),
    ],
    'a poll does not fail because there is no time for what was deleted outside the filter': {
      where: [{ part: 'State', operator: 'equals', value: 'open' }],
      steps: [
        [learns(2), set(['3', '4'], { State: 'closed' }), poll(), slow(isScan, () => 13_500, 9000)],
        ...[1, 2, 3].flatMap(() => [passes(3_600_000), poll()]),
      ],
    },
    ...each([USUAL, DURABLE])('a scan ends although each list, however short, takes 17 s: %s', (engine) => ({
      engine,
      steps: [
        slow(isHeads, () => 17_000),
        [learns(10), set(LAST, { Title: 'Changed' }), comes(10, `updated ${LAST} (1 to 2)`)],
      ],
    })),
    'an error says so if lists take longer than a poll, however short they are': [
      learns(5),
      slow(isList, () => 600_000),
      set('1', { Title: 'Changed' }),
      async ({ trigger }) => {
        const outcomes: string[] = [];
        for (let polls = 0; polls < 9; polls++)
          outcomes.push(await trigger.poll().then(String, (error: Error) => error.message));
        const errors = outcomes.filter((outcome) => outcome !== '');
        expect(errors.length).toBeGreaterThan(3);
        for (const error of errors) expect(error).toContain(LATE);
      },
      [itself, comes(40, 'updated 1 (1 to 2)')],
    ],
    'a service that takes a sixth of a poll for each page, one after the other, fails no poll': {
      ...{ application: { records: numbered(15_000) }, engine: { budgetMs: 4000 } },
      steps: [
        oneQueue(700),
        [activate(), polls(3), ({ trigger }) => expect(isLearning(trigger)).toBe(false)],
        [set(['1', '14999'], { Title: 'Changed' }), remove('5000')],
        polls(4, 'updated 1 (1 to 2)', 'deleted 5000 (1)', 'updated 14999 (1 to 2)'),
      ],
    },
    // n8n's durable engine keeps what a poll has done only if the poll returns.
    ...each([
      ['list_data', 1],
      ['count_data', 0],
    ])(
      'the first scan ends with durable cursors even if a call of %s is late in every poll, after %s others',
      ([late, others]) => [
        learns(20, (at) => {
          let calls = 0;
          return takes(({ action }) => (action === late && calls++ === others ? 60_000 : 3000))(at);
        }),
        [add({ Title: 'New' }), itself, comes(5, ...created(RECORDS + 1))],
      ],
    ),
    'a list that is late because little time was left is no shorter in the next poll': [
      learns(5),
      (at) => {
        // It is asked for twice.
        const credentials = async () => await at.clock.sleep(10_000);
        return between({ credentials, cost: (call) => (isList(call) ? 8000 : 20) })(at);
      },
      [({ trigger }) => pollOn(trigger), itself, sent({}), poll()],
      ({ trigger }) => expect(trigger.calls.map(({ form }) => form.get('limit'))).toEqual(['5000']),
    ],
    'a call whose time is over is aborted, others are not': [
      slow(
        ({ form }) => form.get('limit') === '5000',
        () => 60_000,
      ),
      activate(),
      ({ trigger }) => {
        const broken = trigger.calls.filter(({ signal }) => signal?.aborted === true);
        expect(broken.map(({ action, form }) => [action, form.get('limit')])).toEqual([
          ['list_data', '5000'],
        ]);
        expect(isLearning(trigger)).toBe(false);
      },
    ],
  },
  { application: { records: numbered(RECORDS) }, engine: DURABLE, first: null, needsBudget: true },
);

const itTimed = CAPABILITIES.pollBudget() ? test : test.skip;

itTimed('n8n closes the connection of such a call', async () => {
  let answer: ServerResponse | undefined;
  const server = createServer((_, response) => (answer = response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const trigger = watchTickets(desk.sandbox, {}, { budgetMs: 1500 });
  trigger.credential = { ...trigger.credential, baseUrl: `http://127.0.0.1:${port}/` };
  const asked = once(server, 'request');
  const polling = trigger.activate();
  await asked;
  const broken = once(answer!, 'close');
  await expect(polling).rejects.toThrow(LATE);
  await broken;
  server.close();
});
