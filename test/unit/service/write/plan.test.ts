import { type EncodedPart, encodeValues } from '../../../../nodes/ApplicationDataService/parts/encode';
import type { RowWrite } from '../../../../nodes/ApplicationDataService/parts/model/part';
import type { Contents } from '../../../../nodes/ApplicationDataService/service/write/form';
import type { RowChange } from '../../../../nodes/ApplicationDataService/service/write/rows';
import { planUpdate, type WritePlan } from '../../../../nodes/ApplicationDataService/service/write/plan';
import type { Update } from '../../../../nodes/ApplicationDataService/service/write/update';
import { makePart, refusalOf, TOKYO } from '../../parts/support/parts';

const name = makePart('textbox', { id: '101', name: 'Name' });
const price = makePart('number', { id: '102', name: 'Price' });
const kind = makePart('select', { id: '105', name: 'Kind', options: ['new', 'hot'] });
const docs = makePart('files', { id: '104', name: 'Docs' });
const item = makePart('textbox', { name: 'Item' });
const qty = makePart('number', { name: 'Qty' });
const sum = makePart('expression', { name: 'Sum' });
const plan = makePart('files', { name: 'Plan' });
const lines = makePart('input_list', { id: '103', name: 'Lines', children: [item, qty, sum, plan] });
const parts = [name, price, kind, docs, lines];

/** An update, its values as an item gives them. */
function updateOf(given: object, changes: Partial<Update> = {}): Update {
  const context = changes.context ?? TOKYO;
  const all = changes.parts ?? parts;
  return {
    ...{ id: '12', parts: all, context, before: {} },
    ...{ policy: 'overwrite', revision: null, rowMode: 'merge', sends: 'all', isState: false },
    values: encodeValues(given as Record<string, unknown>, all, context).values,
    options: { autoAction: true, relookupKeyParts: [] },
    contents: new Map(
      ['data', 'photo'].map((field) => [field, { fileName: `${field}.txt`, size: 3 }]),
    ) as unknown as Contents,
    ...changes,
  };
}

const planned = (update: Update, record: object | null): WritePlan =>
  planUpdate(update, record && { id: '12', revision: 5, record: { id: '12', revision: 5, ...record } });

/** Values as texts: `Name=x`, files `Docs=+added-removed`, rows `Lines: <id> Item=a | new Item=b`. */
function shown(values: readonly EncodedPart[]): string {
  const of = ({ part, value }: EncodedPart): string => {
    const begin = `${part.name}=`;
    if (value.kind === 'text') return begin + value.text;
    if (value.kind === 'keep' || value.kind === 'empty') return begin + value.kind;
    if (value.kind === 'files')
      return `${begin}${value.add.map((each) => `+${each}`).join('')}${value.remove.map((each) => `-${each}`).join('')}`;
    return `${part.name}: ${value.rows.map((row) => `${row.id ?? 'new'} ${shown(row.values)}`).join(' | ')}`;
  };
  return values.map(of).join(' ');
}

const A = { id: '1', Item: 'a', Qty: 1, Sum: 2, Plan: [] };
const B = { id: '2', Item: 'b', Qty: null, Sum: 0, Plan: [] };
const ROWS = { Lines: [A, B] };
const NO_IDS = {
  Lines: [
    { ...A, id: null },
    { ...B, id: null },
  ],
};
const HIDDEN = { Lines: [{ id: '1', Item: 'a', partErrors: { Qty: 'unauthorized' } }] };
const ROUNDED = { Lines: [{ id: '1', Item: 'a', Qty: null, partErrors: { Qty: 'rounded' } }] };
const FILE = { id: '7', name: 'data.txt', size: 3 };
const empty = (part: EncodedPart['part']): EncodedPart => ({ part, value: { kind: 'empty' } });
const replace = { rowMode: 'replace' } as const;
const skip = { sends: 'changes' } as const;
const state = { ...skip, matched: { parts: [], key: [] }, isState: true };
const lookup = { ...skip, options: { autoAction: true, relookupKeyParts: [price.id] } };

