import { readPart } from '../../../nodes/ApplicationDataService/parts/model/part';
import { judge, remembered } from '../../../nodes/ApplicationDataService/trigger/poll/compare';
import { versionReader } from '../../../nodes/ApplicationDataService/trigger/source/versionReader';
import type { Watch } from '../../../nodes/ApplicationDataService/trigger/source/watch';
import { RecordTable } from '../../../nodes/ApplicationDataService/trigger/state/recordTable';
import type { Columns } from '../../../nodes/ApplicationDataService/trigger/state/triggerState';

const ID = readPart({ id: '1', name: 'ID', type: 'id', system: 'on' });

/** A watch of a table part with these columns. */
function watching(...columns: string[]): Watch {
  const list = { item: columns.map((name, index) => ({ id: `13${index + 1}`, name, type: 'textbox' })) };
  const lines = readPart({ id: '130', name: 'Lines', type: 'input_list', child: { list } });
  const parts = [ID, lines];
  const narrowing = { searched: [] };
  const none = { test: null, keepsValues: false, updatedPart: null };
  return { ...none, parts, keyMode: 'name', narrowing, wanted: parts, watched: [lines] };
}

function version(watch: Watch, revision: number, row: object, earlier: readonly Columns[] = []) {
  const rows = [{ data_id: '7', ...row }];
  const record = { ID: { val: '1' }, revision, Lines: { val: { child_records: rows } } };
  return versionReader(watch, earlier, true)(record);
}

const settings = { events: new Set(['created', 'updated'] as const), watched: ['130'] };
const table = new RecordTable(1);
const BEFORE: Columns = { 130: ['131'] };

test('a hash of a table part counts for the columns of which it was made', () => {
  const known = remembered(version(watching('Item'), 1, { Item: { val: 'Bolt' } }), undefined, table);
  const now = (row: object) => version(watching('Item', 'Size'), 2, row, [BEFORE]);
  const same = now({ Item: { val: 'Bolt' }, Size: { val: '' } });
  expect(judge(same, known, false, settings, table)).toBe('remember');
  const filled = now({ Item: { val: 'Bolt' }, Size: { val: 'M4' } });
  // The column is new: what it holds when it is first seen is no change, what becomes of it later is one.
  expect(judge(filled, known, false, settings, table)).toBe('remember');
  const learned = remembered(same, known, table);
  expect(judge({ ...filled, revision: 3 }, learned, false, settings, table)).toBe('emit');
  expect(judge(now({ Item: { val: 'Nut' } }), known, false, settings, table)).toBe('emit');
});

test('a table part with a cell in error is unknown', () => {
  const known = remembered(version(watching('Item'), 1, { Item: { val: 'Bolt' } }), undefined, table);
  const hidden = version(watching('Item'), 2, { Item: { val: '', error: 'unauthorized' } });
  expect(hidden.hashes.each).toEqual([0]);
  expect(judge(hidden, known, false, settings, table)).toBe('nothing');
});

test('beyond the room for hashes, one covers all watched parts, until there is room again', () => {
  const records = new RecordTable(2);
  const hashes = { each: [5, 6], all: 3 };
  for (let id = 1; id <= 100_000; id++) records.set(String(id), { revision: 1, hashes: hashes.each });
  expect(records.joinHashes()).toBe(true);
  expect(records.joinHashes()).toBe(false);
  const known = records.get('7')!;
  expect(known).toMatchObject({ hashes: [3], isJoint: true });
  const seen = { id: '7', revision: 2, hashes, updated: '' };
  expect(judge(seen, known, false, { ...settings, watched: ['1', '2'] }, records)).toBe('remember');
  const other = { ...seen, hashes: { each: [5, 7], all: 2 } };
  expect(judge(other, known, false, { ...settings, watched: ['1', '2'] }, records)).toBe('emit');
  expect(remembered(other, known, records)).toMatchObject({ hashes: [2], isJoint: true });
  for (let id = 1001; id <= 100_000; id++) records.remove(String(id));
  expect(remembered(seen, known, records)).toEqual({ revision: 2, hashes: [5, 6], values: undefined });
});
