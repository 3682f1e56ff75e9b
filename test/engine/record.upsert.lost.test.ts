import { CONTINUE, drop, each, ng, testTable, type Row, type Rows } from './support/table';
import { RETRY, useWorkplace, type RunSettings } from './support/workplace';

/** Inserts whose answer was lost: a record that then has the key may be the insert's own. */
const place = useWorkplace(null);

const settings = {
  values: { Name: '={{ $json.n }}', Price: '={{ $json.p }}', Note: '={{ $json.note }}' },
  matchBy: ['Name'],
};
const cap = { n: 'Cap', p: 1, note: 'mine' };
const twoCaps = [cap, { ...cap, p: 2 }];
const withRows: RunSettings = { values: { Name: 'Cap', Lines: [{ Item: 'a' }] } };
const before = drop('insert_data', 'before');
const after = drop('insert_data', 'after');
const notNow = ng('update_data', { times: 1, message: 'not now' });
const hide = async (part: string) =>
  await place.sandbox.setUser('1001', { rights: { goods: { parts: { [part]: 'none' } } } });
/** Somebody else adds records of the key while the insert is lost. */
const others = (records: readonly object[], hidden?: string): Pick<Row, 'meanwhile' | 'faults'> => ({
  faults: [before],
  meanwhile: [
    'insert_data',
    async ({ sandbox, app }) => {
      await sandbox.addRecords(
        app.id,
        records.map((values) => ({ Name: 'Cap', ...values })),
      );
      if (hidden !== undefined) await hide(hidden);
    },
  ],
});
const BOLT = { Name: 'Bolt' };
const unknown = { error: 'outcome unknown', sent: { insert_data: 1, update_data: 0 } };
const cases = (operation: string, rows: Rows) =>
  testTable(place, { operation, ...settings }, rows, {
    ...{ application: { records: [{ Name: 'Bolt', Price: '1' }] }, items: [cap] },
  });

describe.each(['upsert', 'sync'])('%s', (operation) => {
  cases(operation, {
    ...each([
      ['Note', {}],
      ['Lines', withRows],
    ] as const)('its own record is recognized even if the part %s is hidden', ([part, run]) => ({
      run,
      faults: [after],
      meanwhile: [{ action: 'insert_data', when: 'after', times: 1 }, async () => await hide(part)],
      output: [{ id: '2', outcome: 'created' }],
      ...{ sent: { update_data: 0 }, left: ['1', '2'] },
    })),
    "somebody else's record is not mistaken for its own if a part is hidden": {
      ...others([{ Price: '9', Note: 'theirs' }], 'Note'),
      error: 'no right to change the part "Note"',
      stored: [BOLT, { Price: '9', Note: 'theirs' }],
    },
    "rows are not added to somebody else's record, because it may be its own and changed since": {
      ...{ run: withRows, ...others([{}]), ...unknown, advice: /^Check (?!.*run the node again)/ },
    },
    'if changing that record fails, a later try does not report it as created': {
      ...{ ...others([{ Price: '9' }]), faults: [before, notNow], node: RETRY },
      output: [{ id: '2', outcome: 'updated' }],
      stored: [BOLT, { Price: '1', Note: 'mine' }],
    },
  });
});

describe('upsert', () => {
  cases('upsert', {
    'is looked up and settled': {
      ...{ faults: [after], output: [{ id: '2', outcome: 'created' }], sent: { insert_data: 1 } },
    },
    'stays unknown if it is not found, also for other items with the same key': {
      ...{ faults: [before], items: [...twoCaps, { ...cap, n: 'Hat' }], node: CONTINUE },
      ...{ outcomes: ['unknown', 'unknown', 'created'], sent: { insert_data: 2 } },
    },
    'changes the record that somebody else added meanwhile, and later items with the key follow': {
      ...{ ...others([{ Price: '9' }]), items: twoCaps, outcomes: ['updated', 'updated'] },
      ...{ sent: { insert_data: 1 }, stored: [BOLT, { Name: 'Cap', Price: '2' }] },
    },
    'stays unknown if somebody else has added two records of the key': {
      ...{ ...others([{ Price: '9' }, { Price: '9' }]), ...unknown },
    },
    'stays unknown if the search fails, which does not hide it': {
      ...{ faults: [after, ng('list_data', { skip: 2 })], error: 'outcome unknown' },
      advice: /^Check .* You can also run the node again .* looks for their keys/,
    },
    'a policy does not change that record': {
      ...{ run: { conflictPolicy: 'skip' }, ...others([{ Price: '9' }]), ...unknown },
    },
    'if changing that record fails, the next item with the key changes it': {
      ...{ ...others([{ Price: '9' }]), faults: [before, notNow], items: twoCaps, node: CONTINUE },
      ...{ outcomes: ['refused', 'updated'], stored: [BOLT, { Price: '2' }] },
    },
  });
});
