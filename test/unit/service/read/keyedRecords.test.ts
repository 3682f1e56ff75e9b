import { findMatches, keyText } from '../../../../nodes/ApplicationDataService/service/read/keyedRecords';
import { makePart, TOKYO } from '../../parts/support/parts';
import { applicationOf, type PreparedApplication, type Said, val } from '../support/preparedClient';

/** What a service may answer and the sandbox does not; the rest stands in test/engine/record.upsert. */
const code = makePart('textbox', { id: '101', name: 'Code' });

type Stored = Readonly<Record<string, unknown>>;

/** A service that lists records, and answers a condition with `=` as configured. */
function serviceOf(records: readonly Stored[], equals: (value: string) => Said) {
  return applicationOf([code], ({ action, filter, offset, limit, sort_order: order }) => {
    if (action === 'count_data') return { allcnt: records.length };
    if (filter !== undefined)
      return equals((JSON.parse(filter) as { item: { value: string }[] }).item[0]!.value);
    const sorted = order === 'desc' ? records.toReversed() : records;
    return { list: { item: sorted.slice(Number(offset ?? 0), Number(offset ?? 0) + Number(limit)) } };
  });
}

const record = (id: number, text: string): Stored => ({
  ...{ ID: val(String(id)), revision: { val: '3', deny_write: 'on' }, Code: val(text) },
});
const many = Array.from({ length: 25_000 }, (_, index) => record(index + 1, `C${index}`));
const found = (value: string) => many.filter(({ Code }) => (Code as { val: string }).val === value);
const matchesOf = async ({ app }: PreparedApplication, ...keys: string[]) =>
  (
    await findMatches(
      app,
      [code],
      keys.map((key) => [key]),
      TOKYO,
    )
  ).byKey;
const lists = (fake: PreparedApplication) => fake.of('list_data');

test('other records found by "=" are left out, and "=" no longer proves that a key is missing', async () => {
  const fake = serviceOf(many, (value) => ({ list: { item: [...found(value), many[7]] } }));
  expect([...(await matchesOf(fake, 'C24999')).keys()]).toEqual([keyText(['C24999'])]);
  expect(fake.calls).toHaveLength(1);
  expect((await matchesOf(fake, 'none')).size).toBe(0);
  expect(lists(fake).at(-1)).toMatchObject({ limit: '5000' });
});

test('a key that "=" does not find is missing, if "=" finds a known one again, and leaves out others', async () => {
  const fake = serviceOf(many, (value) => ({ list: { item: found(value) } }));
  expect((await matchesOf(fake, 'C24999', 'C7', 'none')).size).toBe(2);
  const asked = lists(fake).map(({ filter = '' }) => /"value":"(\w+)"/.exec(filter)?.[1] ?? 'newest');
  expect(asked).toEqual(['C24999', 'C7', 'none', 'newest', 'C24999']);
});

test('if all records that were read have one key, nothing shows that "=" leaves out others: a scan', async () => {
  const twins = Array.from({ length: 12_000 }, (_, index) => record(index + 1, 'x'));
  const equals = (value: string) => ({ list: { item: value === 'x' ? twins.slice(-1) : [] } });
  expect((await matchesOf(serviceOf([record(12_001, 'y'), ...twins], equals), 'y')).size).toBe(1);
});

test('if one key has so many records that an answer may leave some out, all are named', async () => {
  const twins = Array.from({ length: 20 }, (_, index) => record(index + 30_000, 'twin'));
  const fake = serviceOf([...many, ...twins], () => ({ list: { item: twins.slice(0, 10) } }));
  expect((await matchesOf(fake, 'twin')).get(keyText(['twin']))).toHaveLength(20);
});

test.each([
  // keys, lists: a small read each, or a scan of all
  [40, 40],
  [100, 6],
])('for %i keys, records count as much as requests: %i lists', async (count, requests) => {
  const fake = serviceOf(many, (value) => ({ list: { item: found(value) } }));
  const keys = Array.from({ length: count }, (_, index) => `C${index * 200}`);
  expect((await matchesOf(fake, ...keys)).size).toBe(count);
  expect([lists(fake).length, fake.of('count_data').length > 0]).toEqual([requests, true]);
});

const hidden = { ID: val('2'), Code: { val: '', error: 'unauthorized' } };
const renamed = { ID: val('2'), 'New Code': val('x') };

test.each<[string, Stored, string, string]>([
  ['hidden, in a scan', hidden, "O'Brien", 'The record 2 does not show "Code"'],
  [
    'renamed or keyed otherwise meanwhile, in a scan',
    renamed,
    "O'Brien",
    'The record 2 does not show "Code"',
  ],
  ['hidden, where the service finds it', hidden, 'x', 'The record 2 does not show "Code"'],
  ['renamed meanwhile, where the service finds it', renamed, 'x', 'The record 2 does not show "Code"'],
  ['without an ID', { Code: val('x') }, 'x', 'lists a record without its ID'],
  ['no record at all', 'x' as unknown as Stored, 'x', 'lists something that is not a record'],
])('a record that does not show its key could be the one: %s', async (_, stored, key, message) => {
  const fake = serviceOf([record(1, 'y'), stored], () => ({ list: { item: [stored] } }));
  await expect(matchesOf(fake, key)).rejects.toThrow(message);
});

test('a list that is counted longer than it was read proves no key new', async () => {
  const stored = Array.from({ length: 190 }, (_, index) => record(index + 1, `C${index + 1}`));
  const fake = applicationOf([code], ({ action }) =>
    action === 'count_data' ? { allcnt: 190 } : { list: { item: stored.slice(0, 50) } },
  );
  const keys = stored.map((_, index) => `C${index + 1}`);
  await expect(matchesOf(fake, ...keys)).rejects.toThrow('counts 190 records, but lists only 50');
});
