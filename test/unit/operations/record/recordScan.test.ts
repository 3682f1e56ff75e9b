import { RecordScan } from '../../../../nodes/ApplicationDataService/operations/record/sync/planSync';
import type { RemovalTerms } from '../../../../nodes/ApplicationDataService/operations/record/sync/readSync';
import { RecordTest } from '../../../../nodes/ApplicationDataService/parts/conditions/recordTest';
import { readPart } from '../../../../nodes/ApplicationDataService/parts/codecs';
import { simplifyRecord } from '../../../../nodes/ApplicationDataService/parts/record';
import { keyText, NearKeys } from '../../../../nodes/ApplicationDataService/service/read/keyedRecords';

const PARTS = [
  { id: '1', name: 'ID', type: 'id', system: 'on' },
  { id: '101', name: 'Code', type: 'textbox' },
  { id: '102', name: 'Size', type: 'number' },
].map(readPart);
const [, code, size] = PARTS;
const context = { keyMode: 'name', timezone: 'UTC' } as const;

type Row = readonly [id: number, code: string, size: string];

function scan(rows: readonly Row[], keys: readonly (readonly string[])[], spared: readonly string[] = []) {
  const removal = { missing: 'delete', scope: new RecordTest([], 'all', 'name') };
  const work = { parts: [code!, size!], context, removal: removal as RemovalTerms };
  const found = new RecordScan(work, new Set(keys.map(keyText)), new Set(spared), new NearKeys(keys));
  for (const [id, text, number] of rows) {
    const raw = {
      ID: { val: id },
      Code: { val: text },
      Size: { val: number },
      revision: { val: '3', deny_write: 'on' },
    };
    found.take(simplifyRecord(raw, PARTS, { keyMode: 'name' }), raw);
  }
  return found;
}

test('each record has an item, is removed, or stays', () => {
  let seed = 11;
  const random = (below: number): number => (seed = (seed * 16_807) % 2_147_483_647) % below;
  for (let repetition = 0; repetition < 200; repetition++) {
    const rows = Array.from({ length: random(8) }, (_, index): Row => [
      index + 1,
      'ab'[random(2)]!,
      `${random(3)}.0`,
    ]);
    const keys = Array.from({ length: random(4) }, () => ['ab'[random(2)]!, String(random(3))]);
    const spared = rows.filter(() => random(4) === 0).map(([id]) => String(id));
    const { matches, missing, others, inScope } = scan(rows, keys, spared);
    const matched = [...matches.values()].flat();
    expect(matched.length + missing.length + others).toBe(rows.length);
    const wanted = new Set(keys.map(keyText));
    for (const { key, id } of missing) {
      expect(wanted.has(keyText(key))).toBe(false);
      expect(spared).not.toContain(id);
    }
    expect(inScope).toBe(rows.length);
  }
});

test('numbers are compared as numbers, texts exactly', () => {
  const { matches, missing } = scan(
    [
      [1, 'A', '1,200.0'],
      [2, 'a', '1200'],
    ],
    [['A', '1200']],
  );
  expect([...matches.values()].flat().map(({ id, revision }) => [id, revision])).toEqual([['1', 3]]);
  expect(missing).toMatchObject([
    { id: '2', revision: 3, key: ['a', '1200'], record: { Code: 'a', Size: 1200 } },
  ]);
});

test.each([{ Code: { error: 'unauthorized' } }, { Code: { val: 'A', error: 'reference_error' } }, {}])(
  'a record without its key ends it: %o',
  (shown) => {
    const found = scan([], []);
    const raw = { ID: { val: 4 }, Size: { val: '1' }, ...shown };
    expect(() => found.take(simplifyRecord(raw, PARTS, { keyMode: 'name' }), raw)).toThrow(
      /^The record 4 does not show "Code"/,
    );
  },
);
