import { each, testTable, type Row } from './support/table';
import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);

const updated = [{ id: '1', outcome: 'updated' }];
const conflict = [{ id: '1', outcome: 'conflict' }];
const guarded = (conflictPolicy: string, more = {}): Row['run'] => ({
  ...{ conflictPolicy, revision: '={{ $json.revision }}', ...more },
});
/** What somebody else has changed since. */
const changed =
  (...changes: Record<string, unknown>[]) =>
  async () => {
    for (const values of changes) await place.change(values);
  };
const THEIRS = changed({ Name: 'Theirs' });
const OTHER = changed({ Price: '1' });

// What decides a conflict stands in test/unit/service/write/plan.conflict.test.ts.
testTable(
  place,
  { operation: 'update', recordId: '1', values: { Name: 'Mine' } },
  {
    'overwrite: the last one to write wins': {
      ...{ before: THEIRS, output: updated, stored: [{ Name: 'Mine' }, {}] },
    },
    ...each(['fail', 'skip', 'merge'])(
      '%s: without a conflict, it is one request under the revision',
      (policy) => ({
        ...{ run: guarded(policy), output: updated },
        sent: { update_data: [{ '{{revision}}': '1' }], get_data: 0 },
      }),
    ),
    'fail: names both revisions and the parts that differ, and the field as n8n shows it': {
      run: guarded('fail', { values: { Name: 'Mine', Kind: 'Nut' } }),
      before: changed({ Name: 'Theirs', Price: '1' }, { Price: '2' }),
      error:
        /^The record 1 was changed in the meantime: the item has revision 1, the service 3\. Different since then: "Name", "Price", "Kind"$/,
      ...{ advice: '"If the Record Was Changed"', stored: [{ Name: 'Theirs' }, {}] },
    },
    'skip: passes the item on': {
      ...{ run: guarded('skip'), before: OTHER, output: conflict, stored: [{ Name: 'Bolt' }, {}] },
    },
    'skip: also where Skip Unchanged finds it': {
      ...{ run: guarded('skip', { options: { skipUnchanged: true } }), before: OTHER, output: conflict },
    },
    'skip: another refusal is none': {
      run: guarded('skip', { values: { Owner: '9999' } }),
      error: /^The service refused: The part "Owner"/,
    },
    'merge: writes if nobody changed the same parts, on the newer revision': {
      ...{ run: guarded('merge'), before: OTHER, output: updated },
      sent: { update_data: [{ '{{revision}}': '1' }, { '{{revision}}': '2' }] },
      stored: [{ Name: 'Mine', Price: '1' }, {}],
    },
    'merge: fails if the same part was changed': {
      ...{ run: guarded('merge'), before: THEIRS, stored: [{ Name: 'Theirs' }, {}] },
      error: /item has revision 1, the service 2\. Different since then: "Name"$/,
    },
    ...each([{ failureStatus: '500' }, { refusals: 'alike' }])(
      'fail: told by the revision, whatever the refusal looks like: %s',
      (dialect) => ({
        ...{ dialect, run: guarded('fail'), before: OTHER },
        error: /the item has revision 1, the service 2/,
      }),
    ),
  },
  // The item as it was read, before others change the record.
  { items: [{ id: '1', revision: 1, Name: 'Bolt', Price: 1200 }] },
);
