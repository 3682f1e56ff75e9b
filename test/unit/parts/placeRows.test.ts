import type { RowWrite } from '../../../nodes/ApplicationDataService/parts/model/part';
import { placeRows, storedRows } from '../../../nodes/ApplicationDataService/parts/compare';
import { makePart, TOKYO } from './support/parts';

const item = makePart('textbox', { id: '1', name: 'Item' });
const qty = makePart('number', { id: '2', name: 'Qty' });
const tags = makePart('checkbox', { id: '3', name: 'Tags', options: ['a', 'b'] });
const plan = makePart('files', { id: '4', name: 'Plan' });
const PARTS = { Item: item, Qty: qty, Tags: tags };

/** A row that gives some parts as texts, with files if it names them. */
function row({ id, Plan, ...texts }: Record<string, string>): RowWrite {
  const values: RowWrite['values'][number][] = Object.entries(texts).map(([name, text]) => ({
    part: PARTS[name as keyof typeof PARTS],
    value: { kind: 'text', text },
  }));
  if (Plan !== undefined) values.push({ part: plan, value: { kind: 'files', add: [Plan], remove: [] } });
  return { ...(id !== undefined && { id }), values };
}

test.each<[string, Record<string, string>[], object[], (number | null)[]]>([
  ['by its ID', [{ id: '2', Item: 'x' }], [{ id: '1' }, { id: '2', Item: 'b' }], [1]],
  ['by an ID that is not there', [{ id: '9', Item: 'a' }], [{ id: '1', Item: 'a' }], [null]],
  ['by what it gives', [{ Item: 'b' }], [{ Item: 'a' }, { Item: 'b', Qty: 2 }], [1]],
  ['in another order', [{ Item: 'b' }, { Item: 'a' }], [{ Item: 'a' }, { Item: 'b' }], [1, 0]],
  [
    'each row once',
    [{ Item: 'a' }, { Item: 'a' }, { Item: 'a' }],
    [{ Item: 'a' }, { Item: 'a' }],
    [0, 1, null],
  ],
  [
    'not by a row that another one names',
    [{ Item: 'a' }, { id: '1', Qty: '1' }],
    [{ id: '1', Item: 'a' }],
    [null, 0],
  ],
  ['first come, first served', [{ Item: 'a' }, { Item: 'a', Qty: '2' }], [{ Item: 'a', Qty: 2 }], [0, null]],
  ['a number by its value', [{ Qty: '1.50' }], [{ Qty: 1.5 }], [0]],
  ['choices in any order', [{ Tags: 'b\ta' }], [{ Tags: ['a', 'b'] }], [0]],
  ['what is empty by what is empty', [{ Item: '' }], [{ Item: null }], [0]],
  ['not by what is hidden', [{ Item: 'a' }], [{ partErrors: { Item: 'unauthorized' } }], [null]],
  ['not by what is no row', [{ Item: 'a' }], ['a' as never], [null]],
  ['with files: by none', [{ Item: 'a', Plan: 'data' }], [{ Item: 'a' }], [null]],
])('a row is placed %s', (_, given, stored, places) => {
  const rows = storedRows(stored)!;
  const placed = placeRows(given.map(row), rows, TOKYO);
  expect(placed.map((each) => (each === null ? null : rows.indexOf(each)))).toEqual(places);
});

test.each<[string, boolean, string[], string[][], (number | null)[]]>([
  ['that has its file', false, ['x', 'y'], [[], ['y'], ['x']], [2, 1]],
  ['each for one', false, ['x', 'x'], [['x']], [0, null]],
  ['with others besides', true, ['x'], [['y'], ['y', 'x']], [1]],
  ['not with others besides', false, ['x'], [['y', 'x']], [null]],
])('a row with files stands for the first row of equal texts %s', (_, mayHaveMore, given, stored, places) => {
  const rows = stored.map((files) => ({ Item: 'a', files }));
  const placed = placeRows(
    given.map((Plan) => row({ Item: 'a', Plan })),
    rows,
    TOKYO,
    {
      given: ({ values }) => values.flatMap(({ value }) => (value.kind === 'files' ? value.add : [])),
      stored: ({ files }) => files as string[],
      mayHaveMore,
    },
  );
  expect(placed.map((each) => (each === null ? null : rows.indexOf(each as never)))).toEqual(places);
});

test('rows that the record does not show are none that could be named', () => {
  expect(storedRows(undefined)).toBeUndefined();
  expect(storedRows('hidden')).toBeUndefined();
});