const ORDERED = 'Lines: 2 Item=b Qty= | 1 Item=a Qty=1';
const READ = 'Lines: 1 Item=a Qty=1 | 2 Item=b Qty=';
const both = [{ Item: 'b' }, { Item: 'a' }];
const changed = [{ Item: 'c' }, { id: '2', Qty: 5 }];

test.each<[string, object, Partial<Update>, object | null, number, string]>([
  ['plain values need no record and check no revision', { Name: 'x' }, {}, null, 0, 'Name=x'],
  ['the revision of the item', { Name: 'x' }, { policy: 'fail', revision: 3 }, null, 3, 'Name=x'],
  ['all that is given', { Name: 'x', Price: 7 }, {}, { Name: 'x' }, 0, 'Name=x Price=7'],
  ['only differences', { Name: 'x', Price: '7.0' }, skip, { Name: 'old', Price: 7 }, 0, 'Name=x'],
  ['nothing', { Name: 'x', Price: '7.0' }, skip, { Name: 'x', Price: 7 }, 0, ''],
  ['what is not shown differs', { Name: 'x', Price: 7 }, skip, { Name: 'x' }, 0, 'Price=7'],
  ['a lookup key with any difference', { Name: 'x', Price: 7 }, lookup, { Price: 7 }, 0, 'Name=x Price=7'],
  ['a lookup key not alone', { Price: 7 }, lookup, { Price: 7 }, 0, ''],
  ['a choice no longer offered stays', { Kind: 'old', Name: 'x' }, {}, { Kind: 'old' }, 0, 'Name=x'],
  ['a file, whatever is there', { Docs: 'data' }, {}, { Docs: [FILE] }, 5, 'Docs=+data'],
  ['a file that Sync finds by its name', { Docs: 'data' }, state, { Docs: [FILE] }, 5, ''],
  ['removals that are there', { Docs: { remove: ['7', '8'] } }, {}, { Docs: [FILE] }, 5, 'Docs=-7'],
  ['no files to empty', {}, { values: [empty(docs)] }, { Docs: [] }, 0, ''],
  ['files to empty', {}, { values: [empty(docs)] }, { Docs: [FILE] }, 5, 'Docs=-7'],
  ['rows to empty', {}, { values: [empty(lines)] }, ROWS, 5, 'Lines: '],
  ['no rows with Merge', { Lines: [] }, {}, {}, 0, ''],
  ['no rows with Replace', { Lines: [] }, replace, ROWS, 5, 'Lines: '],
  // Merge: every row with all its writable values, new ones after them.
  ['Merge', { Lines: changed }, {}, ROWS, 5, 'Lines: 1 Item=a Qty=1 | 2 Item=b Qty=5 | new Item=c'],
  // Replace: the rows given, with the values that they leave out; without an ID, one that is equal in what it gives.
  ['Replace', { Lines: changed }, replace, ROWS, 5, 'Lines: new Item=c | 2 Item=b Qty=5'],
  ['Replace by content', { Lines: both }, replace, ROWS, 5, ORDERED],
  [
    'rows without IDs by content',
    { Lines: both },
    replace,
    NO_IDS,
    5,
    ORDERED.replaceAll(/ [12] /g, ' new '),
  ],
  [
    'Replace, a row that another one names',
    {
      Lines: [
        { Item: 'b', Qty: '' },
        { id: '2', Item: 'b' },
      ],
    },
    replace,
    ROWS,
    5,
    'Lines: new Item=b Qty= | 2 Item=b Qty=',
  ],
  [
    'Replace, a row that brings files is another one',
    { Lines: [{ Item: 'a', Plan: 'data' }] },
    replace,
    ROWS,
    5,
    'Lines: new Item=a Plan=+data',
  ],
  ['rows as they were read', ROWS, {}, ROWS, 5, READ],
  ['unchanged rows', ROWS, skip, ROWS, 0, ''],
  ['rows as they were read, one hidden in part', HIDDEN, {}, HIDDEN, 0, ''],
  ['replaced rows as they were read, one hidden in part', HIDDEN, replace, HIDDEN, 0, ''],
  ['rows as they were read, digits of one lost', ROUNDED, {}, ROUNDED, 0, ''],
  ['the hidden value itself', { Lines: [{ id: '1', Qty: 2 }] }, {}, HIDDEN, 5, 'Lines: 1 Item=a Qty=2'],
  ['Sync, Merge: rows that are there', { Lines: both }, state, ROWS, 5, ''],
  [
    'Sync: rows that are there are not sent along as a lookup key',
    { Lines: both, Name: 'x' },
    { ...state, ...replace, options: { autoAction: true, relookupKeyParts: [lines.id] } },
    { ...ROWS, Name: 'old' },
    5,
    'Name=x',
  ],
])('sent: %s', (_, given, changes, record, revision, sent) => {
  const { request, ...told } = planned(updateOf(given, changes), record);
  expect([shown(request), request.length > 0 ? told.revision : revision]).toEqual([sent, revision]);
});

