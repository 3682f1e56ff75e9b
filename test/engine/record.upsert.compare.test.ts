import { some } from './support/like';
import { CONTINUE, drop, itemsIn, ng, testTable, type Rows } from './support/table';
import { useWorkplace } from './support/workplace';

/** Create or Update sends what differs from what its look-up shows. */
const place = useWorkplace(null);

const application = {
  records: [
    {
      Name: 'Bolt',
      Price: '12.5',
      Kind: 'Screw',
      Colours: ['red', 'blue'],
      Lines: [{ Item: 'a', Qty: '1' }],
    },
    { Name: 'Nut', Price: '7' },
  ],
};

const items = [{ n: 'Bolt', p: '12.50' }];
const values = { Name: '={{ $json.n }}', Price: '={{ $json.p }}' };

const rows: Rows = {
  'nothing, if nothing differs': {
    run: { values: { ...values, Colours: 'blue\nred', Kind: 'Screw' } },
    items,
    output: [{ id: '1', outcome: 'unchanged' }],
    sent: { list_data: 1, get_data: 0, update_data: 0 },
  },
  'only the values that differ, without a guard': {
    items: [{ n: 'Bolt', p: 13 }],
    output: [{ id: '1', outcome: 'updated' }],
    sent: { list_data: 1, get_data: 0, update_data: [{ '{{revision}}': '0', '{{Price}}': '13' }] },
    after: async (workplace) =>
      expect((await workplace.sent('update_data'))[0]).not.toHaveProperty('{{Name}}'),
  },
  'also under a policy, without a conflict where nothing differs': {
    run: { conflictPolicy: 'fail' },
    items: [...items, { n: 'Nut', p: 8 }],
    outcomes: ['unchanged', 'updated'],
    sent: { get_data: 0, update_data: [{ '{{revision}}': '1', '{{Price}}': '8' }] },
  },
  'under a policy, where lists show no revision, of what the record shows': {
    dialect: { listRevision: 'never' },
    run: { conflictPolicy: 'fail' },
    items,
    outcomes: ['unchanged'],
    sent: { get_data: 1, update_data: 0 },
  },
  'a part to empty that is empty is not sent': {
    run: { values: { Name: 'Nut' }, options: { partsToEmpty: ['Price'] } },
    items: [{}, {}],
    outcomes: ['updated', 'unchanged'],
    sent: { get_data: 1, update_data: 1 },
  },
  'a part that is hidden differs': {
    rights: { parts: { Price: 'none' } },
    items,
    error: /no right to change the part "Price"/,
    sent: { update_data: [{ '{{Price}}': '12.5' }] },
  },
  'what this run has written is read again before it is compared': {
    items: [{ n: 'Nut', p: 8 }, { n: 'Nut', p: 7 }, { n: 'Nut', p: 7 }, ...items, ...items],
    outcomes: ['updated', 'updated', 'unchanged', 'unchanged', 'unchanged'],
    sent: { get_data: 2, update_data: 2 },
    stored: [{ Price: '12.5' }, { Price: '7' }],
  },
  'what this run may have written, too': {
    faults: [drop('update_data', 'after'), ng('get_data', { times: 1 })],
    items: itemsIn('n p', 'Nut 8, Nut 7'),
    node: CONTINUE,
    outcomes: ['unknown', 'updated'],
    stored: [{}, { Price: '7' }],
  },
  'rows are compared on the record itself: none differs': {
    run: { values: { Name: 'Bolt', Lines: '={{ [{ id: $json.row, Qty: 1 }] }}' } },
    items: [{ row: '1' }],
    outcomes: ['unchanged'],
    sent: { get_data: 1, update_data: 0 },
  },
  'a dry run compares in the same way, and reads nothing more': {
    run: { options: { dryRun: true } },
    items: [...items, { n: 'Nut', p: 8 }],
    output: [
      { id: '1', outcome: 'unchanged', dryRun: true },
      some({ id: '2', outcome: 'updated', changes: { Price: { from: 7, to: 8 } } }),
    ],
    sent: { get_data: 0, update_data: 0 },
  },
  'a choice that is no longer offered stays in the record that holds it, without another read': {
    before: async ({ sandbox, app }) =>
      await sandbox.changeApplication(app.id, { parts: { Kind: { options: ['Nut'] } } }),
    run: { values: { Name: '={{ $json.n }}', Kind: 'Screw' } },
    ...{ items: [{ n: 'Bolt' }], outcomes: ['unchanged'], sent: { get_data: 0, update_data: 0 } },
  },
};

testTable(place, { operation: 'upsert', matchBy: ['Name'], values, options: {} }, rows, { application });
