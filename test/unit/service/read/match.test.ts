import { findMatches } from '../../../../nodes/ApplicationDataService/service/read/match';
import { makePart, TOKYO } from '../../parts/support/parts';
import { FakeService, val, type Reply } from '../support/fakeService';
import { keyText } from '../../../../nodes/ApplicationDataService/service/read/keyedRecords';

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
    return { list: { item: records.slice(from, from + Number(call.limit)) } };
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

test('returns the records of each key, with their revisions', async () => {
  const { app } = serviceOf([record(1, 'x'), record(2, 'y'), record(3, 'x')]);
  const matches = await findMatches(app, [code], [['x'], ['z']], TOKYO);
  expect(Object.fromEntries(matches)).toEqual({
    [keyText(['x'])]: [
      { id: '1', revision: 3 },
      { id: '3', revision: 3 },
    ],
  });
});

test('compares what values mean: numbers, separators, the order of choices', async () => {
  const { app } = serviceOf([
    record(1, 'x', { Size: val('1,200.50'), Tags: val('b\ta') }),
    record(2, 'x', { Size: val('1200.05'), Tags: val('a') }),
  ]);
  const matches = await findMatches(app, [size, tags], [['1200.5', 'a\tb']], TOKYO);
  expect([...matches.values()]).toEqual([[{ id: '1', revision: 3 }]]);
});

test('requests only the matching parts', async () => {
  const { app, calls } = serviceOf([record(1, 'x')]);
  await findMatches(app, [code], [['x']], TOKYO);
  expect(JSON.parse(calls[0]?.fields ?? '')).toEqual([
    { field_name: 'ID' },
    { field_name: 'Code' },
    { field_name: 'revision' },
  ]);
});

/** The filters that were sent, as `operator value`. */
const filters = (fake: FakeService) =>
  fake.calls.flatMap(({ filter }) => {
    if (filter === undefined) return [];
    const [condition] = (JSON.parse(filter) as { item: { operator: string; value: string }[] }).item;
    return [`${condition?.operator} ${condition?.value}`];
  });

test('a few existing keys: one small read each, whatever the number of records', async () => {
  const fake = serviceOf(many, found);
  const matches = await findMatches(fake.app, [code], [['C24999'], ['C3']], TOKYO);
  expect([...matches.values()]).toEqual([[{ id: '25000', revision: 3 }], [{ id: '4', revision: 3 }]]);
  expect(fake.calls.map(({ action, limit }) => [action, limit])).toEqual([
    ['list_data', '10'],
    ['list_data', '10'],
  ]);
});

test('a missing key: "=" proves itself, another route confirms it, and the application is running', async () => {
  const fake = serviceOf(many, found);
  const matches = await findMatches(fake.app, [code], [['C24999'], ['none']], TOKYO);
  expect([...matches.values()]).toEqual([[{ id: '25000', revision: 3 }]]);
  expect(filters(fake)).toEqual(['= C24999', '= none', '= C100', 'contains C100', 'contains none']);
  expect(fake.of('list_data').map(({ limit }) => Number(limit))).toEqual([10, 10, 150, 10, 200, 200]);
  expect(fake.of('get_app')).toHaveLength(1);
});

test.each<[string, (value: string) => Reply]>([
  ['is refused', () => 'refused'],
  ['finds nothing', () => ({ list: { item: [] } })],
  ['finds something else', () => ({ list: { item: [many[7]] } })],
  ['finds a page of others', () => ({ list: { item: many.slice(0, 10) } })],
])('if "=" %s, all records are scanned', async (_, equals) => {
  const fake = serviceOf(many, equals);
  const matches = await findMatches(fake.app, [code], [['C24999'], ['none']], TOKYO);
  expect([...matches.values()]).toEqual([[{ id: '25000', revision: 3 }]]);
  expect(fake.of('list_data').at(-1)).toMatchObject({ limit: '5000' });
});

