import { inWords, numbered } from '../support/triggerTickets';
import { decodeState } from '../../nodes/ApplicationDataService/trigger/state/stateCodec';
import { FakePollClock } from '../support/fakePollClock';
import { ng } from './support/table';
import {
  all,
  answers,
  limited,
  polls,
  remove,
  rights,
  set,
  testStories,
  useDesk,
  type Act,
} from './support/polls';

const desk = useDesk();

const OPEN = { part: 'State', operator: 'equals', value: 'open', valueType: 'value' };
const refusedOnce: Act = async ({ sandbox }) => await sandbox.setFaults([ng('get_data', { times: 1 })]);
const gone = (...ids: number[]) => ids.map((id) => `deleted ${id} (1)`);
const to = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const clock = new FakePollClock();

describe('deletions', () => {
  testStories(desk, [
    {
      name: 'are not assumed if the service refuses to read a record once',
      where: [OPEN],
      steps: [
        [all(set('1', { State: 'closed' }), refusedOnce)],
        [
          all(async ({ sandbox }) => await sandbox.clearFaults(), set('1', { State: 'open' })),
          'updated 1 (1 to 3)',
        ],
        [all(remove('1'), refusedOnce), 'deleted 1 (3)'],
      ],
    },
    {
      name: 'are emitted although none of the first records can be read one by one',
      application: { records: numbered(20) },
      steps: [
        [
          all(
            remove('9'),
            answers(({ action, form }) =>
              action === 'get_data' && Number(form.get('data_id')) <= 8
                ? { statusCode: 200, body: { status: 'ng', errorno: -1, errormessage: 'No' } }
                : undefined,
            ),
          ),
          ...gone(9),
        ],
      ],
    },
    {
      name: 'are emitted when the application is emptied',
      application: { records: numbered(14) },
      steps: [[remove(...to(14).map(String)), ...gone(...to(14))]],
    },
    {
      name: 'are not assumed if the right to read is gone',
      before: all(rights({}), limited),
      after: async (desk) => {
        await rights({ read: 'none' })(desk);
        // Nothing can be read. Either the application still counts records, so none is deleted, or it counts none.
        const seen = await desk.trigger.poll().catch(() => []);
        await rights({})(desk);
        const words = inWords([...seen, ...(await desk.trigger.poll())]);
        expect(words.filter((each) => each.startsWith('created'))).toEqual(
          seen.length > 0 ? ['created 1 (1)', 'created 2 (1)'] : [],
        );
      },
    },
    {
      name: 'of records outside the filter are forgotten',
      ...{ application: { records: numbered(3) }, where: [OPEN], options: { clock } },
      steps: [
        [all(...['1', '2', '3'].map((id) => set(id, { State: 'closed' })))],
        [
          polls(
            2,
            all(remove('1', '2'), () => clock.leap(3_600_000)),
          ),
        ],
      ],
      after: async ({ trigger }) =>
        expect((await decodeState(trigger.state))?.records.outside()).toEqual(['3']),
    },
    ...[['created', 'updated', 'deleted'], ['created']].map((events) => ({
      name: `shrink the state: ${events.join()}`,
      ...{ application: { records: numbered(32) }, parameters: { events } },
      after: async ({ trigger, sandbox }: Parameters<Act>[0]) => {
        const size = async () => (await decodeState(trigger.state))?.records.size;
        expect(await size()).toBe(32);
        await polls(3, remove(...to(10).map(String)))({ trigger, sandbox });
        expect(await size()).toBe(22);
      },
    })),
  ]);
});
