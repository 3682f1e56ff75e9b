import type { EncodedPart } from '../../../../nodes/ApplicationDataService/parts/encode';
import type { RowWrite } from '../../../../nodes/ApplicationDataService/parts/model/part';
import type { Contents } from '../../../../nodes/ApplicationDataService/service/write/form';
import {
  type Failed,
  look,
  type Guard,
  type Seen,
  verdict,
  type Verdict,
} from '../../../../nodes/ApplicationDataService/service/write/verdict';
import { makePart, TOKYO } from '../../parts/support/parts';

const MOVED_ON: Seen = {
  moved: 'otherwise',
  held: false,
  adds: false,
  isAll: false,
  isAsBefore: false,
};
const ALL = { held: true, isAll: true };
const seen = (changes: Partial<Seen>): Seen => ({ ...MOVED_ON, ...changes });

/** docs/dev/guarantees.md, "What becomes of a write": the row of the table, what is asked, and what follows. */
const TABLE: [row: number, answer: Failed, guard: Guard, seen: Seen | null, follows: Verdict][] = [
  [1, 'refused', 'none', null, 'refused'],
  [1, 'refused', 'none', seen(ALL), 'refused'],
  [2, 'refused', 'user', seen({ moved: 'not' }), 'refused'],
  [2, 'refused', 'node', seen({ moved: 'not', ...ALL }), 'refused'],
  [2, 'refused', 'node', null, 'refused'],
  [3, 'refused', 'user', seen({ moved: 'byOne', ...ALL }), 'again'],
  [3, 'refused', 'user', seen({}), 'again'],
  [4, 'refused', 'node', seen({ moved: 'byOne', adds: true, ...ALL }), 'unknown'],
  [5, 'refused', 'node', seen({ moved: 'otherwise', adds: true, ...ALL }), 'again'],
  [5, 'refused', 'node', seen({ moved: 'byOne', adds: true }), 'again'],
  [5, 'refused', 'node', seen({ moved: 'byOne', ...ALL }), 'again'],
  [6, 'lost', 'none', seen(ALL), 'done'],
  [7, 'lost', 'none', seen({}), 'again'],
  [8, 'lost', 'user', seen({ moved: 'not' }), 'again'],
  [8, 'lost', 'node', seen({ moved: 'not', isAsBefore: true }), 'again'],
  [9, 'lost', 'user', seen({ moved: 'byOne', isAsBefore: true }), 'again'],
  [9, 'lost', 'user', seen({ moved: 'byOne', isAsBefore: true, ...ALL }), 'unknown'],
  [9, 'lost', 'node', seen({ moved: 'byOne', isAsBefore: true, adds: true }), 'again'],
  [9, 'lost', 'node', seen({ moved: 'byOne', isAsBefore: true, ...ALL }), 'again'],
  [10, 'lost', 'user', seen({ moved: 'byOne', ...ALL }), 'done'],
  [11, 'lost', 'node', seen({ moved: 'byOne', adds: true, ...ALL }), 'done'],
  [11, 'lost', 'node', seen({ moved: 'otherwise', ...ALL }), 'done'],
  [12, 'lost', 'node', seen({ moved: 'byOne' }), 'again'],
  [13, 'lost', 'none', seen({ held: null }), 'unknown'],
  [13, 'lost', 'none', null, 'unknown'],
  [13, 'lost', 'user', seen({ moved: 'byOne' }), 'unknown'],
  [13, 'lost', 'user', seen({ moved: 'otherwise', ...ALL }), 'unknown'],
  [13, 'lost', 'user', seen({ moved: 'otherwise', isAsBefore: true }), 'unknown'],
  [13, 'lost', 'node', seen({ moved: 'byOne', adds: true, held: true }), 'unknown'],
  [13, 'lost', 'node', seen({ moved: 'otherwise' }), 'unknown'],
  [13, 'lost', 'node', null, 'unknown'],
];

test.each(TABLE)('row %i: %s, %s, %j: %s', (_, answer, guard, shown, follows) => {
  expect(verdict(guard, answer, shown)).toBe(follows);
});

test.each(TABLE.filter(([, answer]) => answer === 'lost'))(
  'refused after a lost answer, row %i: %s, %s, %j',
  (row, _, guard, shown, follows) => {
    // It is not sent again as it was.
    const expected = row === 7 || row === 8 ? 'unknown' : follows;
    expect(verdict(guard, 'refusedAfterLoss', shown)).toBe(expected);
  },
);

