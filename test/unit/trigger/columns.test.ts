import { readPart } from '../../../nodes/ApplicationDataService/parts/codecs';
import { decide, remembered } from '../../../nodes/ApplicationDataService/trigger/poll/compare';
import { versionReader } from '../../../nodes/ApplicationDataService/trigger/source/version';
import type { Watch } from '../../../nodes/ApplicationDataService/trigger/source/watch';

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

function version(watch: Watch, revision: number, row: object) {
  const rows = [{ data_id: '7', ...row }];
  const record = { ID: { val: '1' }, revision, Lines: { val: { child_records: rows } } };
  return versionReader(watch, true)(record);
}

const settings = { events: new Set(['created', 'updated'] as const), watched: ['130'] };

test('an empty column of a table part is no change, a filled one is', () => {
  const before = version(watching('Item'), 1, { Item: { val: 'Bolt' } });
  const known = remembered(before, undefined);
  const now = (row: object) => version(watching('Item', 'Size'), 2, row);
  const same = now({ Item: { val: 'Bolt' }, Size: { val: '' } });
  expect(decide(same, known, false, settings, false)).toBe('remember');
  const filled = now({ Item: { val: 'Bolt' }, Size: { val: 'M4' } });
  expect(decide(filled, known, false, settings, false)).toBe('emit');
  const without = version(watching('Item'), 3, { Item: { val: 'Bolt' } });
  expect(decide(without, remembered(same, known), false, settings, false)).toBe('remember');
  expect(decide(without, remembered(filled, known), false, settings, false)).toBe('emit');
});

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
  expect(decide(hidden, known, false, settings, false)).toBe('nothing');
});
