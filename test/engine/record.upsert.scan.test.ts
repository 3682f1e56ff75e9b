import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace(null);

const PARTS = [
  { name: 'Code', type: 'textbox' },
  { name: 'Size', type: 'number' },
];

/** More records than fit into a few pages, so that small reads can be cheaper than a scan. */
const COUNT = 26_000;

beforeAll(async () => {
  const records = Array.from({ length: COUNT }, (_, index) => ({ Code: `C${index}`, Size: String(index) }));
  await place.open({ parts: PARTS, records });
});

afterEach(async () => {
  await place.sandbox.resetDialect();
  await place.sandbox.clearLog();
  await place.sandbox.clearStatistics();
});

let size = COUNT;

/** Each run writes another size than any record holds. */
const upsert = async (...codes: string[]) =>
  await place.upsert(
    { values: { Code: '={{ $json.c }}', Size: ++size }, matchBy: ['Code'] },
    { input: itemsOf(...codes.map((c) => ({ c }))) },
  );

const filters = async () =>
  (await place.sent('list_data')).flatMap(({ filter }) => (filter === undefined ? [] : [filter]));

/** The number of records that the calls so far have read, found by repeating the calls. */
const recordsRead = async (): Promise<number> => {
  let count = (await place.calls('get_data')).length;
  for (const call of await place.sent('list_data')) {
    const { list } = await place.sandbox.call('list_data', call);
    count += (list as { item: unknown[] }).item.length;
  }
  return count;
};

test.each([
  [['C25999'], 3, 1],
  [['C25999', 'C7', 'C400'], 7, 3],
])('existing keys: %j needs %i requests and %i records', async (codes, requests, records) => {
  const { json } = await upsert(...codes);
  expect(json.map(({ outcome, id }) => [outcome, id])).toEqual(
    codes.map((code) => ['updated', String(Number(code.slice(1)) + 1)]),
  );
  expect((await place.sandbox.statistics()).calls).toBe(requests);
  expect(await recordsRead()).toBe(records);
});

test('a missing key: "=" proves itself, and the application is running', async () => {
  const { json } = await upsert('C25999', 'new', 'C25999');
  expect(json.map(({ outcome }) => outcome)).toEqual(['updated', 'created', 'unchanged']);
  expect(json[0]?.id).toBe('26000');
  const asked = (await filters()).map(
    (text) => (JSON.parse(text) as { item: { operator: string; value: string }[] }).item,
  );
  expect(asked.map(([condition]) => [condition?.operator, condition?.value])).toEqual([
    ['=', 'C25999'],
    ['=', 'new'],
    ['=', 'C25999'],
  ]);
  expect((await place.actions()).filter((action) => action === 'get_app')).toHaveLength(2);
});

test.each(['refused', 'ignored', 'misses'])(
  'if the service has equals %s, the parts are scanned and nothing is created twice',
  async (how) => {
    await place.sandbox.setDialect({ equals: `${how}:textbox` });
    const { json } = await upsert('C25999', `new, ${how}`);
    expect(json.map(({ outcome }) => outcome)).toEqual(['updated', 'created']);
    expect(await place.calls('insert_data')).toHaveLength(1);
  },
);

test.each(['two\nlines', "O'Brien", 'a\\b', '<b>', ' x', 'a\tb'])(
  'a key that a service might read differently is searched by a scan: %j',
  async (code) => {
    expect((await upsert(code)).json).toMatchObject([{ outcome: 'created' }]);
    expect(await filters()).toEqual([]);
  },
);