const name = makePart('textbox', { name: 'Name' });
const item = makePart('textbox', { name: 'Item' });
const docs = makePart('files', { name: 'Docs' });
const lines = makePart('input_list', { name: 'Lines', children: [item, docs] });
const contents = new Map([['data', { fileName: 'a.txt', size: 3 }]]) as unknown as Contents;
const file = (id: string, size = 3) => ({ id, name: 'a.txt', size });
const text = (value: string): EncodedPart => ({ part: name, value: { kind: 'text', text: value } });
const ADD: EncodedPart = { part: docs, value: { kind: 'files', add: ['data'], remove: [] } };
const REMOVE: EncodedPart = { part: docs, value: { kind: 'files', add: [], remove: ['7'] } };
const row = (value: string, id?: string, ...more: EncodedPart[]): RowWrite => ({
  ...(id !== undefined && { id }),
  values: [{ part: item, value: { kind: 'text', text: value } }, ...more],
});
const rows = (...given: RowWrite[]): EncodedPart => ({ part: lines, value: { kind: 'rows', rows: given } });
/** Rows of a record, by their IDs. */
const Lines = (items: Record<string, string>) => ({
  Lines: Object.entries(items).map(([id, Item]) => ({ id, Item })),
});
const FILED = (...Docs: object[]) => ({ Lines: [{ id: '1', Item: 'n', Docs }] });
const BARE = (...items: string[]) => ({ Lines: items.map((Item) => ({ Item })) });

test.each<[string, EncodedPart[], object, object, string]>([
  ['a text that was written', [text('mine')], { Name: 'old' }, { Name: 'mine' }, 'all'],
  ['a text that is as it was', [text('mine')], { Name: 'old' }, { Name: 'old' }, 'as before'],
  ['a text that was so before', [text('mine')], { Name: 'mine' }, { Name: 'mine' }, 'all, as before'],
  ['a text that was tidied', [text('mine ')], { Name: 'old' }, { Name: 'mine' }, 'neither'],
  ['a text of which nothing was known', [text('mine')], {}, { Name: 'old' }, 'neither'],
  ['a text that is not shown', [text('mine')], { Name: 'old' }, {}, 'neither'],
  ['a file', [ADD], { Docs: [] }, { Docs: [file('8')] }, 'all'],
  ['a file beside an older one', [ADD], { Docs: [file('7')] }, { Docs: [file('7'), file('8')] }, 'all'],
  ['a file that is not there', [ADD], { Docs: [file('7')] }, { Docs: [file('7')] }, 'as before'],
  ['a file of another size', [ADD], { Docs: [] }, { Docs: [file('8', 4)] }, 'neither'],
  ['a file and one of others', [ADD], { Docs: [] }, { Docs: [file('8'), file('9', 1)] }, 'neither'],
  [
    'a file and a tidied text',
    [text('x '), ADD],
    { Name: 'o', Docs: [] },
    { Name: 'x', Docs: [file('8')] },
    'neither',
  ],
  ['a removed file', [REMOVE], { Docs: [file('7')] }, { Docs: [] }, 'all'],
  ['a file not removed', [REMOVE], { Docs: [file('7')] }, { Docs: [file('7')] }, 'as before'],
  [
    'a changed row, another one changed by others',
    [rows(row('b', '1'), row('x', '2'))],
    Lines({ 1: 'a', 2: 'x' }),
    Lines({ 1: 'b', 2: 'theirs' }),
    'all',
  ],
  [
    'an added row that is not there, where others removed one that was changed',
    [rows(row('b', '1'), row('n'))],
    Lines({ 1: 'a' }),
    Lines({}),
    'as before',
  ],
  ['a row that is as it was', [rows(row('b', '1'))], Lines({ 1: 'a' }), Lines({ 1: 'a' }), 'as before'],
  ['a removed row', [rows()], Lines({ 1: 'a' }), Lines({}), 'all'],
  ['an added row', [rows(row('n'))], Lines({}), Lines({ 1: 'n' }), 'all'],
  ['an added row that was tidied', [rows(row('n '))], Lines({}), Lines({ 1: 'n' }), 'neither'],
  ['an added row that is not there', [rows(row('n'))], Lines({}), Lines({}), 'as before'],
  ['an added row and one of others', [rows(row('n'))], Lines({}), Lines({ 1: 'n', 2: 'x' }), 'neither'],
  ['an added row with its file', [rows(row('n', undefined, ADD))], Lines({}), FILED(file('8')), 'all'],
  ['an added row without its file', [rows(row('n', undefined, ADD))], Lines({}), FILED(), 'neither'],
  ['a file in a row', [rows(row('n', '1', ADD))], FILED(), FILED(file('8')), 'all'],
  ['rows without IDs', [rows(row('b'), row('a'))], BARE('x'), BARE('a', 'b'), 'all'],
  ['rows without IDs as they were', [rows(row('b'))], BARE('x'), BARE('x'), 'as before'],
  ['rows that are not shown', [rows(row('b'))], Lines({}), {}, 'neither'],
])('a record shows all of a write, or is as before: %s', (_, values, before, after, told) => {
  const current = { id: '12', revision: 6, record: { id: '12', revision: 6, ...after } };
  const { isAll, isAsBefore, moved } = look({ request: values, revision: 5 }, before as never, current, {
    context: TOKYO,
    contents,
  });
  expect(moved).toBe('byOne');
  expect([...(isAll ? ['all'] : []), ...(isAsBefore ? ['as before'] : [])].join(', ') || 'neither').toBe(
    told,
  );
});
