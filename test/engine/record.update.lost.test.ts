import { drop, each, ng, testTable, type Row } from './support/table';
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
  {
    'Overwrite, held: done': { faults: after, ...done, stored: renamed },
    'Overwrite, not held: planned five times, then unknown': {
      faults: [drop('update_data', 'before', 99)],
      ...{ error: 'outcome unknown', sent: { update_data: 5 } },
      advice: / The record 1, which now has revision 1, does not tell\.$/,
    },
    ...each(['update', 'delete'] as const)(
      '%s, the service failed with words: these stand first',
      (operation) => ({
        ...{ run: { operation }, dialect: { failureStatus: '500' }, error: 'outcome unknown' },
        faults: [ng(`${operation}_data`, { message: 'the disk is full' })],
        advice: /^the disk is full \[W1\]\. /,
      }),
    ),
    'Overwrite, the record does not show the values: unknown': {
      ...{
        run: { values: { Note: 'Mine' } },
        rights: { parts: { Note: 'none' } },
        faults: after,
        ...unknown,
      },
    },
    'Fail, moved by one, as it was: a conflict': {
      ...{
        run: fail,
        items: [{ Name: 'Bolt' }],
        faults: before,
        meanwhile: changed('before', { Price: '7' }),
      },
      error: /^The record 1 was changed in the meantime: the item has revision 1, the service 2/,
      ...{ sent: { update_data: 1 }, stored: [{ Name: 'Bolt', Price: '7' }] },
    },
    'a row that is there although it was refused: unknown, with the words of the service': {
      ...{ run: addsRow, faults: [ng('update_data', { when: 'after', message: 'stamped', times: 1 })] },
      error:
        /^It is not known whether the record 1 was changed \(outcome unknown\): the service refused: stamped/,
      ...{ sent: { update_data: 1 }, stored: twoRows },
    },
  },
  { application: { records: [{ Name: 'Bolt', Price: '1200', Lines: [{ Item: 'a' }] }] } },
);
