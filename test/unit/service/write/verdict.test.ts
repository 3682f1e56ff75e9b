import type { EncodedPart } from '../../../../nodes/ApplicationDataService/parts/encode';
import type { CurrentRecord } from '../../../../nodes/ApplicationDataService/service/read/records';
import { look } from '../../../../nodes/ApplicationDataService/service/write/seen';
import {
  type Failed,
  type Guard,
  type Seen,
  verdict,
  type Verdict,
} from '../../../../nodes/ApplicationDataService/service/write/verdict';
import { makePart, TOKYO } from '../../parts/support/parts';

const MOVED_ON: Seen = { moved: 2, held: false, adds: false, isAll: false, isAsBefore: false };
const ALL = { held: true, isAll: true };
const seen = (changes: Partial<Seen>): Seen => ({ ...MOVED_ON, ...changes });

/** docs/dev/guarantees.md, "What becomes of a write": the row of the table, what is asked, and what follows. */
const TABLE: [row: number, answer: Failed, guard: Guard, seen: Seen | null, follows: Verdict][] = [
  [1, 'refused', 'none', null, 'refused'],
  [1, 'refused', 'none', seen(ALL), 'refused'],
  [2, 'refused', 'user', seen({ moved: 0 }), 'refused'],
  [2, 'refused', 'node', seen({ moved: 0, ...ALL }), 'refused'],
  [2, 'refused', 'node', null, 'refused'],
  [3, 'refused', 'user', seen({ moved: 1, ...ALL }), 'conflict'],
  [3, 'refused', 'user', seen({}), 'conflict'],
  [4, 'refused', 'node', seen({ moved: 1, adds: true, ...ALL }), 'unknown'],
  [5, 'refused', 'node', seen({ moved: 2, adds: true, ...ALL }), 'planAgain'],
  [5, 'refused', 'node', seen({ moved: 1, adds: true }), 'planAgain'],
  [5, 'refused', 'node', seen({ moved: 1, ...ALL }), 'planAgain'],
  [6, 'lost', 'none', seen(ALL), 'done'],
  [7, 'lost', 'none', seen({}), 'sendAgain'],
  [8, 'lost', 'user', seen({ moved: 0 }), 'sendAgain'],
  [8, 'lost', 'node', seen({ moved: 0, isAsBefore: true }), 'sendAgain'],
  [9, 'lost', 'user', seen({ moved: 1, isAsBefore: true }), 'conflict'],
  [9, 'lost', 'user', seen({ moved: 1, isAsBefore: true, ...ALL }), 'unknown'],
  [9, 'lost', 'node', seen({ moved: 1, isAsBefore: true, adds: true }), 'planAgain'],
  [9, 'lost', 'node', seen({ moved: 1, isAsBefore: true, ...ALL }), 'planAgain'],
  [10, 'lost', 'user', seen({ moved: 1, ...ALL }), 'done'],
  [11, 'lost', 'node', seen({ moved: 1, adds: true, ...ALL }), 'done'],
  [11, 'lost', 'node', seen({ moved: 3, ...ALL }), 'done'],
  [12, 'lost', 'node', seen({ moved: 1 }), 'planAgain'],
  [13, 'lost', 'none', seen({ held: null }), 'unknown'],
  [13, 'lost', 'none', null, 'unknown'],
  [13, 'lost', 'user', seen({ moved: 1 }), 'unknown'],
  [13, 'lost', 'user', seen({ moved: 2, ...ALL }), 'unknown'],
  [13, 'lost', 'user', seen({ moved: 2, isAsBefore: true }), 'unknown'],
  [13, 'lost', 'node', seen({ moved: 1, adds: true, held: true }), 'unknown'],
  [13, 'lost', 'node', seen({ moved: 2 }), 'unknown'],
  [13, 'lost', 'node', null, 'unknown'],
];

test.each(TABLE)('row %i: %s, %s, %j: %s', (_, answer, guard, shown, follows) => {
  expect(verdict(guard, answer, shown)).toBe(follows);
});

test.each(TABLE.filter(([, answer]) => answer === 'lost'))(
  'refused after a lost answer, row %i: %s, %s, %j',
  (_, __, guard, shown, follows) => {
    const expected = follows === 'sendAgain' ? 'unknown' : follows;
    expect(verdict(guard, 'refusedAfterLoss', shown)).toBe(expected);
  },
);

test.each<[string, Guard, Partial<Seen>, Verdict]>([
  ['row 6', 'none', ALL, 'done'],
  ['row 7', 'none', {}, 'sendAgain'],
  ['row 8', 'node', { moved: 0, adds: true }, 'sendAgain'],
  ['row 11', 'node', ALL, 'done'],
  ['not row 10', 'user', { moved: 1, ...ALL }, 'unknown'],
  ['not row 12', 'node', { moved: 1 }, 'unknown'],
])('a further try, which does not know what was there before: %s', (_, guard, changes, follows) => {
  expect(verdict(guard, 'lost', seen(changes), false)).toBe(follows);
});

