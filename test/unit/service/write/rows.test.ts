import type { RowWrite } from '../../../../nodes/ApplicationDataService/parts/model/codec';
import { diff } from '../../../../nodes/ApplicationDataService/service/write/diff';
import { mergeRows } from '../../../../nodes/ApplicationDataService/service/write/mergeRows';
import { countEqualRows, rowsToSend } from '../../../../nodes/ApplicationDataService/service/write/rows';
import { makePart, refusalOf, TOKYO } from '../../parts/support/parts';

const item = makePart('textbox', { name: 'Item' });
const qty = makePart('number', { name: 'Qty' });
const sum = makePart('expression', { name: 'Sum' });
const file = makePart('files', { name: 'File' });
const table = makePart('input_list', { name: 'Lines', children: [item, qty, sum, file] });

const current = [
  { id: '1', Item: 'a', Qty: 1, Sum: 2, File: [] },
  { id: '2', Item: 'b', Qty: null, Sum: 0, File: [] },
];

const row = (values: { readonly Item?: string; readonly Qty?: string }, id?: string): RowWrite => ({
  ...(id !== undefined && { id }),
  values: Object.entries(values).map(([name, text]) => ({
    part: name === 'Item' ? item : qty,
    value: { kind: 'text', text },
  })),
});

/** The rows to send with Table Row Mode Replace. */
const replaceRows = (
  of: Parameters<typeof mergeRows>[0],
  rows: readonly RowWrite[],
  stored: readonly unknown[],
  context: typeof TOKYO,
): readonly RowWrite[] => rowsToSend(of, rows, stored, { context, rowMode: 'replace' }).rows;

/** Rows by their texts. */
const shown = (rows: readonly RowWrite[]) =>
  rows.map(({ id, values }) => [
    id,
    Object.fromEntries(
      values.map(({ part, value }) => [part.name, value.kind === 'text' ? value.text : value.kind]),
    ),
  ]);

test('every row is sent with all its writable values, new ones after them', () => {
  const rows = mergeRows(table, [row({ Item: 'c' }), row({ Qty: '5' }, '2')], current, TOKYO);
  expect(shown(rows)).toEqual([
    ['1', { Item: 'a', Qty: '1' }],
    ['2', { Item: 'b', Qty: '5' }],
    [undefined, { Item: 'c' }],
  ]);
});

test("a value that says nothing about its part keeps the row's value", () => {
  const rows = [{ id: '1', values: [{ part: item, value: { kind: 'keep' } as const }] }];
  for (const merge of [mergeRows, replaceRows]) {
    expect(shown(merge(table, rows, current, TOKYO))[0]).toEqual(['1', { Item: 'a', Qty: '1' }]);
  }
});

test('rows to remove are left out', () => {
  expect(shown(mergeRows(table, [], current, TOKYO, new Set(['1'])))).toEqual([
    ['2', { Item: 'b', Qty: '' }],
  ]);
});

test('replacing keeps the values that are left out of the rows that stay', () => {
  const rows = replaceRows(table, [row({ Item: 'c' }), row({ Qty: '5' }, '2')], current, TOKYO);
  expect(shown(rows)).toEqual([
    [undefined, { Item: 'c' }],
    ['2', { Item: 'b', Qty: '5' }],
  ]);
});

test('a row without an ID does not stand for a row that another one names', () => {
  const stored = [{ id: '1', Item: 'a', Qty: null, Sum: 2, File: [] }];
  const rows = replaceRows(table, [row({ Item: 'a', Qty: '' }), row({ Item: 'a' }, '1')], stored, TOKYO);
  expect(shown(rows)).toEqual([
    [undefined, { Item: 'a', Qty: '' }],
    ['1', { Item: 'a', Qty: '' }],
  ]);
});

test('a hidden value is not sent as an empty one: the merge is refused', () => {
  const hidden = [{ id: '1', Item: 'a', partErrors: { Qty: 'unauthorized' } }];
  expect(refusalOf(() => mergeRows(table, [row({ Item: 'c' })], hidden, TOKYO)).message).toMatch(
    /^The rows of "Lines".*cannot be merged: row 1 does not show "Qty"/,
  );
  expect(shown(mergeRows(table, [row({ Qty: '2' }, '1')], hidden, TOKYO))).toEqual([
    ['1', { Item: 'a', Qty: '2' }],
  ]);
});