test('other records found by "=" are left out, and "=" no longer proves that a key is missing', async () => {
  const fake = serviceOf(many, (value) => ({ list: { item: [...found(value).list.item, many[7]] } }));
  expect([...(await findMatches(fake.app, [code], [['C24999']], TOKYO)).keys()]).toEqual([
    keyText(['C24999']),
  ]);
  expect(fake.calls).toHaveLength(1);
  expect((await findMatches(fake.app, [code], [['none']], TOKYO)).size).toBe(0);
  expect(fake.of('list_data').at(-1)).toMatchObject({ limit: '5000' });
});

describe('a key that "=" does not find is searched', () => {
  /** A service in which `=` misses the key `blind`, and which supports only `routes` besides. */
  const blindTo = (blind: string, routes: readonly string[]) =>
    serviceOf(many, (value, operator) => {
      if (operator !== '=' && !routes.includes(operator)) return 'refused';
      return operator === '=' && value === blind ? { list: { item: [] } } : found(value);
    });

  test('by another route, and by a scan if that finds it', async () => {
    const fake = blindTo('C300', ['contains']);
    const matches = await findMatches(fake.app, [code], [['C300']], TOKYO);
    expect([...matches.values()]).toEqual([[{ id: '301', revision: 3 }]]);
    expect(filters(fake).at(-1)).toBe('contains C300');
  });

  test('by keyword if "contains" is not supported', async () => {
    const fake = blindTo('C300', ['keyword']);
    const matches = await findMatches(fake.app, [code], [['C300']], TOKYO);
    expect([...matches.values()]).toEqual([[{ id: '301', revision: 3 }]]);
    expect(fake.calls.flatMap(({ keyword }) => keyword ?? [])).toEqual(['C100', 'C300']);
  });

  test('by a sample that few others contain, and by a second one if more do than can be read', async () => {
    const containing = (value: string) => ({
      list: { item: many.filter(({ Code }) => (Code as { val: string }).val.includes(value)).slice(0, 200) },
    });
    const answer = (value: string, operator: string): Reply => {
      if (operator === '=') return found(value);
      return value === 'C100' ? { list: { item: many.slice(0, 200) } } : containing(value);
    };
    const fake = serviceOf(many, answer);
    expect((await findMatches(fake.app, [code], [['C25001']], TOKYO)).size).toBe(0);
    expect(filters(fake)).toEqual([
      '= C25001',
      '= C100',
      'contains C100',
      'contains C101',
      'contains C25001',
    ]);
    expect(fake.of('list_data').filter(({ limit }) => limit === '5000')).toEqual([]);
  });

  test('by a sample that only one record holds, where most share a value', async () => {
    const shared = many.map((each, index) => (index < 100 ? record(index + 1, 'open') : each));
    const fake = serviceOf(shared, (value) => ({
      list: { item: shared.filter(({ Code }) => (Code as { val: string }).val === value).slice(0, 10) },
    }));
    expect((await findMatches(fake.app, [code], [['C25001']], TOKYO)).size).toBe(0);
    expect(fake.of('list_data').filter(({ limit }) => limit === '5000')).toEqual([]);
  });

  test('by a scan in their order if somebody adds a record while the newest are read', async () => {
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
    expect((await findMatches(fake.app, [code], [['C3']], TOKYO)).get(keyText(['C3']))).toHaveLength(1);
  });

  test('by a scan if no other route finds an existing record', async () => {
    const fake = blindTo('C300', []);
    expect((await findMatches(fake.app, [code], [['C300']], TOKYO)).size).toBe(1);
  });

  test.each(["O'Brien", '"x"', 'a\\b', '<b>', 'R&D', ' x', 'x '])(
    'by a scan if a service might read %j differently',
    async (text) => {
      const stored = [...many, record(25_001, text)];
      const fake = serviceOf(stored, (value) => (value === text ? { list: { item: [] } } : found(value)));
      expect((await findMatches(fake.app, [code], [[text]], TOKYO)).size).toBe(1);
    },
  );

  test('by a scan if all records that were read have the same key: nothing shows that others are left out', async () => {
    const twins = Array.from({ length: 12_000 }, (_, index) => record(index + 1, 'x'));
    const fake = serviceOf([...twins, record(12_001, 'y')], (value) => ({
      list: { item: value === 'x' ? [twins[0]] : [] },
    }));
    expect((await findMatches(fake.app, [code], [['y']], TOKYO)).size).toBe(1);
  });

  test('by a scan if the other route returns more than can be read at once', async () => {
    const fake = serviceOf(many, (value, operator) => {
      if (operator === '=') return value === 'C300' ? { list: { item: [] } } : found(value);
      return {
        list: { item: many.filter(({ Code }) => (Code as { val: string }).val !== 'C300').slice(0, 200) },
      };
    });
    expect((await findMatches(fake.app, [code], [['C300']], TOKYO)).size).toBe(1);
  });
});