describe('what a record shows of a write', () => {
  const name = makePart('textbox', { name: 'Name' });
  const item = makePart('textbox', { name: 'Item' });
  const docs = makePart('files', { name: 'Docs' });
  const lines = makePart('input_list', { name: 'Lines', children: [item, docs] });
  const record = (revision: number, values: object): CurrentRecord => ({
    ...{ id: '12', revision },
    record: { id: '12', revision, ...values },
  });
  const text = (value: string): EncodedPart => ({ part: name, value: { kind: 'text', text: value } });
  const files = (add: string[], remove: string[] = []): EncodedPart => ({
    part: docs,
    value: { kind: 'files', add, remove },
  });
  const row = (value: string, id?: string, ...more: EncodedPart[]) => ({
    ...(id !== undefined && { id }),
    values: [{ part: item, value: { kind: 'text', text: value } as const }, ...more],
  });
  const rows = (...given: ReturnType<typeof row>[]): EncodedPart => ({
    part: lines,
    value: { kind: 'rows', rows: given },
  });
  const read = () => [] as unknown as AsyncIterable<Uint8Array>;
  const contents = new Map([['data', { fileName: 'a.txt', type: 'text/plain', size: 3, read }]]);
  const file = (id: string, size = 3, fileName = 'a.txt') => ({ id, name: fileName, size });

  /** All of it there, as it was before, or neither. */
  const told = (values: EncodedPart[], before: object, after: object): string => {
    const { isAll, isAsBefore, moved } = look(values, 5, before as never, record(6, after), TOKYO, contents);
    expect(moved).toBe(1);
    return [...(isAll ? ['all'] : []), ...(isAsBefore ? ['as before'] : [])].join(', ') || 'neither';
  };

  test.each<[string, EncodedPart[], object, object, string]>([
    ['a text that was written', [text('mine')], { Name: 'old' }, { Name: 'mine' }, 'all'],
    ['a text that is as it was', [text('mine')], { Name: 'old' }, { Name: 'old' }, 'as before'],
    ['a text that was so before', [text('mine')], { Name: 'mine' }, { Name: 'mine' }, 'all, as before'],
    ['a text that was tidied', [text('mine ')], { Name: 'old' }, { Name: 'mine' }, 'neither'],
    ['a text of which nothing was known', [text('mine')], {}, { Name: 'old' }, 'neither'],
    ['a text that is not shown', [text('mine')], { Name: 'old' }, {}, 'neither'],
    ['a file', [files(['data'])], { Docs: [] }, { Docs: [file('8')] }, 'all'],
    [
      'a file beside an older one',
      [files(['data'])],
      { Docs: [file('7')] },
      { Docs: [file('7'), file('8')] },
      'all',
    ],
    [
      'a file that is not there',
      [files(['data'])],
      { Docs: [file('7')] },
      { Docs: [file('7')] },
      'as before',
    ],
    ['a file of another size', [files(['data'])], { Docs: [] }, { Docs: [file('8', 4)] }, 'neither'],
    [
      'a file and one of others',
      [files(['data'])],
      { Docs: [] },
      { Docs: [file('8'), file('9', 1)] },
      'neither',
    ],
    [
      'a file and a tidied text',
      [text('x '), files(['data'])],
      { Name: 'o', Docs: [] },
      { Name: 'x', Docs: [file('8')] },
      'neither',
    ],
    ['a removed file', [files([], ['7'])], { Docs: [file('7')] }, { Docs: [] }, 'all'],
    ['a file not removed', [files([], ['7'])], { Docs: [file('7')] }, { Docs: [file('7')] }, 'as before'],
    [
      'a changed row',
      [rows(row('b', '1'), row('x', '2'))],
      {
        Lines: [
          { id: '1', Item: 'a' },
          { id: '2', Item: 'x' },
        ],
      },
      {
        Lines: [
          { id: '1', Item: 'b' },
          { id: '2', Item: 'theirs' },
        ],
      },
      'all',
    ],
    [
      'a row that is as it was',
      [rows(row('b', '1'))],
      { Lines: [{ id: '1', Item: 'a' }] },
      { Lines: [{ id: '1', Item: 'a' }] },
      'as before',
    ],
    ['a removed row', [rows()], { Lines: [{ id: '1', Item: 'a' }] }, { Lines: [] }, 'all'],
    ['an added row', [rows(row('n'))], { Lines: [] }, { Lines: [{ id: '1', Item: 'n' }] }, 'all'],
    [
      'an added row that was tidied',
      [rows(row('n '))],
      { Lines: [] },
      { Lines: [{ id: '1', Item: 'n' }] },
      'neither',
    ],
    ['an added row that is not there', [rows(row('n'))], { Lines: [] }, { Lines: [] }, 'as before'],
    [
      'an added row and one of others',
      [rows(row('n'))],
      { Lines: [] },
      {
        Lines: [
          { id: '1', Item: 'n' },
          { id: '2', Item: 'x' },
        ],
      },
      'neither',
    ],
    [
      'an added row with its file',
      [rows(row('n', undefined, files(['data'])))],
      { Lines: [] },
      { Lines: [{ id: '1', Item: 'n', Docs: [file('8')] }] },
      'all',
    ],
    [
      'an added row without its file',
      [rows(row('n', undefined, files(['data'])))],
      { Lines: [] },
      { Lines: [{ id: '1', Item: 'n', Docs: [] }] },
      'neither',
    ],
    [
      'a file in a row',
      [rows(row('a', '1', files(['data'])))],
      { Lines: [{ id: '1', Item: 'a', Docs: [] }] },
      { Lines: [{ id: '1', Item: 'a', Docs: [file('8')] }] },
      'all',
    ],
    [
      'rows without IDs',
      [rows(row('b'), row('a'))],
      { Lines: [{ Item: 'x' }] },
      { Lines: [{ Item: 'a' }, { Item: 'b' }] },
      'all',
    ],
    [
      'rows without IDs as they were',
      [rows(row('b'))],
      { Lines: [{ Item: 'x' }] },
      { Lines: [{ Item: 'x' }] },
      'as before',
    ],
    ['rows that are not shown', [rows(row('b'))], { Lines: [] }, {}, 'neither'],
  ])('%s', (_, values, before, after, expected) => {
    expect(told(values, before, after)).toBe(expected);
  });
});
