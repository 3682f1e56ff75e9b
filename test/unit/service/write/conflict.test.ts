import { UserError } from '../../../../nodes/ApplicationDataService/util/userError';
import {
  resolveConflict,
  type Conflict,
} from '../../../../nodes/ApplicationDataService/service/write/conflict';
import { makePart, TOKYO } from '../../parts/support/parts';

const name = makePart('textbox', { name: 'Name' });
const price = makePart('number', { name: 'Price' });
const lines = makePart('input_list', { name: 'Lines' });
const updated = makePart('datetime', { name: 'Updated', system: true });

/** An item that knows revision 3, compared with revision 5. */
function conflictOf(changes: Partial<Conflict>): Conflict {
  return {
    policy: 'fail',
    revision: 3,
    values: [{ part: name, value: { kind: 'text', text: 'mine' } }],
    emptied: [],
    parts: [name, price, lines, updated],
    known: { Name: 'old' },
    current: { id: '12', revision: 5, record: { id: '12', revision: 5, Name: 'old', Price: 1200 } },
    context: TOKYO,
    ...changes,
  };
}

function refusal(changes: Partial<Conflict>): string {
  try {
    resolveConflict(conflictOf(changes));
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  throw new Error('It was decided');
}

test.each([
  ['skip', 'conflict'],
  ['merge', 'write'],
] as const)('%s decides: %s', (policy, decision) => {
  expect(resolveConflict(conflictOf({ policy }))).toBe(decision);
});

test('fail names both revisions, and that none of the parts differs', () => {
  expect(refusal({})).toBe(
    'The record 12 was changed in the meantime: the item has revision 3, the service 5. Different since then: none of the parts to write',
  );
});

test('fail names the parts that differ from what the item knows, or otherwise from what it writes', () => {
  const values: Conflict['values'] = [
    { part: name, value: { kind: 'text', text: 'mine' } },
    { part: price, value: { kind: 'text', text: '1200.0' } },
  ];
  expect(refusal({ values, known: { Name: 'before' } })).toMatch(/: "Name"$/);
  expect(refusal({ values, known: { Name: 'before', Price: 1 } })).toMatch(/: "Name", "Price"$/);
});

test.each<[string, Partial<Conflict>]>([
  ['the part was changed', { known: { Name: 'before' } }],
  ['the item does not know the old value', { known: {} }],
  [
    'the record does not show the part',
    { current: { id: '12', revision: 5, record: { id: '12', revision: 5 } } },
  ],
])('merge fails if %s', (_, changes) => {
  expect(refusal({ policy: 'merge', ...changes })).toMatch(/: "Name"$/);
});

test('merge accepts another spelling of a value as the same, but not of rows', () => {
  const values: Conflict['values'] = [{ part: price, value: { kind: 'text', text: '7' } }];
  expect(resolveConflict(conflictOf({ policy: 'merge', values, known: { Price: '1,200' } }))).toBe('write');
  const rows: Conflict['values'] = [{ part: lines, value: { kind: 'rows', rows: [] } }];
  const known = { Lines: [{ id: '1', Item: 'a' }] };
  const current = {
    id: '12',
    revision: 5,
    record: { id: '12', revision: 5, Lines: [{ id: '1', Item: 'b' }] },
  };
  expect(refusal({ policy: 'merge', values: rows, known, current })).toMatch(/: "Lines"$/);
});

test('merge ignores parts that are not written', () => {
  const values: Conflict['values'] = [
    { part: name, value: { kind: 'text', text: 'mine' } },
    { part: price, value: { kind: 'keep' } },
  ];
  expect(resolveConflict(conflictOf({ policy: 'merge', values, known: { Name: 'old', Price: 1 } }))).toBe(
    'write',
  );
});

test("fail names every part that differs from the item, but none of the service's own", () => {
  const known = { Name: 'old', Price: 7, Updated: '2026-01-01T00:00' };
  const record = { id: '12', revision: 5, Name: 'old', Price: 1200, Updated: '2026-02-01T00:00' };
  expect(refusal({ known, current: { id: '12', revision: 5, record } })).toMatch(/: "Price"$/);
});

test('parts to empty count as written', () => {
  const known = { Name: 'old', Lines: [{ id: '1' }] };
  const record = { id: '12', revision: 5, Name: 'old', Lines: [{ id: '1' }, { id: '2' }] };
  const current = { id: '12', revision: 5, record };
  const emptied = [lines];
  expect(refusal({ policy: 'merge', known, current, emptied })).toMatch(/: "Lines"$/);
  expect(refusal({ known: { Name: 'old' }, current, emptied })).toMatch(/: "Lines"$/);
  const untouched = { ...known, Lines: record.Lines };
  expect(resolveConflict(conflictOf({ policy: 'merge', known: untouched, current, emptied }))).toBe('write');
});