test('if one key has so many records that an answer may leave some out, all are named', async () => {
  const twins = Array.from({ length: 20 }, (_, index) => record(index + 30_000, 'twin'));
  const fake = serviceOf([...many, ...twins], () => ({ list: { item: twins.slice(0, 10) } }));
  expect((await findMatches(fake.app, [code], [['twin']], TOKYO)).get(keyText(['twin']))).toHaveLength(20);
});

test('with some keys more, records count as much as requests', async () => {
  const keysOf = (count: number) => Array.from({ length: count }, (_, index) => [`C${index * 200}`]);
  const few = serviceOf(many, found);
  expect((await findMatches(few.app, [code], keysOf(40), TOKYO, 4)).size).toBe(40);
  // At most one page of 40 * 200 records, a count, the proof, and a small read each.
  expect([few.of('list_data').length, few.of('count_data').length]).toEqual([42, 1]);

  const fake = serviceOf(many, found);
  expect((await findMatches(fake.app, [code], keysOf(100), TOKYO)).size).toBe(100);
  expect(filters(fake)).toEqual([]);
  expect(fake.of('list_data')).toHaveLength(6);
});

test('a small application is read at once if several keys are needed', async () => {
  const fake = serviceOf(many.slice(0, 300), found);
  const keys = ['C1', 'C2', 'C3', 'none'].map((text) => [text]);
  expect((await findMatches(fake.app, [code], keys, TOKYO)).size).toBe(3);
  expect(fake.calls.map(({ action }) => action)).toEqual(['list_data', 'count_data', 'get_app']);
});

test('a hidden matching part is refused', async () => {
  const { app } = serviceOf([record(1, 'x'), { ID: val('2'), Code: { val: '', error: 'unauthorized' } }]);
  await expect(findMatches(app, [code], [['x']], TOKYO)).rejects.toThrow(/Records cannot be found by "Code"/);
});

describe('a key that is not found is new only if', () => {
  test('the whole list was read: a service may return fewer records at a time than requested', async () => {
    const stored = Array.from({ length: 190 }, (_, index) => record(index + 1, `C${index + 1}`));
    const { app } = new FakeService([code], (call) => {
      if (call.action === 'count_data') return { allcnt: stored.length };
      const from = Number(call.offset ?? 0);
      return { list: { item: stored.slice(from, from + Math.min(50, Number(call.limit))) } };
    });
    const keys = Array.from({ length: 190 }, (_, index) => [`C${index + 1}`]);
    expect((await findMatches(app, [code], keys, TOKYO)).size).toBe(190);
  });

  test.each(['maintenance', 'stopped'])('the application is not in %s afterwards', async (status) => {
    const service = serviceOf([record(1, 'x')]);
    service.definition = { id: '301', name: 'Goods', app_status: status };
    await expect(findMatches(service.app, [code], [['x'], ['z']], TOKYO)).rejects.toThrow(
      `The application "Goods" is not running (${status})`,
    );
    // A record that was found exists, whatever the application's state now.
    expect((await findMatches(service.app, [code], [['x']], TOKYO)).size).toBe(1);
  });
});
