import type { SentCall } from '../support/triggerEngine';
import { numbered, upTo } from '../support/triggerTickets';
import { each, testStories, useDesk } from './support/story';
import { add, answers, itself, readsShow, set, takes, type Desk, type Step } from './support/storyActs';
import { fails, poll, polls, sent, tried, warned } from './support/storyPolls';
import { BROKEN, EMPTY, isByIds, isList, isRead, ok } from './support/triggerCalls';

/** Lists that are odd, fail, or say less than a record. */

interface Listed extends Record<string, unknown> {
  readonly ID: { readonly val: string };
}
/** All lists are this one from now on, its records altered; reads give the first one, if they are altered, too. */
const lists =
  (alter: (records: readonly Listed[]) => readonly object[], altersReads = false): Step =>
  async (at) => {
    const { list, ...rest } = await at.sandbox.call<{ list: { item: Listed[] } }>('list_data', {
      app_id: '@tickets',
    });
    const item = JSON.parse(JSON.stringify(alter(list.item))) as object[];
    await answers((call) =>
      isList(call)
        ? ok({ ...rest, list: { item } })
        : altersReads && isRead(call)
          ? ok({ record: item[0] })
          : undefined,
    )(at);
  };
const CALLED_REVISION = {
  application: { parts: ['Title', 'revision'].map((name) => ({ name, type: 'textbox' })), records: [{}] },
};
const hidingRevision = (all: readonly Listed[]) => all.map((each) => ({ ...each, revision: { val: '1' } }));
const OPEN = [{ part: 'State', operator: 'equals', value: 'open', valueType: 'value' }];
/** No record meets the filter any more. */
const nothingOpen = (call: SentCall) =>
  isList(call) ? EMPTY : call.action === 'count_data' ? ok({ allcnt: '0' }) : undefined;
const SIX_HOURS = 6 * 3_600_000;

testStories(useDesk(), {
  ...each(['steps', 'is suspended'])('a clock that %s during a page slows down no later poll', (how) => ({
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
  })),
  ...each([
    ['503', { statusCode: 503, body: '' }, 6],
    ['500', BROKEN, 12],
  ])(
    'a service that answers %s for good fails a poll after the tries of one call, or of two',
    ([, answer, most]) => [
      [answers(() => answer), sent({}), fails(/./)],
      ({ trigger }) => {
        const lengths = trigger.calls.filter(isList).map(({ form }) => form.get('limit'));
        expect(new Set(lengths).size).toBe(1);
      },
      sent({ all: { most } }),
    ],
  ),
  'a filter that moves on from a thousand records costs no read for each': {
    ...{ application: { records: numbered(1000) }, where: OPEN },
    steps: [
      answers((call) => (isByIds(call) ? undefined : nothingOpen(call))),
      [sent({}), poll(), polls(2), warned(null), sent({ get_data: 0, all: { most: 30 } })],
    ],
  },
  'a list by ID that fails costs reads only of those that other lists have not shown': {
    ...{ application: { records: numbered(1040) }, where: OPEN },
    steps: [
      answers((call) => {
        if (!isByIds(call)) return nothingOpen(call);
        return call.form.get('filter')!.includes('\\t1020') ? BROKEN : undefined;
      }),
      [sent({}), poll(), warned(null), sent({ get_data: 50 })],
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
  'a part that is called revision is not taken for it': {
    ...CALLED_REVISION,
    steps: [set('1', { Title: 'Uno' }), lists(hidingRevision), poll('updated 1 (1 to 2)')],
  },
  'a part that stands in the place of the revision everywhere fails the poll, which says so': {
    ...CALLED_REVISION,
    steps: [
      set('1', { Title: 'Uno' }),
      lists(hidingRevision, true),
      poll(),
      fails(/^Record 1 is shown without its revision, so changes cannot be seen$/),
    ],
  },
  'a part that reads show otherwise than lists is compared as lists show it': {
    parameters: { watchParts: ['Title'] },
    steps: [
      [set('1', { Title: 'Uno' }), readsShow('1', { Title: { val: 'Uno!' } }), poll('updated 1 (1 to 2)')],
      [itself, set('1', { Price: '5' }), poll()],
    ],
  },
  'lists that are not in the order of their IDs are an error': [
    lists((all) => [...all].reverse()),
    fails(/does not list the records in the order of their IDs/),
  ],
});
