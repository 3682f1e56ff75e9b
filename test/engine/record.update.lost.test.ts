import { drop, ng, testTable, type Row } from './support/table';
import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);

const fail = { conflictPolicy: 'fail', revision: '1' };
const done = { output: [{ id: '1', outcome: 'updated' }], sent: { update_data: 1 } };
const unknown = { error: 'outcome unknown', sent: { update_data: 1 } };
const renamed = [{ Name: 'Mine' }];
const addsRow = { values: { Lines: [{ Item: 'b' }] } };
const twoRows = [{ Lines: ['a', 'b'].map((Item, index) => ({ id: String(index + 1), Item })) }];
const before = [drop('update_data', 'before')];
const after = [drop('update_data', 'after')];
/** Somebody else writes before or after our request is worked off. */
const changed = (when: 'before' | 'after', values: Readonly<Record<string, unknown>>): Row['meanwhile'] => [
  { action: 'update_data', when, times: 1 },
  async () => await place.change(values),
];

// What became of an update whose answer was lost, by the table in docs/dev/guarantees.md.
testTable(
  place,
  { operation: 'update', recordId: '1', values: { Name: 'Mine' } },
  [
    {
      name: 'cut in the middle: held, so it is done',
      faults: [{ kind: 'cut', how: 'clean', action: 'update_data', times: 1 }],
      ...done,
    },
    {
      name: 'a page instead of an answer: held, so it is done',
      faults: [{ kind: 'html', when: 'after', action: 'update_data', times: 1 }],
      ...done,
    },
    { name: 'Overwrite, held: done', faults: after, ...done, stored: renamed },
    {
      name: 'Overwrite, not held: sent again three times, then unknown',
      faults: [drop('update_data', 'before', 99)],
      ...{ error: 'outcome unknown', sent: { update_data: 4 } },
      advice: /^The record 1, which now has revision 1, does not tell\. /,
    },
    {
      name: 'Overwrite, then refused: unknown, not refused',
      faults: [...before, ng('update_data', { skip: 1 })],
      ...{ error: 'outcome unknown', sent: { update_data: 2 } },
    },
    {
      name: 'Overwrite, the record does not show the values: unknown',
      ...{
        run: { values: { Note: 'Mine' } },
        rights: { parts: { Note: 'none' } },
        faults: after,
        ...unknown,
      },
    },
    {
      name: 'the record cannot be read either: unknown',
      ...{ faults: [...after, ng('get_data')], error: 'outcome unknown' },
    },
    { name: 'Fail, moved by one, held: done', run: fail, faults: after, ...done, stored: renamed },
    {
      name: 'Fail, not moved: sent again under that revision',
      ...{ run: fail, faults: before, ...done, stored: renamed },
      sent: { update_data: [{ '{{revision}}': '1' }, { '{{revision}}': '1' }] },
    },
    {
      name: 'Fail, moved by one, as it was: a conflict',
      ...{
        run: fail,
        items: [{ Name: 'Bolt' }],
        faults: before,
        meanwhile: changed('before', { Price: '7' }),
      },
      error: /^The record 1 was changed in the meantime: the item has revision 1, the service 2/,
      ...{ sent: { update_data: 1 }, stored: [{ Name: 'Bolt', Price: '7' }] },
    },
    {
      name: 'Fail, moved by one, and it is not known what was there: its own work may have been changed',
      ...{ run: fail, faults: before, meanwhile: changed('before', { Name: 'mine' }), ...unknown },
    },
    {
      name: 'an added row, moved, all of it there: done',
      ...{ run: addsRow, faults: after, ...done, stored: twoRows },
    },
    {
      name: 'an added row, changed since: unknown, and not added again',
      ...{ run: addsRow, faults: after, ...unknown },
      meanwhile: changed('after', { Lines: [{ Item: 'a' }, { Item: 'b.' }] }),
    },
    {
      name: 'a row that is there although it was refused: unknown, with the words of the service',
      ...{ run: addsRow, faults: [ng('update_data', { when: 'after', message: 'stamped', times: 1 })] },
      error:
        /^It is not known whether the record 1 was changed \(outcome unknown\): The service refused: stamped/,
      ...{ sent: { update_data: 1 }, stored: twoRows },
    },
  ],
  { application: { records: [{ Name: 'Bolt', Price: '1200', Lines: [{ Item: 'a' }] }] } },
);
