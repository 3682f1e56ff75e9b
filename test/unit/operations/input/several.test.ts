import {
  readRecordId,
  readRecordIds,
  readRowId,
  readSeveral,
} from '../../../../nodes/ApplicationDataService/operations/input/several';
import type { Item } from '../../../../nodes/ApplicationDataService/operations/run/item';
import { refusalOf } from '../../parts/support/parts';

const itemOf = (value: unknown, byAgent = false): Item =>
  ({ value: () => value, run: { byAgent } }) as unknown as Item;
const located = (mode: string, value: unknown) => ({ __rl: true, mode, value, cachedResultName: 'Bolt' });
const LONG = '123456789012345678';
const NO_ID = 'One of the IDs is an object without an ID';
const TOO_LARGE = 'An ID is too large for a number';

test.each<[unknown, string[]]>([
  ['1', ['1']],
  [1, ['1']],
  ['1, 2,2', ['1', '2']],
  ['1\n2\t3', ['1', '2', '3']],
  [
    [1, '2'],
    ['1', '2'],
  ],
  ['[1, "2"]', ['1', '2']],
  [`["1", ${LONG}]`, ['1', LONG]],
  [{ id: '2', Name: 'x' }, ['2']],
  [
    ['1', { id: 2 }],
    ['1', '2'],
  ],
  ['["1", {"id": "2"}]', ['1', '2']],
  ...['list', 'id', 'url', ''].map((mode): [unknown, string[]] => [located(mode, ' 1 '), ['1']]),
  [located('id', '1,2'), ['1', '2']],
  [located('id', ['1', 2]), ['1', '2']],
])('the IDs in %j are %j', (value, ids) => {
  const item = itemOf(value);
  expect([readRecordIds(item), item.recordIds]).toEqual([ids, ids]);
  expect(readSeveral(item, 'rowId')).toEqual(ids);
});

test.each<[unknown, string]>([
  ...[null, undefined, '', ' , ,', [], located('id', undefined)].map((value): [unknown, string] => [
    value,
    'The record ID is empty',
  ]),
  ...[{ name: 'x' }, ['1', { Name: '2' }], ['1', ['2']], '[1, {}]', `[1, ${LONG}, {}]`].map(
    (value): [unknown, string] => [value, NO_ID],
  ),
  ...[2 ** 53 + 2, [2 ** 53 + 2], { id: 2 ** 53 + 2 }].map((value): [unknown, string] => [value, TOO_LARGE]),
  [['1', { id: '2', recordId: '3' }], 'One of the record IDs is a row or a file of a record'],
])('the record IDs in %j are refused: %s', (value, message) => {
  expect(refusalOf(() => readRecordIds(itemOf(value))).message).toBe(message);
});

test.each([
  ['rowId', 'The row ID is empty'],
  ['attachmentIds', 'The list of attachment IDs is empty'],
])('where no %s means all of them, an expression that returns nothing is refused', (name, message) => {
  for (const value of [null, undefined, [], [undefined], located('id', undefined)])
    expect(refusalOf(() => readSeveral(itemOf(value), name)).message).toBe(message);
  expect(readSeveral(itemOf(''), name)).toEqual([]);
});

test('of one record or row, several are refused', () => {
  expect([readRecordId(itemOf(['1'])), readRowId(itemOf('2')), readRowId(itemOf(''))]).toEqual([
    '1',
    '2',
    '',
  ]);
  for (const value of ['1,2', [1, 2], located('id', '1,2')]) {
    const [ofRecord, ofRow] = [readRecordId, readRowId].map((read) => refusalOf(() => read(itemOf(value))));
    expect(ofRecord?.message).toBe('The item names 2 records, and this operation takes one');
    expect(ofRow?.message).toBe('The item names 2 rows, and this operation takes one');
  }
});

test.each([null, '', '  ', 'null', [], '[]', [null, '']])('a model that says %j names none', (says) => {
  expect(readSeveral(itemOf(says, true), 'attachmentIds')).toEqual([]);
  expect(refusalOf(() => readRecordIds(itemOf(says, true))).message).toBe('The record ID is empty');
});
