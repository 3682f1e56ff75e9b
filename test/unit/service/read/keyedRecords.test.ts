import { makePart, TOKYO } from '../../parts/support/parts';
import { FakeService, val, type Reply } from '../support/fakeService';
import {
  findMatches,
  type KeyedRecord,
  keyText,
} from '../../../../nodes/ApplicationDataService/service/read/keyedRecords';

const code = makePart('textbox', { id: '101', name: 'Code' });
const size = makePart('number', { id: '102', name: 'Size' });
const tags = makePart('checkbox', { id: '103', name: 'Tags', options: ['a', 'b'] });

type Stored = Readonly<Record<string, unknown>>;

/** A service that lists records, and supports the configured filters: `=`, `contains`, keyword. */
function serviceOf(
  records: readonly Stored[],
  narrowed: (value: string, operator: string) => Reply = () => 'refused',
) {
  return new FakeService([code, size, tags], (call) => {
    if (call.action === 'count_data') return { allcnt: records.length };
    if (call.filter !== undefined) {
      const { item } = JSON.parse(call.filter) as { item: { value: string; operator: string }[] };
      return narrowed(item[0]?.value ?? '', item[0]?.operator ?? '');
    }
    if (call.keyword !== undefined) return narrowed(call.keyword, 'keyword');
    const from = Number(call.offset ?? 0);
    const sorted = call.sort_order === 'desc' ? records.toReversed() : records;
    return { list: { item: sorted.slice(from, from + Number(call.limit)) } };
  });
}

const record = (id: number, codeText: string, more: Stored = {}): Stored => ({
  ID: val(String(id)),
  revision: { val: '3', deny_write: 'on' },
  Code: val(codeText),
  ...more,
});

const many = Array.from({ length: 25_000 }, (_, index) => record(index + 1, `C${index}`));
const found = (value: string) => ({
  list: { item: many.filter(({ Code }) => (Code as { val: string }).val === value) },
});

/** IDs and revisions of the records of each key. */
async function matchesOf(...asked: Parameters<typeof findMatches>): Promise<Map<string, KeyedRecord[]>> {
  return (await findMatches(...asked)).found;
}

const shown = (matches: Awaited<ReturnType<typeof matchesOf>>) =>
  [...matches.values()].map((records) => records.map(({ id, revision }) => ({ id, revision })));

test.each([
  ['by a small read', many, ['C3']],
  ['by a scan', many.slice(0, 9), ["O'Brien", 'C3']],
])('%s the records come with the parts that are to be known besides', async (_, stored, keys) => {
  const sized = stored.map((each, index): Stored => ({ ...each, Size: val(String(index)) }));
  const fake = serviceOf(sized, (value) => ({
    list: { item: sized.filter(({ Code }) => (Code as { val: string }).val === value) },
  }));
  const asked = keys.map((key) => [key]);
  const matches = await matchesOf(fake.app, [code], asked, TOKYO, [size, code]);
  expect(matches.get(keyText(['C3']))?.[0]?.record).toMatchObject({ id: '4', Code: 'C3', Size: 3 });
  expect(fake.of('list_data').map(({ fields = '' }) => JSON.parse(fields) as unknown)).toEqual([
    ['ID', 'Code', 'Size', 'revision'].map((name) => ({ field_name: name })),
  ]);
});

/** The filters that were sent, as `operator value`. */
const filters = (fake: FakeService) =>
  fake.calls.flatMap(({ filter }) => {
    if (filter === undefined) return [];
    const [condition] = (JSON.parse(filter) as { item: { operator: string; value: string }[] }).item;
    return [`${condition?.operator} ${condition?.value}`];
  });

test('a missing key of a small application: the newest records are all, as a count says', async () => {
  const fake = serviceOf(many.slice(0, 100), found);
  expect((await matchesOf(fake.app, [code], [['none']], TOKYO)).size).toBe(0);
  expect(fake.calls.map(({ action }) => action)).toEqual(['list_data', 'list_data', 'count_data', 'get_app']);
});

test.each<[string, (value: string) => Reply]>([
  ['finds something else', () => ({ list: { item: [many[7]] } })],
  ['finds a page of others', () => ({ list: { item: many.slice(0, 10) } })],
])('if "=" %s, all records are scanned', async (_, equals) => {
  const fake = serviceOf(many, equals);
  const matches = await matchesOf(fake.app, [code], [['C24999'], ['none']], TOKYO);
  expect(shown(matches)).toEqual([[{ id: '25000', revision: 3 }]]);
  expect(fake.of('list_data').at(-1)).toMatchObject({ limit: '5000' });
});

test('other records found by "=" are left out, and "=" no longer proves that a key is missing', async () => {
  const fake = serviceOf(many, (value) => ({ list: { item: [...found(value).list.item, many[7]] } }));
  expect([...(await matchesOf(fake.app, [code], [['C24999']], TOKYO)).keys()]).toEqual([keyText(['C24999'])]);
  expect(fake.calls).toHaveLength(1);
  expect((await matchesOf(fake.app, [code], [['none']], TOKYO)).size).toBe(0);
  expect(fake.of('list_data').at(-1)).toMatchObject({ limit: '5000' });
});

