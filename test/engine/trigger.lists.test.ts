import { numbered, upTo } from '../support/triggerTickets';
import { each, testStories, useDesk } from './support/story';
import { add, answers, set, takes, type Desk, type Step } from './support/storyActs';
import { fails, poll, polls, sent, tried } from './support/storyPolls';
import { BROKEN, EMPTY, isByIds, isList } from './support/triggerCalls';

/** Lists that are odd, fail, or say less than a record. */

interface Listed extends Record<string, unknown> {
  readonly ID: { readonly val: string };
}
/** All lists are this one from now on, its records altered. */
const lists =
  (alter: (records: readonly Listed[]) => readonly object[]): Step =>
  async (at) => {
    const { list, ...rest } = await at.sandbox.call<{ list: { item: Listed[] } }>('list_data', {
      app_id: '@tickets',
    });
    const body: unknown = JSON.parse(JSON.stringify({ ...rest, list: { item: alter(list.item) } }));
    await answers((call) => (isList(call) ? { statusCode: 200, body } : undefined))(at);
  };
const SIX_HOURS = 6 * 3_600_000;

testStories(useDesk(), {
  ...each(['steps', 'is suspended'], (how) => [
    `a clock that ${how} while a page is read slows down no later poll`,
    {
      application: { records: numbered(300) },
      steps: [
        (at) => {
          let pages = 0;
          return takes((call) => {
            if (!isList(call) || pages++ > 0) return 20;
            if (how === 'steps') at.clock.step(SIX_HOURS);
            return how === 'steps' ? 20 : SIX_HOURS;
          })(at);
        },
        [set('1', { Title: 'Changed' }), async (at: Desk) => await tried(at, 1)],
        [set(upTo(1, 300), { State: 'closed' }), sent({})],
        async (at) => expect(await tried(at, 2)).toHaveLength(300),
        sent({ all: { most: 8 } }),
      ],
    },
  ]),
  ...each(
    [
      ['503', { statusCode: 503, body: '' }, 6],
      ['500', BROKEN, 12],
    ],
    ([status, answer, most]) => [
      `a service that answers ${status} for good fails a poll after the tries of one call, or of two`,
      [
        [answers(() => answer), sent({}), fails(/./)],
        ({ trigger }) => {
          const lengths = trigger.calls.filter(isList).map(({ form }) => form.get('limit'));
          expect(new Set(lengths).size).toBe(1);
        },
        sent({ all: { most } }),
      ],
    ],
  ),
  'a filter that moves on from a thousand records costs no read for each': {
    application: { records: numbered(1002) },
    where: [{ part: 'State', operator: 'equals', value: 'open', valueType: 'value' }],
    steps: [
      answers((call) =>
        isList(call) && !isByIds(call) && call.form.get('filter')?.includes('open') ? EMPTY : undefined,
      ),
      [poll(), sent({}), polls(2), sent({ get_data: { most: 29 }, all: { most: 39 } })],
    ],
  },
  'IDs that are no numbers fail the poll, which names the ID': [
    lists(([first, second]) => [first!, { ...second, ID: { val: 'A-2' } }]),
    fails(/The record ID "A-2" is not a whole number/),
  ],
  'a watched part that lists leave out is refused by name': {
    ...{ parameters: { watchParts: ['Price'] } },
    before: [lists((all) => all.map((record) => ({ ...record, Price: undefined })))],
    refused: /^Part "Price" .*cannot be watched: the service leaves it out/,
  },
  'one record without a revision holds up no other, and is read instead': [
    [add(...numbered(1)), poll('created 3 (1)')],
    [set('2', { Title: 'Due' }), set('3', { Title: 'Tre' })],
    lists(([first, second, third]) => [first!, { ...second, revision: undefined }, third!]),
    [poll('updated 2 (1 to 2)', 'updated 3 (1 to 2)'), polls(2)],
  ],
  'lists that are not in the order of their IDs are an error': [
    lists((all) => [...all].reverse()),
    fails(/does not list the records in the order of their IDs/),
  ],
});
