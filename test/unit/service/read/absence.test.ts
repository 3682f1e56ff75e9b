import { readWholeList } from '../../../../nodes/ApplicationDataService/service/read/absence';
import { makePart } from '../../parts/support/parts';
import { type Call, FakeService, type Reply, val } from '../support/fakeService';

const code = makePart('textbox', { id: '101', name: 'Code' });

type Stored = Readonly<Record<string, unknown>>;

const record = (id: number): Stored => ({ ID: val(String(id)), Code: val(`C${id}`) });
const records = (length: number): Stored[] => Array.from({ length }, (_, index) => record(index + 1));

interface Manner {
  /** The most records at a time. */
  readonly most?: number;
  readonly count?: number | 'refused';
}

function serviceOf(stored: readonly Stored[], { most = 5000, count = stored.length }: Manner = {}) {
  return new FakeService([code], (call: Call): Reply => {
    if (call.action === 'count_data') return count === 'refused' ? 'refused' : { allcnt: count };
    const from = Number(call.offset ?? 0);
    return { list: { item: stored.slice(from, from + Math.min(most, Number(call.limit))) } };
  });
}

async function readAll({ app }: FakeService): Promise<number> {
  let length = 0;
  for await (const page of readWholeList(app, { parts: [code], keyMode: 'name' })) length += page.length;
  return length;
}

test.each([
  ['an empty list', 0, { most: 5000 }, ['list_data', 'count_data', 'get_app']],
  ['a page whose count agrees', 7, { most: 5000 }, ['list_data', 'count_data', 'get_app']],
  ['a full page', 5000, { most: 5000 }, ['list_data', 'list_data', 'count_data', 'get_app']],
  [
    'pages shorter than asked for, counted once before the end',
    190,
    { most: 70 },
    ['list_data', 'count_data', 'list_data', 'list_data', 'count_data', 'get_app'],
  ],
] as const)('reads %s to its end', async (_, length, service, actions) => {
  const fake = serviceOf(records(length), service);
  expect(await readAll(fake)).toBe(length);
  expect(fake.calls.map(({ action }) => action)).toEqual(actions);
});

test.each([
  ['does not agree', 999],
  ['is refused', 'refused'],
  ['is less than what was read', 3],
] as const)('if the count %s, an empty page ends the list', async (_, count) => {
  const fake = serviceOf(records(190), { most: 70, count });
  expect(await readAll(fake)).toBe(190);
  const [last] = fake.of('list_data').slice(-1);
  expect(Number(last?.offset)).toBe(190);
});

test('a list without records is accepted only if the count agrees', async () => {
  await expect(readAll(serviceOf([], { count: 3 }))).rejects.toThrow(
    'does not list the same records each time',
  );
  expect(await readAll(serviceOf([], { count: 'refused' }))).toBe(0);
});

test('a list of which two pages in a row bring nothing new has no end', async () => {
  const stored = records(9000);
  const fake = new FakeService([code], ({ action }) =>
    action === 'count_data' ? { allcnt: 9000 } : { list: { item: stored.slice(0, 5000) } },
  );
  await expect(readAll(fake)).rejects.toThrow('returns the same records again and again');
  expect(fake.of('list_data')).toHaveLength(3);
});

test('a record without its ID is refused', async () => {
  const fake = serviceOf([record(1), { Code: val('x') }]);
  await expect(readAll(fake)).rejects.toThrow('lists a record without its ID');
});

test.each(['maintenance', 'stopped'])(
  'proves nothing if the application is in %s afterwards',
  async (status) => {
    const fake = serviceOf(records(3));
    fake.definition = { id: '301', name: 'Goods', app_status: status };
    await expect(readAll(fake)).rejects.toThrow(`The application "Goods" is not running (${status})`);
  },
);
