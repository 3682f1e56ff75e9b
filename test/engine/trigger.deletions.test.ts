import { decodeState } from '../../nodes/ApplicationDataService/trigger/state/stateCodec';
import { inWords, numbered, upTo } from '../support/triggerTickets';
import { ng } from './support/table';
import { each, testStories, useDesk } from './support/story';
import { answers, faults, limited, passes, remove, rights, set, type Step } from './support/storyActs';
import { poll, polls, restart, sent } from './support/storyPolls';
import { REFUSED, isRead } from './support/triggerCalls';

const OPEN = [{ part: 'State', operator: 'equals', value: 'open', valueType: 'value' }];
const refusedOnce = faults(ng('get_data', { times: 1 }));
const gone = (...ids: readonly string[]) => ids.map((id) => `deleted ${id} (1)`);
/** The state knows so many records, and these outside the filter. */
const knows =
  (size: number, ...outside: readonly string[]): Step =>
  async ({ trigger }) => {
    const { records } = (await decodeState(trigger.state))!;
    expect([records.size, records.outside()]).toEqual([size, outside]);
  };

testStories(useDesk(), {
  'deletions are not assumed if the service refuses to read a record once': {
    where: OPEN,
    steps: [
      [set('1', { State: 'closed' }), refusedOnce, poll()],
      [faults(), set('1', { State: 'open' }), poll('updated 1 (1 to 3)')],
      [remove('1'), refusedOnce, poll('deleted 1 (3)')],
    ],
  },
  'deletions are told although none of the first records can be read one by one': {
    application: { records: numbered(20) },
    steps: [
      remove('9'),
      answers((call) => (isRead(call, ...upTo(1, 8)) ? REFUSED : undefined)),
      poll(...gone('9')),
    ],
  },
  'deletions are told when the application is emptied': {
    application: { records: numbered(14) },
    steps: [remove(...upTo(1, 14)), poll(...gone(...upTo(1, 14)))],
  },
  'deletions are not assumed if the right to read is gone': {
    before: [rights({}), limited],
    steps: [
      async (at) => {
        await rights({ read: 'none' })(at);
        // Nothing can be read. Either the application still counts records, so none is deleted, or it counts none.
        const seen = await at.trigger.poll().catch(() => []);
        await rights({})(at);
        const words = inWords([...seen, ...(await at.trigger.poll())]);
        expect(words.filter((each) => each.startsWith('created'))).toEqual(
          seen.length > 0 ? ['created 1 (1)', 'created 2 (1)'] : [],
        );
      },
    ],
  },
  'deletions of records outside the filter are never told, also where another key is used then': {
    ...{ application: { records: numbered(3) }, where: OPEN, before: [rights({})] },
    steps: [
      [set(['1', '2', '3'], { State: 'closed' }), poll(), knows(3, '1', '2', '3')],
      [remove('1', '2'), limited, passes(3_600_000), sent({}), polls(3), sent({ get_data: 0 })],
    ],
  },
  ...each([
    [['created', 'updated', 'deleted'], gone(...upTo(1, 10)), { most: 25 }, knows(22)],
    [['created', 'updated'], [], 0, knows(32, ...upTo(1, 10))],
  ])('deletions are looked up only if they are wanted: %s', ([events, told, reads, after]) => ({
    ...{ application: { records: numbered(32) }, parameters: { events } },
    steps: [knows(32), remove(...upTo(1, 10)), sent({}), polls(3, ...told), sent({ get_data: reads }), after],
  })),
  'deletions that are no longer wanted are not looked up': {
    ...{ application: { records: numbered(20) }, options: { maxRecordsPerPoll: 1 } },
    steps: [
      [remove(...upTo(1, 4)), poll(...gone('1')), restart({ events: ['created', 'updated'] }), sent({})],
      [polls(2), knows(19, ...upTo(2, 4)), sent({ get_data: 0 })],
    ],
  },
});