const twins = { ...lines, children: [item, makePart('textbox', { name: 'Item' }), qty] };
const idKey = { ...lines, children: [item, makePart('textbox', { name: 'data_id' })] };
const unnamed = { ...lines, identifier: 'lines', children: [{ ...qty, identifier: 'qty' }, item] };
const byIdentifier = { context: { ...TOKYO, keyMode: 'identifier' } } as const;

test.each<[string, object, Partial<Update>, object, RegExp]>([
  ['rows that are not shown', { Lines: [{ Item: 'b' }] }, {}, {}, /rows of "Lines".* does not show them/],
  ['files that are not shown', { Docs: 'data' }, {}, {}, /attachments of "Docs".* does not show them/],
  [
    'a row that is not there',
    { Lines: [{ id: '9', Qty: 5 }] },
    replace,
    ROWS,
    /has no row 9\nIts rows are: 1, 2\./,
  ],
  ['merged rows without IDs', { Lines: [{ Item: 'c' }] }, {}, NO_IDS, /the service returns no IDs for them/],
  ['an ID twice', { Lines: [{ Item: 'c' }] }, {}, { Lines: [A, A] }, /the service returns no IDs for them/],
  ['what is no row', { Lines: [{ Item: 'c' }] }, {}, { Lines: ['a'] }, /the service returns no IDs for them/],
  [
    'files of rows without IDs',
    { Lines: [{ Item: 'a' }] },
    replace,
    { Lines: [{ ...A, id: null, Plan: [FILE] }] },
    /no IDs for them, and their files in "Plan".* would be lost/,
  ],
  [
    'a hidden value',
    { Lines: [{ Item: 'c' }] },
    {},
    HIDDEN,
    /^The rows of "Lines".* cannot be merged: row 1 does not show "Qty".*right to read the part/s,
  ],
  [
    'a value that lost digits',
    { Lines: [{ id: '1', Item: 'c' }] },
    {},
    ROUNDED,
    /row 1 does not show all digits of "Qty".*Give the value in the row, as text/s,
  ],
  [
    'a row that may be one that hides what it gives',
    { Lines: [{ Item: 'a', Qty: 1 }] },
    replace,
    HIDDEN,
    /cannot be compared: row 1 does not show "Qty".*Give each row its ID/s,
  ],
  [
    'a value that belongs to either of two parts',
    { Lines: [{ id: '1', Qty: 5 }] },
    { parts: [twins] },
    ROWS,
    /^The rows of "Lines".* cannot be kept: .*"Item".*another part has the same name, "Item"\nWhat.*a name of its own/,
  ],
  [
    "a value under the key of the row's ID",
    { Lines: [{ id: '1', Item: 'b' }] },
    { parts: [idKey] },
    { Lines: [{ id: '1', Item: 'a', data_id: 'x' }] },
    /takes its key "data_id" for the row's id/,
  ],
  [
    'a value without an identifier',
    { lines: [{ qty: 5 }] },
    { ...byIdentifier, parts: [unnamed] },
    { lines: [{ id: '1', qty: 3 }] },
    /^The rows of "Lines".* cannot be kept: .*"Item".*it has no part identifier\nWhat.*a part identifier of its own/,
  ],
  [
    'with Sync and Merge, a row that is nowhere',
    { Lines: [{ Item: 'c' }] },
    state,
    ROWS,
    /A row for "Lines".* has no ID, and the record has no equal row/,
  ],
  ['a choice no longer offered', { Kind: 'old' }, {}, { Kind: 'hot' }, /"Kind".*"old"/],
  [
    'a person in a kept row whom the service gives without an ID',
    { Lines: [{ Item: 'new' }] },
    { parts: [{ ...lines, children: [item, makePart('users', { name: 'Buyer' })] }] },
    { Lines: [{ id: '1', Item: 'x', Buyer: [{ id: null, name: 'Aiko Mori' }] }] },
    /^Row 1 of "Lines" .* cannot be kept: Part "Buyer" .*contains no ID/,
  ],
])('refused: %s', (_, given, changes, record, words) => {
  const { message, description } = refusalOf(() => planned(updateOf(given, changes), record));
  expect(`${message}\n${description}`).toMatch(words);
});