describe('a key that "=" does not find is searched by a scan if', () => {
  test('somebody adds a record while the newest are read', async () => {
    const stored = [record(1, 'C1'), record(2, 'C2')];
    const fake = new FakeService([code], (call) => {
      if (call.filter !== undefined) return { list: { item: [] } };
      if (call.action === 'count_data') {
        if (stored.length === 2) stored.push(record(3, 'C3'));
        return { allcnt: stored.length };
      }
      const sorted = call.sort_order === 'desc' ? stored.toReversed() : stored;
      const from = Number(call.offset ?? 0);
      return { list: { item: sorted.slice(from, from + Number(call.limit)) } };
    });
    expect((await matchesOf(fake.app, [code], [['C3']], TOKYO)).get(keyText(['C3']))).toHaveLength(1);
  });

  test.each(["O'Brien", '"x"', 'a\\b', '<b>', 'R&D', ' x', 'x ', 'two\nlines', 'a\tb'])(
    'a service might read it differently: %j',
    async (text) => {
      const fake = serviceOf([...many, record(25_001, text)], () => ({ list: { item: [] } }));
      expect((await matchesOf(fake.app, [code], [[text]], TOKYO)).size).toBe(1);
      expect(filters(fake)).toEqual([]);
    },
  );

  test('all records that were read have the same key: nothing shows that others are left out', async () => {
    const twins = Array.from({ length: 12_000 }, (_, index) => record(index + 1, 'x'));
    const fake = serviceOf([record(12_001, 'y'), ...twins], (value) => ({
      list: { item: value === 'x' ? twins.slice(-1) : [] },
    }));
    expect((await matchesOf(fake.app, [code], [['y']], TOKYO)).size).toBe(1);
  });

  test('the part holds several values: they are compared as a whole, in any order', async () => {
    const stored = [record(1, 'x', { Tags: val('b\ta') }), record(2, 'y', { Tags: val('a') })];
    const fake = serviceOf(stored, () => ({ list: { item: [] } }));
    const matches = await matchesOf(fake.app, [tags], [['a'], ['a\tb'], ['b']], TOKYO);
    expect(shown(matches)).toEqual([[{ id: '2', revision: 3 }], [{ id: '1', revision: 3 }]].toReversed());
    expect(filters(fake)).toEqual([]);
  });
});

test('if one key has so many records that an answer may leave some out, all are named', async () => {
  const twins = Array.from({ length: 20 }, (_, index) => record(index + 30_000, 'twin'));
  const fake = serviceOf([...many, ...twins], () => ({ list: { item: twins.slice(0, 10) } }));
  expect((await matchesOf(fake.app, [code], [['twin']], TOKYO)).get(keyText(['twin']))).toHaveLength(20);
});

test('with some keys more, records count as much as requests', async () => {
  const keysOf = (count: number) => Array.from({ length: count }, (_, index) => [`C${index * 200}`]);
  const few = serviceOf(many, found);
  expect((await matchesOf(few.app, [code], keysOf(40), TOKYO)).size).toBe(40);
  // A count, and a small read each.
  expect([few.of('list_data').length, few.of('count_data').length]).toEqual([40, 1]);

  const fake = serviceOf(many, found);
  expect((await matchesOf(fake.app, [code], keysOf(100), TOKYO)).size).toBe(100);
  expect(filters(fake)).toEqual([]);
  expect(fake.of('list_data')).toHaveLength(6);
});

test('a small application is read at once if several keys are needed', async () => {
  const fake = serviceOf(many.slice(0, 300), found);
  const keys = ['C1', 'C2', 'C3', 'none'].map((text) => [text]);
  expect((await matchesOf(fake.app, [code], keys, TOKYO)).size).toBe(3);
  expect(fake.calls.map(({ action }) => action)).toEqual([
    'count_data',
    'list_data',
    'count_data',
    'get_app',
  ]);
});

describe('a record that does not show its key could be the one:', () => {
  const hidden = { ID: val('2'), Code: { val: '', error: 'unauthorized' } };
  const renamed = { ID: val('2'), 'New Code': val('x') };
  const unnamed = { Code: val('x') };
  test.each<[string, readonly Stored[], readonly string[], RegExp]>([
    ['hidden, in a scan', [hidden], ["O'Brien"], /The record 2 does not show "Code"/],
    [
      'renamed or keyed otherwise meanwhile, in a scan',
      [renamed],
      ["O'Brien"],
      /The record 2 does not show "Code"/,
    ],
    ['hidden, where the service finds it', [hidden], ['x'], /The record 2 does not show "Code"/],
    ['renamed meanwhile, where the service finds it', [renamed], ['x'], /The record 2 does not show "Code"/],
    ['without an ID', [unnamed], ['x'], /lists a record without its ID/],
    ['no record at all', ['x' as unknown as Stored], ['x'], /lists something that is no record/],
  ])('%s', async (_, stored, keys, message) => {
    const { app } = serviceOf([record(1, 'y'), ...stored], () => ({ list: { item: stored } }));
    await expect(matchesOf(app, [code], [keys], TOKYO)).rejects.toThrow(message);
  });
});

describe('a key that is not found is new only if', () => {
  test('the whole list was read: one that is counted longer is an error', async () => {
    const stored = Array.from({ length: 190 }, (_, index) => record(index + 1, `C${index + 1}`));
    const { app } = new FakeService([code], (call) =>
      call.action === 'count_data' ? { allcnt: 190 } : { list: { item: stored.slice(0, 50) } },
    );
    const keys = stored.map((_, index) => [`C${index + 1}`]);
    await expect(matchesOf(app, [code], keys, TOKYO)).rejects.toThrow(
      'counts 190 records, but lists only 50',
    );
  });

  test.each(['maintenance', 'stopped'])('the application is not in %s afterwards', async (status) => {
    const service = serviceOf([record(1, 'x')]);
    service.definition = { id: '301', name: 'Goods', app_status: status };
    await expect(matchesOf(service.app, [code], [['x'], ['z']], TOKYO)).rejects.toThrow(
      `The application "Goods" is not running (${status})`,
    );
  });
});
