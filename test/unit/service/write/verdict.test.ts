import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../../../docs/generate/root';
import type { EncodedPart } from '../../../../nodes/ApplicationDataService/parts/encode';
import type { RowWrite } from '../../../../nodes/ApplicationDataService/parts/model/part';
import type { Contents } from '../../../../nodes/ApplicationDataService/service/write/form';
import {
  dependsOnRecord,
  type Guard,
  look,
  type Seen,
  TABLE,
  verdict,
  type Verdict,
} from '../../../../nodes/ApplicationDataService/service/write/verdict';
import { makePart, TOKYO } from '../../parts/support/parts';

/** A row of the page's table: which writes and records it fits, and what it says follows. */
interface PageRow {
  readonly row: number;
  readonly answer: string;
  readonly fits: (guard: Guard, seen: Seen | null) => boolean;
  readonly follows: (guard: Guard, seen: Seen | null) => string;
}

/** The words of its column "Revision". */
const REVISIONS: Record<string, (guard: Guard, seen: Seen | null) => boolean> = {
  'none, or an insert': (guard) => guard === 'none',
  none: (guard) => guard === 'none',
  yours: (guard) => guard === 'user',
  "the node's": (guard) => guard === 'node',
  "the node's, something added": (guard, seen) => guard === 'node' && seen?.adds === true,
  "the node's, nothing added": (guard, seen) => guard === 'node' && seen?.adds === false,
  any: () => true,
};

/** Those of its column "The record, read afterwards". Without a revision, nothing tells whether it has moved. */
const SHOWN: Record<string, (guard: Guard, seen: Seen | null) => boolean> = {
  '–': () => true,
  held: (_, seen) => seen?.held === true,
  'not held': (_, seen) => seen?.held === false,
  'not moved': (guard, seen) => guard !== 'none' && seen?.moved === 'not',
  'not moved, or cannot be read': (guard, seen) => seen === null || SHOWN['not moved']!(guard, seen),
  moved: (guard, seen) => guard !== 'none' && seen !== null && seen.moved !== 'not',
  'moved otherwise': (guard, seen) => SHOWN.moved!(guard, seen),
  'moved by one': (guard, seen) => guard !== 'none' && seen?.moved === 'byOne',
  'moved by one, as it was': (guard, seen) => SHOWN['moved by one']!(guard, seen) && seen!.isAsBefore,
  'moved by one, all of it there': (guard, seen) => SHOWN['moved by one']!(guard, seen) && seen!.isAll,
  'moved, all of it there': (guard, seen) => SHOWN.moved!(guard, seen) && seen!.isAll,
  'anything else, or it cannot be read': () => true,
};

/** Those of its column "What follows"; a remark about the service's words or the policy says nothing more. */
const FOLLOWS: Record<string, (guard: Guard, seen: Seen | null) => Verdict> = {
  refused: () => 'refused',
  done: () => 'done',
  again: () => 'again',
  unknown: () => 'unknown',
  'again: the policy decides': () => 'again',
  'again, under that revision': () => 'again',
  "unknown, with the service's words": () => 'unknown',
  'again (yours: the policy decides, mostly a conflict); yours: unknown if all of it is there, too': (
    guard,
    seen,
  ) => (guard === 'user' && seen?.isAll === true ? 'unknown' : 'again'),
};

/** The table of docs/dev/guarantees.md, but for inserts and deletions, which have no revision. */
function pageTable(): PageRow[] {
  const page = readFileSync(join(ROOT, 'docs/dev/guarantees.md'), 'utf8');
  const meaning = <T>(words: Record<string, T>, cell: string): T => {
    if (Object.hasOwn(words, cell)) return words[cell]!;
    throw new Error(`docs/dev/guarantees.md says "${cell}", which no test knows`);
  };
  return [...page.matchAll(/^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm)].flatMap(
    ([, row, answer, revision, shown, follows]) => {
      if (revision === 'an insert' || revision === 'a delete') return [];
      const [isOf, shows] = [meaning(REVISIONS, revision!), meaning(SHOWN, shown!)];
      return {
        row: Number(row),
        answer: answer!,
        fits: (guard: Guard, seen: Seen | null) => isOf(guard, seen) && shows(guard, seen),
        follows: meaning(FOLLOWS, follows!),
      };
    },
  );
}

const bools = [true, false];
const SEEN: (Seen | null)[] = [null];
for (const moved of ['not', 'byOne', 'otherwise'] as const)
  for (const held of [true, false, null])
    for (const adds of bools)
      for (const isAsBefore of bools)
        for (const isAll of held === true ? bools : [false])
          SEEN.push({ moved, held, adds, isAll, isAsBefore });

describe('the table of verdicts is that of the page', () => {
  const page = pageTable();
  /** By the number of the row that counts, in both tables: each has said something. */
  const counted = { page: new Set<number>(), code: new Set<number>() };
  const cases = (['none', 'user', 'node'] as const).flatMap((guard) =>
    (['refused', 'lost', 'refusedAfterLoss'] as const).map((failed) => [guard, failed] as const),
  );

  test.each(cases)('revision %s, %s', (guard, failed) => {
    // "A refusal after a lost answer ... is judged as lost; not moved, or not held without a revision, it is unknown."
    const rows = page.filter(({ row, answer }) =>
      failed === 'refusedAfterLoss' ? answer === 'lost' && row !== 7 && row !== 8 : answer === failed,
    );
    for (const seen of SEEN) {
      const said = rows.find(({ fits }) => fits(guard, seen))!;
      const [row] = TABLE.find(
        ([, answers, guards, fits]) => answers.includes(failed) && guards.includes(guard) && fits(seen),
      )!;
      counted.page.add(said.row);
      counted.code.add(row);
      expect({ seen, row, follows: verdict(guard, failed, seen) }).toEqual({
        seen,
        row: said.row,
        follows: said.follows(guard, seen),
      });
    }
  });

  test('no row of either is left out', () => {
    expect(page.map(({ row }) => row)).toEqual([...new Set(TABLE.map(([row]) => row))]);
    expect([...counted.page].sort((a, b) => a - b)).toEqual(page.map(({ row }) => row));
    expect(counted.code).toEqual(counted.page);
  });

  test('only a refusal without a revision needs no look at the record', () => {
    const blind = cases.filter(([guard, failed]) => !dependsOnRecord(guard, failed));
    expect(blind).toEqual([['none', 'refused']]);
  });
});

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