test('a choice of a row that is no longer offered is kept unchanged, including commas', () => {
  const tags = makePart('checkbox', { name: 'Tags', options: ['new', 'hot'] });
  const record = { Lines: [{ id: '1', Item: 'a', Tags: ['hot', 'old, new'] }] };
  const update = updateOf({ Lines: [{ Item: 'c' }] }, { parts: [{ ...lines, children: [item, tags] }] });
  expect(shown(planned(update, record).request)).toBe('Lines: 1 Item=a Tags=hot\told, new | new Item=c');
});

const asRow = (given: object): RowWrite['values'] =>
  encodeValues(given as Record<string, unknown>, lines.children, TOKYO).values;
const add = (given: object): RowChange => ({ kind: 'add', table: lines, values: asRow(given) });
const change = (id: string, given: object): RowChange => ({
  ...{ kind: 'update', table: lines, id, values: asRow(given) },
});
const remove = (...ids: string[]): RowChange => ({ kind: 'delete', table: lines, ids });
const FILES = { add: ['photo'], remove: ['7'] };

test.each<[string, RowChange[], Partial<Update>, string, string[]]>([
  ['added', [add({ Item: 'c' })], {}, `${READ} | new Item=c`, ['created']],
  ['changed', [change('2', { Qty: 5 })], {}, `${READ}5`, ['updated']],
  [
    'changed by two',
    [change('2', { Qty: 5, Plan: 'data' }), change('2', { Qty: 6, Plan: FILES })],
    {},
    `${READ}6 Plan=+data+photo`,
    ['updated', 'updated'],
  ],
  ['as it is', [change('1', { Qty: 1 })], skip, '', ['unchanged']],
  ['changed back', [change('1', { Qty: 5 }), change('1', { Qty: 1 })], skip, READ, ['updated', 'updated']],
  [
    'changed to the same by two',
    [change('2', { Qty: 5 }), change('2', { Qty: '5.0' })],
    skip,
    `${READ}5`,
    ['updated', 'unchanged'],
  ],
  ['not there', [change('9', { Qty: 5 })], {}, '', ['notFound']],
  ['deleted', [remove('2', '9')], {}, 'Lines: 1 Item=a Qty=1', ['deleted']],
  ['deleted by two', [remove('2'), remove('2')], {}, 'Lines: 1 Item=a Qty=1', ['deleted', 'deleted']],
  ['not there to be deleted', [remove('8', '9')], {}, '', ['notFound']],
])('a row %s', (_, own, changes, sent, outcomes) => {
  const record = { Lines: [A, { ...B, Plan: [FILE] }] };
  const { request, items } = planned(updateOf({}, { ...changes, changes: own }), record);
  expect([shown(request), items.map(({ outcome }) => outcome)]).toEqual([sent, outcomes]);
});

