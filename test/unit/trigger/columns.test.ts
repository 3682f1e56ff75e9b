import { readPart } from '../../../nodes/ApplicationDataService/parts/codecs';
import { decide, remember } from '../../../nodes/ApplicationDataService/trigger/poll/compare';
import type { PollSettings } from '../../../nodes/ApplicationDataService/trigger/poll/context';
import {
  type Version,
  versionReader,
  type Watch,
} from '../../../nodes/ApplicationDataService/trigger/source/watch';
import { RecordTable } from '../../../nodes/ApplicationDataService/trigger/state/recordTable';
import { stateOf } from './support/stateOf';

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
  return versionReader(watch, 'ID')(record, false);
}

const settings = { events: new Set(['created', 'updated']) } as unknown as PollSettings;

/** What is done with a version of a record that was remembered under others. */
function verdict(version: Version, ...before: readonly Version[]): string {
  const state = { ...stateOf(new RecordTable(['130'])), learnsUpTo: null };
  for (const each of before) remember(each, state);
  return decide(version, { state, settings });
}

test('an empty column of a table part is no change, a filled one is', () => {
  const before = version(watching('Item'), 1, { Item: { val: 'Bolt' } });
  const now = (row: object) => version(watching('Item', 'Size'), 2, row);
  const same = now({ Item: { val: 'Bolt' }, Size: { val: '' } });
  expect(verdict(same, before)).toBe('remember');
  const filled = now({ Item: { val: 'Bolt' }, Size: { val: 'M4' } });
  expect(verdict(filled, before)).toBe('emit');
  const without = version(watching('Item'), 3, { Item: { val: 'Bolt' } });
  expect(verdict(without, before, same)).toBe('remember');
  expect(verdict(without, before, filled)).toBe('emit');
});

test('the order of columns is no change', () => {
  const [first, second] = watching('Item', 'Size').watched[0]!.children;
  const watch = watching('Item', 'Size');
  const moved = { ...watch, watched: [{ ...watch.watched[0]!, children: [second!, first!] }] };
  const row = { Item: { val: 'Bolt' }, Size: { val: 'M4' } };
  expect(version(moved, 1, row).hashes).toEqual(version(watch, 1, row).hashes);
});

test('a table part with a cell in error is unknown', () => {
  const before = version(watching('Item'), 1, { Item: { val: 'Bolt' } });
  const hidden = version(watching('Item'), 2, { Item: { val: '', error: 'unauthorized' } });
  expect(hidden.hashes).toEqual([0]);
  expect(verdict(hidden, before)).toBe('nothing');
});
