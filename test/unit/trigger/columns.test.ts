import { readPart } from '../../../nodes/ApplicationDataService/parts/codecs';
import { judge, remembered } from '../../../nodes/ApplicationDataService/trigger/poll/compare';
import { versionReader } from '../../../nodes/ApplicationDataService/trigger/source/versionReader';
import type { Watch } from '../../../nodes/ApplicationDataService/trigger/source/watch';
import { RecordTable } from '../../../nodes/ApplicationDataService/trigger/state/recordTable';

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

function version(watch: Watch, revision: number, row: object, isJoint = false) {
  const rows = [{ data_id: '7', ...row }];
  const record = { ID: { val: '1' }, revision, Lines: { val: { child_records: rows } } };
  return versionReader(watch, isJoint, true)(record);
}

const settings = { events: new Set(['created', 'updated'] as const), watched: ['130'] };
const table = new RecordTable(1);

test.each([false, true])(
  'an empty column of a table part is no change, a filled one is, with one hash for all: %s',
  (isJoint) => {
    const before = version(watching('Item'), 1, { Item: { val: 'Bolt' } }, isJoint);
    const known = remembered(before, undefined);
    const now = (row: object) => version(watching('Item', 'Size'), 2, row, isJoint);
    const same = now({ Item: { val: 'Bolt' }, Size: { val: '' } });
    expect(judge(same, known, false, settings, table)).toBe('remember');
    const filled = now({ Item: { val: 'Bolt' }, Size: { val: 'M4' } });
    expect(judge(filled, known, false, settings, table)).toBe('emit');
    const without = version(watching('Item'), 3, { Item: { val: 'Bolt' } }, isJoint);
    expect(judge(without, remembered(same, known), false, settings, table)).toBe('remember');
    expect(judge(without, remembered(filled, known), false, settings, table)).toBe('emit');
  },
);

test('the order of columns is no change', () => {
  const [first, second] = watching('Item', 'Size').watched[0]!.children;
  const watch = watching('Item', 'Size');
  const moved = { ...watch, watched: [{ ...watch.watched[0]!, children: [second!, first!] }] };
  const row = { Item: { val: 'Bolt' }, Size: { val: 'M4' } };
  expect(version(moved, 1, row).hashes).toEqual(version(watch, 1, row).hashes);
});

test('a table part with a cell in error is unknown', () => {
  const known = remembered(version(watching('Item'), 1, { Item: { val: 'Bolt' } }), undefined);
  const hidden = version(watching('Item'), 2, { Item: { val: '', error: 'unauthorized' } });
  expect(hidden.hashes).toEqual([0]);
  expect(judge(hidden, known, false, settings, table)).toBe('nothing');
});

test('beyond the room for hashes, one covers all watched parts, until other parts are watched', () => {
  const records = new RecordTable(2);
  for (let id = 1; id <= 83_333; id++) records.set(String(id), { revision: 1, hashes: [5, 6] });
  expect(records.joinHashes()).toBe(false);
  records.set('83334', { revision: 1, hashes: [5, 0] });
  expect(records.joinHashes()).toBe(true);
  expect(records.joinHashes()).toBe(false);
  const known = records.get('7')!;
  expect([known.hashes, records.get('83334')!.hashes]).toEqual([[3], [0]]);
  const seen = { id: '7', revision: 2, hashes: [3], updated: '' };
  expect(judge(seen, known, false, settings, records)).toBe('remember');
  expect(judge({ ...seen, hashes: [2] }, known, false, settings, records)).toBe('emit');
  records.rewatch([1, -1, 0]);
  expect([records.get('7')!.hashes, records.isJoint]).toEqual([[0, 0, 0], false]);
});
