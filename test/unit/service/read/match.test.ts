import { findMatches, keyText } from '../../../../nodes/ApplicationDataService/service/read/match';
import { makePart, TOKYO } from '../../parts/support/parts';
import { FakeService, val, type Reply } from '../support/fakeService';

const code = makePart('textbox', { id: '101', name: 'Code' });
const size = makePart('number', { id: '102', name: 'Size' });
const tags = makePart('checkbox', { id: '103', name: 'Tags', options: ['a', 'b'] });

type Stored = Readonly<Record<string, unknown>>;

/** A service that lists records, and filters with "=" as told. */
function serviceOf(records: readonly Stored[], equals: (value: string) => Reply = () => 'refused') {
  return new FakeService([code, size, tags], (call) => {
    if (call.action === 'count_data') return { allcnt: records.length };
    if (call.filter !== undefined) {
      const { item } = JSON.parse(call.filter) as { item: { value: string }[] };
      return equals(item[0]?.value ?? '');
    }
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

test('gives each key its records, with their revisions', async () => {
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

test('asks for the matching parts alone', async () => {
  const { app, calls } = serviceOf([record(1, 'x')]);
  await findMatches(app, [code], [['x']], TOKYO);
  expect(JSON.parse(calls[0]?.fields ?? '')).toEqual([
    { field_name: 'ID' },
    { field_name: 'Code' },
    { field_name: 'revision' },
  ]);
});

test('few keys among many records: small reads, after "=" has proved itself', async () => {
  const fake = serviceOf(many, found);
  const matches = await findMatches(fake.app, [code], [['C24999'], ['none']], TOKYO);
  expect([...matches.values()]).toEqual([[{ id: '25000', revision: 3 }]]);
  expect(fake.of('list_data')).toHaveLength(4);
});

test.each<[string, (value: string) => Reply]>([
  ['is refused', () => 'refused'],
  ['finds nothing', () => ({ list: { item: [] } })],
  ['finds something else', () => ({ list: { item: [many[7]] } })],
  ['finds more than it should', (value) => ({ list: { item: [...found(value).list.item, many[7]] } })],
])('where "=" %s, all is scanned', async (_, equals) => {
  const fake = serviceOf(many, equals);
  const matches = await findMatches(fake.app, [code], [['C24999']], TOKYO);
  expect([...matches.values()]).toEqual([[{ id: '25000', revision: 3 }]]);
});

test('many keys: one scan, no filter', async () => {
  const fake = serviceOf(many, found);
  const keys = Array.from({ length: 100 }, (_, index) => [`C${index * 200}`]);
  expect((await findMatches(fake.app, [code], keys, TOKYO)).size).toBe(100);
  expect(fake.calls.filter(({ filter }) => filter !== undefined)).toEqual([]);
  // Six pages, and one that is asked for in vain beyond the end.
  expect(fake.of('list_data').length).toBeLessThanOrEqual(8);
});

test('a matching part that may not be seen is refused', async () => {
  const { app } = serviceOf([record(1, 'x'), { ID: val('2'), Code: { val: '', error: 'unauthorized' } }]);
  await expect(findMatches(app, [code], [['x']], TOKYO)).rejects.toThrow(/Records cannot be found by "Code"/);
});

describe('a key that is not found is new only where', () => {
  test('the whole list was read: a service may give fewer records at a time than asked for', async () => {
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
    // What is found is there, whatever the application does by now.
    expect((await findMatches(service.app, [code], [['x']], TOKYO)).size).toBe(1);
  });
});
