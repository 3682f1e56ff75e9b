import type { RowWrite } from '../../../../nodes/ApplicationDataService/parts/model/part';
import type { Contents } from '../../../../nodes/ApplicationDataService/service/write/form';
import type { StoredRow } from '../../../../nodes/ApplicationDataService/parts/compare';
import { encodeValue } from '../../../../nodes/ApplicationDataService/parts/encode';
import { planUpdate } from '../../../../nodes/ApplicationDataService/service/write/plan';
import type { Update } from '../../../../nodes/ApplicationDataService/service/write/update';
import { look } from '../../../../nodes/ApplicationDataService/service/write/verdict';
import { makePart, TOKYO } from '../../parts/support/parts';

const item = makePart('textbox', { id: '131', name: 'Item' });
const qty = makePart('number', { id: '132', name: 'Qty' });
const kind = makePart('select', { id: '133', name: 'Kind', options: ['a', 'b', 'c'] });
const due = makePart('date', { id: '134', name: 'Due' });
const plan = makePart('files', { id: '135', name: 'Plan' });
const lines = makePart('input_list', { id: '103', name: 'Lines', children: [item, qty, kind, due, plan] });

const stored = (index: number, more: Partial<StoredRow> = {}): StoredRow => ({
  ...{ id: String(index), Item: `Item ${index}`, Qty: index, Kind: 'a', Due: '2026-01-01' },
  ...more,
});
const many = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index + 1));
const record = (rows: readonly StoredRow[]) => ({
  id: '12',
  revision: 3,
  record: { id: '12', revision: 3, Lines: rows },
});
/** Each file is named as its field. */
const contents = new Proxy(new Map(), {
  get: (_, key) => (key === 'get' ? (fileName: string) => ({ fileName, size: 3 }) : undefined),
}) as unknown as Contents;

const updateOf = (changes: Partial<Update>): Update => ({
  ...{ id: '12', parts: [lines], context: TOKYO, values: [], before: {} },
  ...{ policy: 'overwrite', revision: null, rowMode: 'replace', sends: 'all', isState: false },
  options: { autoAction: true, relookupKeyParts: [] },
  contents,
  ...changes,
});
const given = (rows: readonly object[], changes: Partial<Update> = {}): Update =>
  updateOf({ ...changes, values: [{ part: lines, value: encodeValue(lines, rows, [lines], TOKYO) }] });
/** Milliseconds of the processor, the least of a few runs: the machine may do other things. */
function shortest(task: () => void): number {
  return Math.min(
    ...many(4, () => {
      const start = process.cpuUsage();
      task();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    }),
  );
}

const without = ({ Item, Qty, Kind, Due }: StoredRow) => ({ Item, Qty, Kind, Due });
const change = (index: number): RowWrite['values'] => [
  { part: item, value: { kind: 'text', text: `Item ${index}!` } },
];

const rows5000 = many(5000, (index) => stored(index));
const equal1000 = many(1000, (index) => stored(index, { Item: 'x', Qty: 1 }));
const filed1000 = equal1000.map((row, index) => ({
  ...row,
  Plan: [{ id: `${index}`, name: `f${index}`, size: 3 }],
}));
const gone1200 = many(1200, (index) => stored(index, index % 2 === 0 ? { Kind: 'gone' } : {}));

test.each<[string, () => Update, StoredRow[]]>([
  ['5,000 rows without an ID against 5,000', () => given(rows5000.map(without).reverse()), rows5000],
  ['5,000 rows by ID', () => given(rows5000.map((row) => ({ ...row, Qty: 7 }))), rows5000],
  ['1,500 equal rows against 1,000', () => given(many(1500, () => without(equal1000[0]!))), equal1000],
  ['1,200 rows, half with a choice no longer offered', () => given(gone1200.map(without)), gone1200],
  [
    '5,000 updates of rows',
    () =>
      updateOf({
        sends: 'changes',
        changes: many(5000, (index) => ({
          ...{ kind: 'update', table: lines, id: String(index), values: change(index) },
        })),
      }),
    rows5000,
  ],
  [
    '5,000 deletions of rows that are not there',
    () =>
      updateOf({
        changes: many(5000, (index) => ({ kind: 'delete', table: lines, ids: [`x${index}`] })),
      }),
    rows5000,
  ],
  [
    '1,000 equal rows with other files, in reversed order',
    () =>
      given(filed1000.map((row, index) => ({ ...without(row), Plan: `f${index}` })).reverse(), {
        ...{ matched: { parts: [], key: [] }, isState: true, sends: 'changes' },
      }),
    filed1000,
  ],
])('%s: planned and judged without a long block', (_, desired, rows) => {
  const wanted = desired();
  const current = record(rows);
  const { request } = planUpdate(wanted, current);
  const planning = shortest(() => planUpdate(wanted, current));
  const judging = shortest(() =>
    look({ request, revision: 3 }, current.record, current, { context: TOKYO, contents }),
  );
  expect(planning).toBeLessThan(100);
  expect(judging).toBeLessThan(100);
});