describe('files to remove follow what is added, one a request', () => {
  const photos = makePart('files', { id: '105', name: 'Photos' });
  const all = [...parts, photos];
  const other = { id: '8', name: 'b.txt', size: 1 };
  const record = { Docs: [FILE, other], Photos: [{ id: '9' }], Lines: [{ ...A, Plan: [{ id: '1' }] }] };
  const gone = { remove: ['7', '8', '99'] };

  test.each<[string, object, Partial<Update>, string, string[]]>([
    ['behind values', { Name: 'x', Docs: gone }, {}, 'Name=x', ['Docs 7', 'Docs 8']],
    ['behind files', { Docs: { add: ['data'], ...gone } }, {}, 'Docs=+data', ['Docs 7', 'Docs 8']],
    ['the first one first, where nothing else is sent', { Docs: gone }, {}, 'Docs=-7', ['Docs 8']],
    ['of several parts', { Docs: gone, Photos: { remove: ['9'] } }, {}, 'Docs=-7', ['Docs 8', 'Photos 9']],
    ['of a part that is emptied', { Name: 'x' }, { values: [empty(docs)] }, 'Docs=-7', ['Docs 8']],
    [
      'of a row, which is sent whole',
      { Lines: [{ id: '1', Plan: { remove: ['1'] } }] },
      {},
      'Lines: 1 Item=a Qty=1 Plan=-1',
      [],
    ],
    [
      'of a row that is changed',
      { Lines: [{ id: '1', Qty: 2, Plan: { remove: ['1'] } }] },
      {},
      'Lines: 1 Item=a Qty=2',
      ['Plan 1'],
    ],
    [
      'of a row that an item changes',
      {},
      { changes: [change('1', { Qty: 2, Plan: { remove: ['1'] } })] },
      'Lines: 1 Item=a Qty=2',
      ['Plan 1'],
    ],
    [
      'of a row alone that an item changes',
      {},
      { changes: [change('1', { Plan: { remove: ['1'] } })] },
      'Lines: 1 Item=a Qty=1 Plan=-1',
      [],
    ],
  ])('%s', (_, given, changes, sent, later) => {
    const { request, removals, items } = planned(updateOf(given, { parts: all, ...changes }), record);
    expect([shown(request), removals.map(({ part, id }) => `${part.name} ${id}`)]).toEqual([sent, later]);
    expect(items).toEqual([{ outcome: 'updated' }]);
  });
});

// Create or Update with Overwrite: once one plain value differs, all of them are sent, so that the last writer wins.
const UPSERT = { sends: 'allOnChange', matched: { parts: [name], key: ['x'] } } as const;
test.each<[string, object, object, string]>([
  ['nothing differs', { Name: 'x', Price: 7 }, { Name: 'x', Price: 7 }, ''],
  [
    'one differs',
    { Name: 'x', Price: 7, Kind: 'new' },
    { Name: 'x', Price: 8, Kind: 'new' },
    'Price=7 Kind=new',
  ],
  [
    'only a file differs',
    { Name: 'x', Price: 7, Docs: 'data' },
    { Name: 'x', Price: 7, Docs: [] },
    'Docs=+data',
  ],
  ['a choice no longer offered', { Price: 7, Kind: 'old' }, { Price: 8, Kind: 'old' }, 'Price=7'],
  ['somebody has changed the key, too', { Name: 'x', Price: 7 }, { Name: 'y', Price: 8 }, 'Price=7'],
  ['somebody has changed nothing but the key', { Name: 'x', Price: 7 }, { Name: 'y', Price: 7 }, ''],
])('all plain values but the key once one differs: %s', (_, given, record, sent) => {
  expect(shown(planned(updateOf(given, UPSERT), record).request)).toBe(sent);
});
