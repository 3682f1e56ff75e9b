import type { IDataObject } from 'n8n-workflow';

import { created, numbered, upTo } from '../support/triggerTickets';
import { anyText } from './support/like';
import { each, testStories, useDesk } from './support/story';
import { add, answers, between, failing, itself, remove, set, takes, type Step } from './support/storyActs';
import { gives, keeps, poll, polls, sent, tried, tries } from './support/storyPolls';
import { BROKEN, REFUSED, isByIds, isOfOne, isRead, isWhole } from './support/triggerCalls';

/** Records that were found and cannot be read yet, and what is slow or fails: it holds up nothing else. */
const desk = useDesk();

const OPEN = [{ part: 'State', operator: 'equals', value: 'open' }];
const uno = set('1', { Title: 'Uno' });
const nobodyWaits = keeps(/"waits":\[\]/);
const inPart: IDataObject = {
  ...{ event: 'updated', id: '1', revision: 2, previousRevision: 1 },
  readError: anyText,
};
const BUSY = { statusCode: 503, body: '' };
const misses = { equals: 'misses:id' };

describe('a record that waits', () => {
  testStories(
    desk,
    {
      ...each([{}, misses])('is not told once it has left the filter: %s', (dialect) => ({
        where: OPEN,
        steps: [
          [uno, failing('1'), poll(), itself],
          async ({ sandbox }) => await sandbox.setDialect(dialect),
          [set('1', { State: 'closed' }), polls(3)],
          [set('1', { State: 'open' }), polls(2, 'updated 1 (1 to 4)')],
        ],
      })),
      'waits no longer once it has left the filter, also where the filter cannot be asked for its ID': {
        ...{ where: OPEN, dialect: misses },
        steps: [
          [add(...numbered(1)), failing('1', '31'), uno, poll(), keeps(/"waits":\[\["/), itself],
          [set(['1', '31'], { State: 'closed' }), poll(), nobodyWaits],
        ],
      },
      ...each([
        ['refused', REFUSED],
        ['broken', BROKEN],
      ])('is none if only reads of it fail: a list of its ID shows it, %s', ([, answer]) => [
        [uno, answers((call) => (isRead(call, '1') ? answer : undefined))],
        [gives({ id: '1', Title: 'Uno', readError: undefined }), polls(2)],
      ]),
      'is given in part after three polls although the service refuses it, as lists show it': [
        [uno, answers((call) => (isOfOne(call, '1') ? REFUSED : undefined)), polls(2)],
        [gives(inPart), polls(2)],
      ],
      'is given in part also where the filter ignores its ID, and shows others': {
        ...{ where: OPEN, dialect: { equals: 'ignored:id' } },
        steps: [
          [set('5', { Title: 'x' }), failing('5'), polls(2)],
          [gives({ id: '5', readError: anyText }), polls(2)],
        ],
      },
      'is not told once it was deleted, also before the next full scan': {
        options: { updatedPart: '4' },
        steps: [uno, failing('1'), poll(), itself, remove('1'), polls(3), nobodyWaits],
      },
      'is given in part after three polls in which another record could be read': [
        [uno, set('2', { Title: 'Due' }), failing('1'), polls(2, 'updated 2 (1 to 2)')],
        // Polls in which no record can be read do not count.
        [failing(), tries(3), failing('1'), gives(inPart), polls(2)],
      ],
      'may be the newest, and answer as a busy service does': [
        [set('30', { Title: 'Last' }), uno, answers((call) => (isOfOne(call, '30') ? BUSY : undefined))],
        [polls(2, 'updated 1 (1 to 2)'), gives({ ...inPart, id: '30' }), polls(2)],
      ],
      'hides no deletion where the application was emptied meanwhile': [
        [uno, failing('1'), poll(), itself, remove(...upTo(1, 30))],
        async (at) => expect(await tried(at, 2)).toHaveLength(30),
      ],
      'is none where the service refuses lists of whole records, of many new ones': [
        add(...numbered(25)),
        answers((call) => (isWhole(call) ? REFUSED : undefined)),
        polls(2, ...created(31, 55)),
      ],
    },
    { application: { records: numbered(30) } },
  );
});

/** The IDs that some polls tell, sorted; one that fails tells none. */
const tellIds = async (trigger: { poll(): Promise<IDataObject[]> }, count: number): Promise<number[]> => {
  const items: IDataObject[] = [];
  for (let each = 0; each < count; each++) items.push(...(await trigger.poll().catch(() => [])));
  return items.map(({ id }) => Number(id)).sort((one, other) => one - other);
};
/** Some polls, which may fail, tell of these records among others. */
const tell =
  (count: number, ids: readonly number[], isMeant: (id: number) => boolean = () => true): Step =>
  async ({ trigger }) =>
    expect((await tellIds(trigger, count)).filter(isMeant)).toEqual(ids);
const is = (id: number) => (each: number) => each === id;
const idsTake = (ms: number) => takes((call) => (isByIds(call) ? ms : 20));
const range = (first: number, last: number) => upTo(first, last).map(Number);

describe('what fails or is slow holds up nothing else:', () => {
  testStories(
    desk,
    {
      ...each([
        ['slow', idsTake(20_000)],
        ['failing', answers((call) => (isByIds(call) ? BROKEN : undefined))],
      ])('%s lists by ID, of records that left the filter', ([, trouble]) => ({
        where: OPEN,
        steps: [
          [poll(), set(upTo(1, 10), { State: 'closed' }), set('30', { Title: 'x' }), trouble],
          [tell(3, [30], is(30)), set('30', { Title: 'y' }), tell(3, [30], is(30))],
        ],
      })),
      'slow lists of the IDs of hundreds that left the filter, which are settled piece by piece': {
        where: OPEN,
        steps: [
          [poll(), set(upTo(1, 390), { State: 'closed' }), idsTake(9000), tell(12, [], is(395))],
          [set('395', { Title: 'x' }), tell(3, [395], is(395))],
        ],
      },
      ...each([
        ['hangs', takes((call) => (isRead(call, '401') ? 100_000_000 : 20))],
        ['is refused', answers((call) => (isRead(call, '401') ? REFUSED : undefined))],
      ])('a new record that %s is told without its values', ([, trouble]) => [
        poll(),
        add(...numbered(1)),
        set('5', { Title: 'x' }),
        trouble,
        tell(8, [5, 401]),
      ]),
      ...each([
        [4, 'themselves', { get_data: 4, list_data: 1 }],
        [5, 'a list of their IDs', { get_data: 0, list_data: 2 }],
        [90, 'a list of their IDs', { get_data: 0, list_data: 2 }],
      ])('%s changed records are read by %s', ([count, , calls]) => [
        [poll(), set('1', { Title: 'x' }), add(...numbered(count - 1)), sent({})],
        [tell(1, [1, ...range(401, 399 + count)]), sent(calls)],
      ]),
      'many are read one by one where the service takes no IDs': [
        [poll(), add(...numbered(90)), answers((call) => (isByIds(call) ? REFUSED : undefined))],
        [sent({}), tell(1, range(401, 490)), sent({ get_data: 90 })],
      ],
      'more records that fail than may wait, of those that can be read': [
        [poll(), set(upTo(1, 300), { Title: 'x' })],
        between({
          cost: () => 20,
          answer: (call) => (isRead(call, ...upTo(1, 150)) || isWhole(call) ? REFUSED : undefined),
        }),
        tell(3, range(151, 300), (id) => id > 150),
      ],
    },
    { application: { records: numbered(400) }, engine: { budgetMs: 36_000, isDurable: true } },
  );
});
