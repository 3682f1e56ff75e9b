import { readSelection, Warnings } from '../../../../nodes/ApplicationDataService/service/read/selection';
import { makePart } from '../../parts/support/parts';
import { applicationOf, val } from '../support/preparedClient';

const rank = makePart('number', { id: '101', name: 'Rank' });

/** Every record has a rank of its own but for the last, whose rank is empty: in another order than the IDs. */
const records = Array.from({ length: 1200 }, (_, index) => ({
  ID: val(String(index + 1)),
  Rank: val(index === 1199 ? '' : String((index * 7) % 1199)),
}));

/** Each slice takes long. */
let now = performance.now() + 1000;

const list = { conditions: [], match: 'any' } as const;
const byId = records.map(({ ID }) => ID);
const rankOf = ({ Rank: { val } }: (typeof records)[number]) => (val === '' ? -1 : Number(val));
const byRank = records.toSorted((one, other) => rankOf(one) - rankOf(other));

test.each([
  ['of one list', 1, {}, byId],
  ['of several lists, joined', 3, {}, byId],
  ['of several lists, sorted', 3, { sort: { part: rank, order: 'asc' } }, byRank.map(({ ID }) => ID)],
  [
    'of several lists, sorted down',
    2,
    { sort: { part: rank, order: 'desc' } },
    byRank.toReversed().map(({ ID }) => ID),
  ],
  [
    'of several lists, sorted and limited',
    2,
    { sort: { part: rank, order: 'asc' }, limit: 700 },
    byRank.slice(0, 700).map(({ ID }) => ID),
  ],
] as const)('records %s come once, in order, in slices between which others are served', async (...row) => {
  const [, lists, more, expected] = row;
  const fake = applicationOf([rank], ({ offset = '0', limit }) => ({
    list: { item: records.slice(Number(offset), Number(offset) + Number(limit)) },
  }));
  const selection = {
    parts: [],
    keyMode: 'name',
    lists: [list, ...Array<typeof list>(lists - 1).fill(list)],
    ...more,
  } as const;
  const found: unknown[] = [];
  let served = true;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  for await (const slice of readSelection(fake.app, selection, new Warnings())) {
    expect(served).toBe(true);
    served = false;
    setImmediate(() => (served = true));
    now += 100;
    expect(slice.length).toBeLessThanOrEqual(500);
    found.push(...slice.map(({ ID }) => ID));
  }
  expect(found).toEqual(expected);
});

test('joined lists are read in step, so that they are not held', async () => {
  const asked: string[] = [];
  const wanted = (filter: string): typeof records =>
    records.filter(({ ID }) => Number(ID.val) % 2 === Number(filter === 'odd'));
  const fake = applicationOf([rank], ({ filter = '', offset = '0', limit }) => {
    asked.push(filter);
    return { list: { item: wanted(filter).slice(Number(offset), Number(offset) + Number(limit)) } };
  });
  const lists = [
    { ...list, filter: 'odd' },
    { ...list, filter: 'even' },
  ] as const;
  const joined = readSelection(fake.app, { parts: [], keyMode: 'name', lists, length: 250 }, new Warnings());
  const found: unknown[] = [];
  for await (const slice of joined) {
    if (found.length === 0) expect(asked).toEqual(['odd', 'even']);
    found.push(...slice.map(({ ID }) => ID));
  }
  expect(found).toEqual(byId);
});

afterEach(() => jest.restoreAllMocks());
