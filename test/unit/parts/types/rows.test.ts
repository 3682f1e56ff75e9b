import { assertOffered } from '../../../../nodes/ApplicationDataService/parts/encode';
import type { Part } from '../../../../nodes/ApplicationDataService/parts/model/part';
import { makePart, readVal, refusalOf, TOKYO, write } from '../support/parts';

const item = makePart('textbox', { id: '131', name: 'Item', identifier: 'item_id' });
const quantity = makePart('number', { id: '132', name: 'Qty', identifier: 'qty_id' });
const rowSum = makePart('expression', { id: '133', name: 'Sum' });
const papers = makePart('files', { id: '135', name: 'Papers' });
const table = makePart('input_list', {
  id: '130',
  name: 'Items',
  children: [item, quantity, rowSum, papers],
});

const own = makePart('id', { name: 'No' });

function withChild(...children: Part[]): Part {
  return { ...table, children: [...table.children, ...children] };
}

function rows(to: Part, value: unknown, context = TOKYO): unknown {
  const written = write(to, value, context);
  if (written.kind !== 'rows') return written;
  return written.rows.map(({ id, values }) => ({
    ...(id === undefined ? {} : { id }),
    ...Object.fromEntries(values.map(({ part, value: to }) => [part.id, to.kind === 'text' ? to.text : to])),
  }));
}

describe.each(['input_list', 'rel_list'])('reading %s', (type) => {
  const from = { ...table, type };
  const raw = { data_id: '2', Item: { val: 'Bolt' }, Qty: { val: '1,200' } };

  it.each([
    [{ child_records: { item: [raw] } }, [{ id: '2', Item: 'Bolt', Qty: 1200 }]],
    [{ child_records: { item: raw } }, [{ id: '2', Item: 'Bolt', Qty: 1200 }]],
    [{ child_records: { item: [{ ...raw, data_id: { val: 2 } }] } }, [{ id: '2', Item: 'Bolt', Qty: 1200 }]],
    [
      { child_records: { item: [{ item_id: { val: 'Bolt' }, qty_id: { val: '3' } }] } },
      [{ id: null, item_id: 'Bolt', qty_id: 3 }],
    ],
    [{ child_records: { item: [] } }, []],
    [{ child_records: { item: '' } }, []],
    [{ child_records: '' }, []],
    [{}, []],
    ['', []],
    [{ child_records: { item: [{}] } }, [{ id: null }]],
  ])('%j', (val, value) => expect(readVal(from, val)).toEqual(value));

  it('returns no key for a child with an error', () => {
    const val = {
      child_records: { item: [{ Item: { error: 'unauthorized' }, Sum: { val: '', hint: 'no' } }] },
    };
    expect(readVal(from, val)).toEqual([{ id: null, partErrors: { Item: 'unauthorized', Sum: 'no' } }]);
  });
});

test.each<[string, Part[], object, object]>([
  [
    "the row's own ID part, without a data_id",
    [own],
    { No: { val: '5' }, Item: { val: 'x' } },
    { id: '5', Item: 'x' },
  ],
  ['data_id', [own], { data_id: '5', No: { val: '5' } }, { id: '5' }],
  ['data_id, beside another ID', [own], { data_id: '5', No: { val: '1' } }, { id: '5', No: '1' }],
  [
    'none: a referenced record',
    [makePart('id', { name: 'Product', reference: true })],
    { Product: { val: '9' } },
    { id: null, Product: '9' },
  ],
  [
    'none: a part called data_id',
    [makePart('textbox', { name: 'data_id' })],
    { data_id: { val: 'x' } },
    { id: null, data_id: 'x' },
  ],
])('the id of a row is that of %s', (_, children, item, row) =>
  expect(readVal(withChild(...children), { child_records: { item: [item] } })).toEqual([row]),
);

