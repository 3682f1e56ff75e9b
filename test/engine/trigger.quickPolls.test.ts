import { created, inWords, numbered, upTo } from '../support/triggerTickets';
import { each, testStories, useDesk } from './support/story';
import { add, answers, itself, passes, remove, set } from './support/storyActs';
import { poll, polls, sent, tried } from './support/storyPolls';
import { isList, ok } from './support/triggerCalls';

const MINUTE = passes(60_000);
const QUICK = { updatedPart: '4', fullScanEvery: 600 };

testStories(useDesk(), {
  ...each([{}, QUICK])('with few records a poll, the oldest come first, and none waits: %s', (more) => ({
    options: { ...more, maxRecordsPerPoll: 2 },
    steps: [
      [MINUTE, add(...numbered(9))],
      async (at) => {
        const words: string[] = [];
        for (let poll = 0; poll < 10; poll++) {
          await MINUTE(at);
          await set('1', { Title: `At ${at.clock.now()}` })(at);
          const some = inWords(await at.trigger.poll());
          expect(some.length).toBeLessThanOrEqual(2);
          words.push(...some);
        }
        expect(words.filter((each) => each.startsWith('created'))).toEqual(created(3, 11));
        expect(words.some((each) => each.startsWith('updated 1 '))).toBe(true);
      },
    ],
  })),
  ...each([
    ['a new record', [add(...numbered(1))], 'created 41 (1)', {}],
    ['a change', [set('1', { Title: 'Uno' })], 'updated 1 (1 to 2)', {}],
    ['a change, with quick polls', [set('1', { Title: 'Uno' })], 'updated 1 (1 to 2)', QUICK],
  ])('with one record a poll, nothing starves while many are deleted: %s', ([, steps, words, more]) => ({
    ...{ application: { records: numbered(40) }, options: { ...more, maxRecordsPerPoll: 1 } },
    steps: [
      [MINUTE, remove(...upTo(2, 31)), passes(36_000_000), async (at) => await tried(at, 3), ...steps],
      async (at) => expect(await tried(at, 3)).toContain(words),
      async (at) => expect(await tried(at, 40)).toHaveLength(25),
    ],
  })),
  'a full scan that is due runs although changes fill each poll': {
    ...{ application: { records: numbered(9) }, options: { ...QUICK, maxRecordsPerPoll: 1 } },
    steps: [
      [MINUTE, poll(), set('7', { Title: 'Quiet' }, { quietly: true }), passes(36_000_000)],
      async (at) => {
        const words: string[] = [];
        for (let polls = 0; polls < 6; polls++) {
          await MINUTE(at);
          for (const id of ['1', '2', '3']) await set(id, { Title: `In poll ${polls}` })(at);
          words.push(...inWords(await at.trigger.poll()));
        }
        for (const id of ['1', '2', '3']) await set(id, { Title: 'Last' })(at);
        expect([...words, ...(await tried(at, 9))]).toContain('updated 7 (1 to 2)');
      },
    ],
  },
  'changes are told although a list under maintenance showed only half, and one record comes with each poll':
    {
      ...{ application: { records: numbered(40) }, options: { maxRecordsPerPoll: 1 } },
      steps: [
        async (at) => {
          const half = await at.sandbox.call<{ list: { item: unknown[] } }>('list_data', {
            app_id: '@tickets',
          });
          const list = { item: half.list.item.slice(0, 20) };
          await answers((call) => (isList(call) ? ok({ list }) : undefined))(at);
        },
        [poll(), itself, set(['3', '33'], { Title: 'New' })],
        polls(3, 'updated 3 (1 to 2)', 'updated 33 (1 to 2)'),
      ],
    },
  'quick polls cost as few lists as the last minute fills, however many changes that are': {
    options: QUICK,
    steps: [
      [MINUTE, add(...numbered(10_200)), async (at) => expect(await tried(at, 3)).toHaveLength(10_200)],
      [sent({}), polls(3), sent({ all: { most: 3 * 4 } })],
    ],
  },
  'they miss nothing because of a few records that are dated in the future': {
    ...{ application: { records: numbered(202) }, options: QUICK },
    steps: [
      MINUTE,
      async ({ sandbox, clock }) =>
        await sandbox.setClock(new Date(clock.now() + 400 * 24 * 3_600_000).toISOString()),
      [set(['5', '6', '7'], { Title: 'From the future' }), MINUTE],
      polls(1, ...['5', '6', '7'].map((id) => `updated ${id} (1 to 2)`)),
      [set('150', { Title: 'Now' }), add(...numbered(150))],
      async (at) =>
        expect((await tried(at, 2)).sort()).toEqual([...created(203, 352), 'updated 150 (1 to 2)'].sort()),
    ],
  },
  'a clock that was set back postpones no full scan': {
    options: QUICK,
    steps: [
      [MINUTE, poll(), remove('2'), poll()],
      [({ clock }) => clock.step(-3_600_000), poll('deleted 2 (1)')],
    ],
  },
  // What a scan of several polls gives: test/unit/trigger/history.test.ts.
  'full scans read many changes with few requests, and miss none while records are deleted': {
    application: { records: numbered(15_000) },
    steps: [
      polls(1),
      async (at) => {
        const { trigger, sandbox } = at;
        const reads = () =>
          trigger.calls.splice(0).filter(({ action }) => ['list_data', 'get_data'].includes(action)).length;
        reads();
        await trigger.poll();
        const unchanged = reads();
        const changed = upTo(0, 99).map((each) => String(101 + Number(each) * 148));
        await set(changed, { Title: 'Changed' })(at);
        const polling = trigger.poll();
        for (const id of ['40', '41', '5100', '9000']) await sandbox.removeRecord('tickets', id);
        const words = inWords(await polling);
        expect(reads()).toBeLessThanOrEqual(unchanged + 25 + 8);
        words.push(...(await tried(at, 2)));
        expect(words.filter((each) => each.startsWith('updated'))).toHaveLength(100);
        expect(words.filter((each) => each.startsWith('deleted'))).toHaveLength(4);
        expect(words).toHaveLength(104);
      },
    ],
  },
});
