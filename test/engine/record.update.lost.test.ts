import type { Fault } from '../support/sandbox';
import { testTable, type Row } from './support/table';
import { useWorkplace, type RunSettings } from './support/workplace';

const place = useWorkplace(null);

const application = { records: [{ Name: 'Bolt', Price: '1200', Lines: [{ Item: 'a' }] }] };

/** A table of one record. */
const cases = (base: RunSettings, rows: readonly Row[]): void =>
  testTable(
    place,
    { operation: 'update', recordId: '1', ...base },
    rows.map((row) => ({ application, ...row })),
  );

const drop = (when: 'before' | 'after', times = 1): Fault => ({
  ...{ kind: 'drop', when, action: 'update_data', times },
});
const fail = { conflictPolicy: 'fail', revision: '1' };
const updated = [{ id: '1', outcome: 'updated' }];
const renamed = [{ Name: 'Mine' }];
/** Somebody else writes before or after our request is worked off. */
const inPlace = async (
  when: 'before' | 'after',
  change: Readonly<Record<string, unknown>>,
  faults: Fault[],
): Promise<void> =>
  await place.meanwhile(
    { action: 'update_data', when, times: 1 },
    async () => await place.change(change),
    faults,
  );

// What became of an update whose answer was lost, by the table in docs/dev/guarantees.md.
describe('a lost answer', () => {
  cases({ values: { Name: 'Mine' } }, [
    {
      name: 'cut in the middle: held, so it is done',
      faults: [{ kind: 'cut', how: 'clean', action: 'update_data', times: 1 }],
      output: updated,
      sent: { update_data: 1 },
    },
    {
      name: 'a page instead of an answer: held, so it is done',
      faults: [{ kind: 'html', when: 'after', action: 'update_data', times: 1 }],
      output: updated,
      sent: { update_data: 1, get_data: 1 },
    },
    {
      name: 'Overwrite, held: done',
      faults: [drop('after')],
      output: updated,
      sent: { update_data: 1, get_data: 1 },
      stored: renamed,
    },
    {
      name: 'Overwrite, not held: sent again three times, then unknown',
      faults: [drop('before', 99)],
      error: /outcome unknown/,
      advice: /^The record 1, which now has revision 1, does not tell\. /,
      sent: { update_data: 4 },
    },
    {
      name: 'Overwrite, then refused: unknown, not refused',
      faults: [drop('before'), { kind: 'ng', action: 'update_data', skip: 1, errorno: -1, message: 'no' }],
      error: /outcome unknown/,
      sent: { update_data: 2 },
    },
    {
      name: 'Overwrite, the record does not show the values: unknown',
      run: { values: { Note: 'Mine' } },
      before: async () =>
        await place.sandbox.setUser('1001', {
          rights: { [place.app.identifier]: { parts: { Note: 'none' } } },
        }),
      faults: [drop('after')],
      error: /outcome unknown/,
      sent: { update_data: 1 },
    },
    {
      name: 'the record cannot be read either: unknown',
      faults: [drop('after'), { kind: 'ng', action: 'get_data', errorno: -1, message: 'gone' }],
      error: /outcome unknown/,
    },
    {
      name: 'Fail, moved by one, held: done',
      run: fail,
      faults: [drop('after')],
      output: updated,
      sent: { update_data: 1 },
      stored: renamed,
    },
    {
      name: 'Fail, not moved: sent again under that revision',
      run: fail,
      faults: [drop('before')],
      output: updated,
      sent: { update_data: [{ '{{revision}}': '1' }, { '{{revision}}': '1' }] },
      stored: renamed,
    },
    {
      name: 'Fail, moved by one, as it was: a conflict',
      run: fail,
      items: [{ Name: 'Bolt' }],
      before: async () => await inPlace('before', { Price: '7' }, [drop('before')]),
      error: /^The record 1 was changed in the meantime: the item has revision 1, the service 2/,
      sent: { update_data: 1 },
      stored: [{ Name: 'Bolt', Price: '7' }],
    },
    {
      name: 'Fail, moved by one, and it is not known what was there: unknown, as its own work may have been changed',
      run: fail,
      before: async () => await inPlace('before', { Name: 'mine' }, [drop('before')]),
      error: /outcome unknown/,
      sent: { update_data: 1 },
    },
    {
      name: 'an added row, moved, all of it there: done',
      run: { values: { Lines: [{ Item: 'b' }] } },
      faults: [drop('after')],
      output: updated,
      sent: { update_data: 1 },
      stored: [
        {
          Lines: [
            { id: '1', Item: 'a' },
            { id: '2', Item: 'b' },
          ],
        },
      ],
    },
    {
      name: 'an added row, changed since: unknown, and not added again',
      run: { values: { Lines: [{ Item: 'b' }] } },
      before: async () => await inPlace('after', { Lines: [{ Item: 'a' }, { Item: 'b.' }] }, [drop('after')]),
      error: /outcome unknown/,
      sent: { update_data: 1 },
    },
  ]);
});

describe('a refusal', () => {
  const savedAndRefused: Fault = {
    ...{ kind: 'ng', when: 'after', action: 'update_data', times: 1, errorno: -5, message: 'stamped' },
  };
  cases({}, [
    {
      name: 'of a row that is there: unknown, with the words of the service',
      run: { values: { Lines: [{ Item: 'b' }] } },
      faults: [savedAndRefused],
      error:
        /^It is not known whether the record 1 was changed \(outcome unknown\): The service refused: stamped/,
      sent: { update_data: 1 },
      stored: [
        {
          Lines: [
            { id: '1', Item: 'a' },
            { id: '2', Item: 'b' },
          ],
        },
      ],
    },
  ]);
});