describe('writing', () => {
  it.each([
    [[{ Item: 'Bolt', Qty: 3 }], [{ 131: 'Bolt', 132: '3' }]],
    [[{ '131': 'Bolt', qty_id: '3' }], [{ 131: 'Bolt', 132: '3' }]],
    [[{ id: '2', Qty: 4 }], [{ id: '2', 132: '4' }]],
    [[{ id: 2 }], [{ id: '2' }]],
    [[{ id: ' 2 ' }], [{ id: '2' }]],
    [[{ id: null, Item: 'x' }], [{ 131: 'x' }]],
    [[{ id: '', Item: 'y' }], [{ 131: 'y' }]],
    ['[{"Item": "Bolt"}]', [{ 131: 'Bolt' }]],
    [[{ Item: undefined, Qty: null }], [{ 132: '' }]],
    [[{ Item: 'x', Sum: 5, partErrors: { a: 'b' }, recordId: '12' }], [{ 131: 'x' }]],
    [[{ id: '2', Item: null, Qty: null, partErrors: { Qty: 'rounded' } }], [{ id: '2', 131: '' }]],
    [[{ Papers: 'data' }], [{ 135: { kind: 'files', add: ['data'], remove: [] } }]],
    [[{ Papers: [] }], [{ 135: { kind: 'keep' } }]],
    [[], []],
    ['[]', []],
    ['', []],
    [null, []],
    [undefined, []],
  ])('%j', (value, expected) => expect(rows(table, value)).toEqual(expected));

  it("reads a key as in a read's output before it reads it as an ID", () => {
    const numbered = makePart('textbox', { id: '139', name: '131' });
    expect(rows(withChild(numbered), [{ '131': 'x' }])).toEqual([{ 139: 'x' }]);
  });

  it("understands child parts that are named like the node's own keys", () => {
    const called = ['id', 'recordId', 'message'].map((name, index) =>
      makePart('textbox', { id: `14${index}`, name }),
    );
    const to = withChild(...called);
    const read = readVal(to, {
      child_records: {
        item: [{ data_id: '2', id: { val: 'a' }, recordId: { val: 'b' }, message: { val: 'c' } }],
      },
    });
    expect(read).toEqual([{ id: '2', 'id (part)': 'a', 'recordId (part)': 'b', 'message (part)': 'c' }]);
    expect(rows(to, read)).toEqual([{ id: '2', 140: 'a', 141: 'b', 142: 'c' }]);
    expect(rows(to, [{ id: '2', recordId: '12', 'recordId (part)': 'b' }])).toEqual([{ id: '2', 141: 'b' }]);
    expect(rows(to, [{ message: 'c' }])).toEqual([{ 142: 'c' }]);
  });
});

describe('refusing', () => {
  const row = (number: number, message: string) => `Table part "Items" (ID 130), row ${number}: ${message}`;
  const item = 'Part "Items" (ID 130) does not accept';

  it.each([
    [[{ Itm: 'x' }], row(1, 'There is no part "Itm"'), 'Did you mean "Item"?'],
    [[{ Item: 'x', message: 'y' }], row(1, 'There is no part "message"'), 'The parts are: Item'],
    [[{}, { Qty: 'many' }], row(2, 'Part "Qty" (ID 132) does not accept "many": it is not a'), 'a number'],
    [[{ Item: 'a', '131': 'b' }], row(1, 'Part "Item" (ID 131) has more than one value, the last one'), ''],
    [['Bolt'], row(1, `${item} "Bolt": it is not a row`), ''],
    [[{ id: {} }], row(1, `${item} {}: it is not the id of a row`), ''],
    [[{ id: '2' }, { id: 2 }], 'it names row 2 more than once', 'each existing row once'],
    [{ Item: 'x' }, 'it is not a list of rows', 'Put a single row in a list, too: [ {...} ].'],
    ['{"Item": "x"}', 'it is not a list of rows', 'Put a single row'],
    [
      'Bolt',
      'it is not a list of rows',
      'To fill in a row part by part, use Table Row > Add once the record is there.',
    ],
    [5, 'it is not a list of rows', 'JSON text of one, e.g. [{"Item": "text", "Qty": 3}]. '],
  ])('%j', (value, message, advice) => {
    const refusal = refusalOf(() => write(table, value));
    expect(refusal.name).toBe('UserError');
    expect(refusal.message).toContain(message);
    expect(refusal.description).toContain(advice);
  });

  it("a child whose key the service reads as the row's id", () => {
    const to = withChild(makePart('textbox', { name: 'data_id' }));
    expect(refusalOf(() => write(to, [{ data_id: 'x' }])).message).toContain(
      'takes its key "data_id" for the row\'s id',
    );
  });

  it('children that share their key, or have none', () => {
    const to = withChild(makePart('textbox', { id: '150', name: 'Item' }));
    refusalOf(() => write(to, [{ '150': 'x' }]));
    const context = { ...TOKYO, keyMode: 'identifier' as const };
    expect(refusalOf(() => write(table, [{ Papers: 'data' }], context)).message).toContain(
      'it has no part identifier',
    );
  });
});

describe('a stored choice that is no longer offered', () => {
  const colour = makePart('radio', { id: '136', name: 'Colour', options: ['red'] });
  const to = withChild(colour);
  const stored = { Items: [{ id: '2', Colour: 'dark, blue' }] };
  const check = (id: string | undefined, Colour: string, current: typeof stored | null): void => {
    const value = write(to, [{ ...(id !== undefined && { id }), Colour }]);
    assertOffered([{ part: to, value }], current, TOKYO);
  };

  test('may be written back to that row, or in a row that may be that one', () => {
    check('2', 'dark, blue', stored);
    check(undefined, 'dark, blue', stored);
  });

  test.each([
    ['of a new record', '2', 'dark, blue', null],
    ['of another row', '3', 'dark, blue', stored],
    ['that the row does not contain', '2', 'black', stored],
    ['that no row contains', undefined, 'black', stored],
  ])('is refused %s, naming the row', (_, id, Colour, current) => {
    expect(refusalOf(() => check(id, Colour, current)).message).toMatch(
      /^Table part "Items" \(ID \d+\), row 1: .*it is not one of the options/,
    );
  });
});
