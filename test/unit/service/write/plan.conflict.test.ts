import { resolveConflict } from '../../../../nodes/ApplicationDataService/service/write/plan';
import type { Update } from '../../../../nodes/ApplicationDataService/service/write/update';
import { makePart, refusalOf, TOKYO } from '../../parts/support/parts';

const name = makePart('textbox', { name: 'Name' });
const price = makePart('number', { name: 'Price' });
const lines = makePart('input_list', { name: 'Lines' });
const updated = makePart('datetime', { name: 'Updated', system: true });

const text = (part: typeof name, value: string) => ({ part, value: { kind: 'text', text: value } }) as const;
const NAME = [text(name, 'mine')];
const EMPTY = [{ part: lines, value: { kind: 'empty' } }] as const;
const OLD = { Name: 'old', Price: 1200 };
const ROWS = { Name: 'old', Lines: [{ id: '1', Item: 'b' }] };

type Conflict = Parameters<typeof resolveConflict>;

/** An item that knows revision 3, held against revision 5. */
const conflictOf = (policy: Update['policy'], changes: Partial<Update>, record: object): Conflict => [
  {
    ...{ policy, revision: 3, values: NAME, before: { Name: 'old' }, context: TOKYO },
    parts: [name, price, lines, updated],
    ...changes,
  } as unknown as Update,
  { id: '12', revision: 5, record: { id: '12', revision: 5, ...record } },
];

test.each<[string, Conflict, 'conflict' | 'write']>([
  ['skip', conflictOf('skip', {}, OLD), 'conflict'],
  ['merge', conflictOf('merge', {}, OLD), 'write'],
  [
    'merge, the old value in another spelling',
    conflictOf('merge', { values: [text(price, '7')], before: { Price: '1,200' } }, OLD),
    'write',
  ],
  [
    'merge, another part than those written was changed',
    conflictOf(
      'merge',
      { values: [...NAME, { part: price, value: { kind: 'keep' } }], before: { Name: 'old', Price: 1 } },
      OLD,
    ),
    'write',
  ],
  [
    'merge, rows to empty are as they were',
    conflictOf('merge', { values: EMPTY, before: ROWS }, ROWS),
    'write',
  ],
])('%s', (_, conflict, decision) => {
  expect(resolveConflict(...conflict)).toBe(decision);
});

const RENAMED = { Name: 'before' };

test.each<[string, Conflict, RegExp]>([
  [
    'fail: both revisions, and that nothing differs',
    conflictOf('fail', {}, OLD),
    /^The record 12 was changed in the meantime: the item has revision 3, the service 5. Different since then: none of the parts to write$/,
  ],
  ['fail: what the item knew otherwise', conflictOf('fail', { before: RENAMED }, OLD), /: "Name"$/],
  [
    'fail: what it does not know and writes otherwise',
    conflictOf('fail', { before: RENAMED, values: [...NAME, text(price, '1200.0')] }, OLD),
    /: "Name"$/,
  ],
  [
    "fail: every part that differs, but none of the service's own",
    conflictOf(
      'fail',
      { before: { Name: 'old', Price: 7, Updated: '2026-01-01T00:00' } },
      { ...OLD, Updated: '2026-02-01T00:00' },
    ),
    /: "Price"$/,
  ],
  ['fail: rows to empty', conflictOf('fail', { values: EMPTY }, ROWS), /: "Lines"$/],
  ['merge: the part was changed', conflictOf('merge', { before: RENAMED }, OLD), /: "Name"$/],
  ['merge: the old value is not known', conflictOf('merge', { before: {} }, OLD), /: "Name"$/],
  ['merge: the record does not show the part', conflictOf('merge', {}, {}), /: "Name"$/],
  [
    'merge: other rows',
    conflictOf(
      'merge',
      {
        values: [{ part: lines, value: { kind: 'rows', rows: [] } }],
        before: { Lines: [{ id: '1', Item: 'a' }] },
      },
      ROWS,
    ),
    /: "Lines"$/,
  ],
  [
    'merge: rows to empty are others',
    conflictOf('merge', { values: EMPTY, before: { Name: 'old', Lines: [] } }, ROWS),
    /: "Lines"$/,
  ],
])('refused, %s', (_, conflict, words) => {
  expect(refusalOf(() => resolveConflict(...conflict)).message).toMatch(words);
});
