import { useQuickRetries } from './support/quickRetries';
import { byId } from './support/saved';
import { each, testTable, type Row, type Rows } from './support/table';
import { tickets } from './support/tickets';
import { useWorkplace, type RunSettings } from './support/workplace';

useQuickRetries();

const place = useWorkplace(null);

const RIGHTS = { revision: 1, canWrite: true, canDelete: true };
const ACME = { id: '1', Title: 'Acme Engineering', Hours: 1.5 };
const LINES = [
  { id: '1', Item: 'Bolt', Qty: 3 },
  { id: '2', Item: 'Nut', Qty: null },
];
/** The record, however it is written. */
const WHOLE = {
  ...{
    ...ACME,
    ...RIGHTS,
    Text: 'One\nTwo, "three"',
    Kind: 'Bug',
    Marks: ['red', 'blue'],
    Due: '2026-03-01',
  },
  ...{ From: '09:30:00', Meeting: '2026-03-01T09:30', Owner: [{ id: '1001', name: 'Aiko Mori' }], Sum: 3 },
  ...{ Team: [{ id: '201', name: 'Sales' }, { id: '202' }], Files: [{ name: 'a.txt', size: 52 }] },
  ...{ Lines: LINES, Related: [{ Company: 'Acme Engineering' }] },
};
const without =
  (...keys: string[]): NonNullable<Row['after']> =>
  (_, { json }) => {
    for (const key of keys) expect(json[0]).not.toHaveProperty(key);
  };
const application = (value: string) => ({ application: byId(value) });
const three = ['1', '2', '1', '3'].map((id) => ({ id }));

const got = (rows: Rows) =>
  testTable(place, { operation: 'get', recordId: '1' }, rows, { application: tickets() });

const BAD: [string, RunSettings, RegExp][] = [
  ['an unknown part', { options: { partsToReturn: ['Nope'] } }, /There is no part "Nope"/],
  ['no application', application('={{ $json.missing }}'), /No application is selected/],
];

got({
  'the record with every part, by its ID alone': {
    shows: [WHOLE],
    hints: [],
    actions: ['get_app', 'get_data'],
    after: async () =>
      expect(await place.sent('get_data')).toEqual([
        { action: 'get_data', app_id: place.app.id, data_id: '1' },
      ]),
  },
  ...each([
    { ids: 'number', counts: 'number' },
    ...[{ dates: 'object' }, { numbers: 'separators' }, { numbers: 'number' }, { singleItem: 'object' }],
    ...[
      { rowIds: 'value' },
      { permissionsKey: 'two' },
      { permissionsKey: 'plain' },
      { listRevision: 'never' },
    ],
  ])('the same with %s', (dialect) => ({ dialect, shows: [WHOLE] })),
  'rows without IDs': {
    dialect: { rowIds: 'none' },
    shows: [{ Lines: LINES.map((line) => ({ ...line, id: null })) }],
  },
  'without reference lists, they have no key': {
    run: { options: { loadReferenceLists: false } },
    shows: [{ Lines: LINES }],
    sent: { get_data: [{ load_rel_list: 'off' }] },
    after: without('Related'),
  },
  'only the parts to return': {
    run: { options: { partsToReturn: ['Title', 'Hours'] } },
    output: [{ ...ACME, ...RIGHTS }],
  },
  'raw output is the object of the service, with only the parts to return': {
    run: { simplify: false, options: { partsToReturn: ['Title'] } },
    shows: [{ Title: { val: 'Acme Engineering' }, revision: { val: '1', deny_write: 'on' } }],
    after: (_, { json: [record = {}] }) => {
      expect(Object.keys(record).sort()).toEqual(['ID', 'Title', '\\permissions', 'revision']);
    },
  },
  'parts with an error have no key but say why': {
    rights: { access: true, write: 'none', delete: 'none', parts: { Hours: 'none' } },
    shows: [{ canWrite: false, canDelete: false, partErrors: { Hours: 'unauthorized' } }],
    after: without('Hours'),
  },
  'one record for each item, and the same one is read once': {
    ...{ run: { recordId: '={{ $json.id }}' }, items: three, shows: three, sent: { get_data: 3 } },
  },
  ...each(BAD)('refuses %s', ([, run, error]) => ({ run, error, item: 0 })),
  ...each(['maintenance', 'stopped'])('says that the application is in %s', (status) => ({
    application: tickets({ status: status as 'stopped' }),
    error: `The application "Tickets" is not running (${status})`,
  })),
  'by identifier': {
    application: tickets({ partIdentifierMode: true }),
    run: { options: { partsToReturn: ['Title'] } },
    shows: [{ id: '1', title: 'Acme Engineering' }],
  },
});
