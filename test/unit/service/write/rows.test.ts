import type { Part, RowWrite, WriteContext } from '../../../../nodes/ApplicationDataService/parts/model/part';
import { storedRows } from '../../../../nodes/ApplicationDataService/parts/placeRows';
import { diff } from '../../../../nodes/ApplicationDataService/service/write/diff';
import { mergeRows as merge, rowsToSend } from '../../../../nodes/ApplicationDataService/service/write/rows';
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

/** The rows to send so that only some change. */
const mergeRows = (
  of: Part,
  rows: readonly RowWrite[],
  stored: readonly unknown[],
  context: WriteContext,
  removed?: ReadonlySet<string>,
): readonly RowWrite[] => {
  const [changes, added] = [true, false].map((has) => rows.filter(({ id }) => (id !== undefined) === has));
  return merge(of, changes!, added!, storedRows(stored)!, { context }, removed);
};

/** The rows to send with Table Row Mode Replace. */
const replaceRows = (
  of: Part,
  rows: readonly RowWrite[],
  stored: readonly unknown[],
  context: typeof TOKYO,
): readonly RowWrite[] =>
  rowsToSend(of, rows, stored, { context, rowMode: 'replace', onlyChanges: false }).rows;

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
  for (const send of [mergeRows, replaceRows]) {
    expect(shown(send(table, rows, current, TOKYO))[0]).toEqual(['1', { Item: 'a', Qty: '1' }]);
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

describe('with Replace, a row without an ID', () => {
  const replaced = (rows: readonly RowWrite[], stored: readonly object[]) => {
    const terms = { context: TOKYO, rowMode: 'replace', onlyChanges: false } as const;
    return rowsToSend(table, rows, stored, terms);
  };

  test('stands for a row that equals it in every part it gives, and keeps the others', () => {
    const { rows, differ } = replaced([row({ Item: 'b' }), row({ Item: 'a' })], current);
    expect(shown(rows)).toEqual([
      ['2', { Item: 'b', Qty: '' }],
      ['1', { Item: 'a', Qty: '1' }],
    ]);
    expect(differ).toBe(true);
  });

  test('that brings files is another one: each run would add them to the same row', () => {
    const files = { part: file, value: { kind: 'files', add: ['data'], remove: [] } } as const;
    const { rows } = replaced([{ values: [...row({ Item: 'a' }).values, files] }], current);
    expect(rows.map(({ id }) => id)).toEqual([undefined]);
  });

  test('is refused where a stored row does not show a part that it gives', () => {
    const hidden = [{ id: '1', Item: 'a', partErrors: { Qty: 'unauthorized' } }];
    expect(refusalOf(() => replaced([row({ Item: 'a', Qty: '1' })], hidden)).message).toMatch(
      /^The rows of "Lines".*cannot be compared: the service does not show "Qty"/,
    );
  });
});