test('a row whose value could belong to either of two parts is not kept: the merge is refused', () => {
  const twins = { ...table, children: [item, makePart('textbox', { name: 'Item' }), qty] };
  const refusal = refusalOf(() => mergeRows(twins, [row({ Qty: '5' }, '2')], current, TOKYO));
  expect(refusal.message).toMatch(/^Part "Item".*cannot be written: another part has the same name, "Item"/);
  expect(shown(mergeRows(twins, [row({ Qty: '5' })], [], TOKYO))).toEqual([[undefined, { Qty: '5' }]]);
  expect(mergeRows(twins, [], current, TOKYO, new Set(['1', '2']))).toEqual([]);
});

test("a value under the key of the row's id cannot be kept: the merge is refused", () => {
  const lines = { ...table, children: [makePart('textbox', { name: 'data_id' })] };
  const refusal = refusalOf(() => mergeRows(lines, [], [{ id: '1', data_id: 'x' }], TOKYO));
  expect(refusal.message).toMatch(/the service takes its key "data_id" for the row's id$/);
});

describe('by identifier', () => {
  const context = { ...TOKYO, keyMode: 'identifier' } as const;
  const price = makePart('number', { name: 'Price', identifier: 'price' });
  const stored = [{ id: '1', price: 3 }];

  test('a value without one may be lost: the merge is refused', () => {
    const lines = { ...table, children: [price, item] };
    const refusal = refusalOf(() => mergeRows(lines, [], stored, context));
    expect(refusal.message).toMatch(/^The rows of "Lines".*cannot be merged: row 1 does not show "Item"/);
    expect(refusal.description).toContain('Give the part an identifier');
  });

  test('a part without an identifier that cannot be written, or that contains files, need not be kept', () => {
    const lines = { ...table, children: [price, sum, file] };
    expect(shown(mergeRows(lines, [], stored, context))).toEqual([['1', { Price: '3' }]]);
  });
});

test('a choice that is no longer offered is kept unchanged, including commas', () => {
  const tags = makePart('checkbox', { name: 'Tags', options: ['new', 'hot'] });
  const lines = { ...table, children: [tags] };
  const rows = mergeRows(
    lines,
    [],
    [
      { id: '1', Tags: ['new, hot'] },
      { id: '2', Tags: ['hot', 'old, new'] },
    ],
    TOKYO,
  );
  expect(shown(rows)).toEqual([
    ['1', { Tags: 'new, hot' }],
    ['2', { Tags: 'hot\told, new' }],
  ]);
});

test.each<[string, readonly unknown[]]>([
  ['no ids', [{ id: null, Item: 'a' }]],
  ['an id twice', [current[0], current[0]]],
  ['something that is not a row', ['a']],
])('rows with %s cannot be merged', (_, stored) => {
  expect(refusalOf(() => mergeRows(table, [], stored, TOKYO)).message).toMatch(
    /the service returns no IDs for them/,
  );
});

test('a missing row is refused', () => {
  expect(refusalOf(() => replaceRows(table, [row({ Qty: '5' }, '9')], current, TOKYO)).message).toMatch(
    /has no row 9$/,
  );
});

describe('rows without an ID stand for stored rows of equal content', () => {
  const flag = (name: string) => makePart('textbox', { name });
  const children = [flag('a'), flag('b'), flag('c')];
  const flags = makePart('input_list', { name: 'Flags', children });

  /** A row that gives the parts named by the letters of a text. */
  const giving = (letters: string): RowWrite => ({
    values: children
      .filter(({ name }) => letters.includes(name))
      .map((part) => ({ part, value: { kind: 'text', text: 'x' } })),
  });
  const storedAs = (letters: string, index: number) => ({
    id: String(index + 1),
    ...Object.fromEntries([...letters].map((letter) => [letter, 'x'])),
  });
  const pairsOf = (rows: readonly string[], stored: readonly string[]): number =>
    countEqualRows(flags, rows.map(giving), stored.map(storedAs), TOKYO);

  test.each<[string, string[], string[], number]>([
    ['the same', ['a', 'b'], ['a', 'b'], 2],
    ['another order', ['b', 'a'], ['a', 'b'], 2],
    ['one stored row for one row', ['a', 'a'], ['a', 'b'], 1],
    ['equal rows', ['a', 'a'], ['a', 'a'], 2],
    ['one that only fits if another takes a different row', ['a', 'ab'], ['ab', 'ac'], 2],
    ['none', ['a'], [], 0],
  ])('%s', (_, rows, stored, pairs) => {
    expect(pairsOf(rows, stored)).toBe(pairs);
  });

  /** The highest possible number of pairs, found by trying all. */
  function mostPairs(rows: readonly string[], stored: readonly string[]): number {
    const [first, ...others] = rows;
    if (first === undefined) return 0;
    const isHeld = (each: string): boolean => [...first].every((letter) => each.includes(letter));
    return stored.reduce(
      (most, each, place) =>
        isHeld(each) ? Math.max(most, 1 + mostPairs(others, stored.toSpliced(place, 1))) : most,
      mostPairs(others, stored),
    );
  }

  test('as many as possible, each stored row once, for any rows', () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 16_807) % 2_147_483_647) % below;
    const text = (length: number): string => Array.from({ length }, () => 'abc'[random(3)]).join('');
    for (let repetition = 0; repetition < 500; repetition++) {
      const rows = Array.from({ length: random(5) }, () => text(1 + random(2)));
      const stored = Array.from({ length: random(5) }, () => text(1 + random(3)));
      expect([rows, stored, pairsOf(rows, stored)]).toEqual([rows, stored, mostPairs(rows, stored)]);
    }
  });

  test.each<[string, (index: number) => { Item: string; Qty?: string }]>([
    ['all different', (index) => ({ Item: `item ${index}`, Qty: String(index) })],
    ['all equal', () => ({ Item: 'same', Qty: '1' })],
    [
      'of two kinds',
      (index) => (index % 2 === 0 ? { Item: 'same', Qty: '1' } : { Item: `item ${index % 7}` }),
    ],
  ])('5,000 rows with a new one at the front, %s, take less than a second', (_, valuesOf) => {
    const rows = Array.from({ length: 5000 }, (__, index) => valuesOf(index));
    const stored = rows.map((values, index) => ({
      id: String(index + 1),
      Item: values.Item,
      Qty: values.Qty === undefined ? null : Number(values.Qty),
      File: [],
    }));
    const given = [row({ Item: 'new', Qty: '9' }), ...rows.map((values) => row(values))];
    const terms = { context: TOKYO, rowMode: 'replace', contents: new Map() } as const;
    const start = process.cpuUsage();
    const { rows: sent, differ } = rowsToSend(table, given, stored, terms);
    const { user } = process.cpuUsage(start);
    expect([differ, sent.length, sent.filter(({ id }) => id === undefined).length]).toEqual([true, 5001, 1]);
    expect(user / 1e6).toBeLessThan(1);
  });
});

test.each(['merge', 'replace'] as const)(
  'Sync sends no rows that are there, even if their part is a lookup key: the service would delete them (%s)',
  (rowMode) => {
    const values = [
      { part: table, value: { kind: 'rows' as const, rows: [row({ Item: 'b' }), row({ Item: 'a' })] } },
      { part: item, value: { kind: 'text' as const, text: 'new' } },
    ];
    const record = { id: '12', Item: 'old', Lines: current, revision: 1 };
    const { values: sent } = diff(
      { values, emptied: [] },
      { id: '12', revision: 1, record },
      {
        context: TOKYO,
        rowMode,
        relookupKeyParts: [table.id],
        onlyChanges: true,
        contents: new Map(),
      },
    );
    expect(sent.map(({ part }) => part.name)).toEqual(['Item']);
  },
);
