import { judge } from '../../../../nodes/ApplicationDataService/trigger/poll/compare';
import type { PollSettings } from '../../../../nodes/ApplicationDataService/trigger/poll/context';
import { RecordTable } from '../../../../nodes/ApplicationDataService/trigger/state/recordTable';

const settings: Pick<PollSettings, 'events' | 'watched'> = {
  events: new Set(['created', 'updated']),
  watched: ['101', '102'],
};
const listed = (revision: number, ...hashes: number[]) => ({ id: '1', revision, hashes, updated: '' });

test.each([
  ['nothing changed', { revision: 1, hashes: [5, 6] }, listed(1, 5, 6), 'nothing'],
  ['a hash was unknown', { revision: 1, hashes: [5, 0] }, listed(1, 5, 6), 'remember'],
  ['a part is in error now', { revision: 1, hashes: [5, 6] }, listed(1, 5, 0), 'nothing'],
  ['a watched part changed', { revision: 1, hashes: [5, 6] }, listed(2, 5, 7), 'emit'],
  ['another part changed', { revision: 1, hashes: [5, 6] }, listed(2, 5, 6), 'remember'],
  ['it may have changed', { revision: 1, hashes: [5, 6] }, listed(2, 5, 0), 'nothing'],
])('a known record of which %s', (_, known, version, expected) => {
  expect(judge(version, known, true, settings, new RecordTable(2))).toBe(expected);
});
