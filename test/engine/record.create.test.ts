import { withFiles } from './support/rows';
import { byIdentifier } from './support/saved';
import { each, itemsIn, testTable } from './support/table';
import { GOODS_RECORDS, itemsOf, useWorkplace, type RunSettings } from './support/workplace';

const place = useWorkplace();

const ALL = GOODS_RECORDS.map(() => ({}));
const made = async () => (await place.stored()).slice(2);
const from = (values: RunSettings['values'], options = {}): RunSettings => ({ values, options });
const orders = { application: byIdentifier('@orders') };

testTable(place, 'create', {
  'one output item for each input item, with its ID, and one request each': {
    run: from({ Name: '={{ $json.n }}', Price: '={{ $json.p }}' }),
    items: itemsIn('n p', 'Cap 1,200, Pin 0.5'),
    hints: [],
    sent: { get_app: 1, insert_data: 2 },
    stored: [...ALL, { Name: 'Cap', Price: '1200' }, { Name: 'Pin', Price: '0.5' }],
    after: async (_, { items }) => {
      const ids = (await made()).map(({ id }) => id);
      const output = ids.map((id, item) => ({ json: { id, outcome: 'created' }, pairedItem: { item } }));
      expect(items).toEqual(output);
    },
  },
  'every part type is sent as interface.md says': {
    run: from({
      ...{ Name: true, Price: 12.5, Colours: ['red', 'green'], Kind: 'Nut', Due: '2026-03-01' },
      ...{ Seen: '2026-03-01T00:30Z', Owner: [{ id: '1002', name: 'Ken' }, 1003], Note: 'one\ntwo' },
      Lines: '[{"Item":"Bolt","Qty":3},{"Qty":"4"}]',
    }),
    after: async () =>
      expect(await place.sent('insert_data')).toEqual([
        {
          ...{ action: 'insert_data', app_id: place.app.id, '{{Name}}': 'true', '{{Price}}': '12.5' },
          ...{ '{{Colours}}': 'red\tgreen', '{{Kind}}': 'Nut', '{{Due}}': '2026-03-01' },
          ...{ '{{Seen}}': '2026-03-01T09:30', '{{Owner}}': '1002\t1003', '{{Note}}': 'one\ntwo' },
          '{{Lines}}': '[{"Item":"Bolt","Qty":"3"},{"Qty":"4"}]',
        },
      ]),
  },
  'binary fields are uploaded': {
    run: from({ Name: 'With files', Photo: 'data, photo' }),
    engine: {
      input: [
        withFiles({ data: { name: 'a.txt', text: 'hello' }, photo: { name: '写真.png', text: 'png' } }),
      ],
    },
    stored: [...ALL, { Name: 'With files' }],
    after: async () =>
      expect((await place.calls('insert_data'))[0]?.files).toEqual([
        { field: '{{Photo}}', name: 'a.txt', size: 5 },
        { field: '{{Photo}}', name: '写真.png', size: 3 },
      ]),
  },
  'automatic processing is on unless it is switched off': {
    application: { automatic: [{ on: 'insert', part: 'Done By', value: '{user}' }] },
    run: from({ Name: 'a' }, { autoAction: '={{ $json.on }}' }),
    items: [{ on: true }, { on: false }],
    after: async () => {
      expect((await made()).map(({ values }) => values['Done By'])).toEqual(['Aiko Mori', undefined]);
      expect((await place.sent('insert_data')).map((sent) => sent.auto_action)).toEqual([undefined, 'off']);
    },
  },
  'lookup key parts are named': {
    run: {
      ...{ ...orders, values: { 'Order No': 'O-1', 'Customer ID': 1 } },
      options: { relookupKeyParts: ['Customer ID'] },
    },
    after: async (_, { json }) => {
      const { 'Customer ID': key } = await place.sandbox.partIds('orders');
      expect(await place.sent('insert_data')).toMatchObject([{ relookup_key_field: key }]);
      const stored = await place.sandbox.records('orders');
      expect(stored.find(({ id }) => id === json[0]?.id)?.values['Delivery Name']).toBe('Acme Engineering');
    },
  },
  'a lookup key part must be among the values': {
    run: { ...orders, values: { 'Order No': 'O-2' }, options: { relookupKeyParts: '={{ "Customer ID" }}' } },
    error: 'lookup key part "Customer ID" has no value',
    sent: { insert_data: 0 },
  },
  'Return Record outputs the record as Get does, and the outcome': {
    run: from({ Name: 'Cap', Price: 3 }, { returnRecord: true }),
    shows: [{ revision: 1, Name: 'Cap', Price: 3, Double: 6, outcome: 'created' }],
    after: async (_, { json }) => {
      const got = await place.run('get', { recordId: json[0]?.id });
      expect(json).toEqual([{ ...got.json[0], outcome: 'created' }]);
    },
  },
});

describe('Map Automatically', () => {
  const own = {
    id: '77',
    revision: 3,
    canWrite: true,
    outcome: 'updated',
    partErrors: { Note: 'unauthorized' },
  };
  const automatic = { operation: 'create', values: null };
  testTable(place, automatic, {
    "ignores parts that cannot be written and the nodes' own output keys": {
      items: [{ ...own, Name: 'Cap', Price: 5, Double: 99, 'Done By': 'me' }],
      hints: ['Ignored because they cannot be written: Double, Done By'],
      after: async () =>
        expect(await place.sent('insert_data')).toEqual([
          { action: 'insert_data', app_id: place.app.id, '{{Name}}': 'Cap', '{{Price}}': '5' },
        ]),
    },
    'leaves out keys that are no parts if they are to be ignored, and names them': {
      run: { options: { ignoreUnknown: true } },
      items: [{ Name: 'Cap', Prize: 5, row_number: 2 }],
      hints: ['Ignored because there are no such parts: Prize, row_number'],
      sent: { insert_data: [{ '{{Name}}': 'Cap' }] },
    },
  });

  test('a record that was read is copied: its rows are new, its files are not copied', async () => {
    const Lines = [{ Item: 'a', Qty: '1' }, { Item: 'b' }];
    await place.open({ records: [{ Name: 'Bolt', Lines, Photo: [{ name: 'a.txt', text: 'x' }] }] });
    await place.create({ values: null }, { input: itemsOf(await place.read()) });
    const [original, copy] = await place.stored();
    expect(copy?.values).toMatchObject({ Name: 'Bolt', Lines });
    expect(copy?.values).not.toHaveProperty('Photo');
    expect(original?.revision).toBe(1);
  });
});

describe('what is refused before anything is sent', () => {
  const bad: [string, RunSettings['values'], RegExp, RegExp][] = [
    [
      'a text for a number',
      { Price: 'twelve' },
      /"Price".*"twelve": it is not a number/,
      /^Accepted: a number/,
    ],
    ['a file that is none', { Name: 'x', Photo: 'data' }, /no binary field "data"/, /no files at all/],
    ['files to remove', { Photo: { remove: ['7'] } }, /a new record has no attachments to remove/, /to add/],
    ['no value at all', {}, /There is no value to write/, /Map at least one part/],
    [
      'all refusals of an item together',
      { Price: 'x', Kind: 'y', Name: 'ok' },
      /^Several values cannot be written: "Price", "Kind"$/,
      /^- Part "Price".*\n- Part "Kind".*\n"Price": Accepted/,
    ],
  ];
  testTable(place, 'create', {
    ...each(bad)('%s', ([, values, error, advice]) => ({
      run: from(values),
      error,
      advice,
      item: 0,
      actions: ['get_app'],
    })),
    'one bad item among others': {
      run: from({ Price: '={{ $json.p }}' }),
      items: [1, 2, 'three', 4].map((p) => ({ p })),
      ...{ error: 'three', item: 2, actions: ['get_app'] },
    },
    'in a dry run, too': { run: from({ Price: 'x' }, { dryRun: true }), error: 'is not a number' },
  });
});

const planned = { operation: 'create', options: { dryRun: true, autoAction: false } };
testTable(place, planned, {
  'Dry Run shows what would be sent and what the record would be, and sends nothing': {
    run: {
      values: { Name: 'Cap', Price: '1.50', Colours: 'red\nblue', Lines: [{ Item: 'a' }], Photo: 'data' },
    },
    engine: { input: [withFiles({ data: { name: 'a.txt', text: 'x' } })] },
    actions: ['get_app'],
    after: (_, { json }) =>
      expect(json).toEqual([
        {
          ...{ outcome: 'created', dryRun: true },
          request: {
            ...{ action: 'insert_data', app_id: place.app.id, auto_action: 'off', '{{Name}}': 'Cap' },
            ...{ '{{Price}}': '1.5', '{{Colours}}': 'red\tblue', '{{Lines}}': '[{"Item":"a"}]' },
            '{{Photo}}': '(file data)',
          },
          changes: {
            ...{ Name: { to: 'Cap' }, Price: { to: 1.5 }, Colours: { to: ['red', 'blue'] } },
            ...{ Lines: { to: [{ id: null, Item: 'a' }] }, Photo: { to: { add: ['data'], remove: [] } } },
          },
        },
      ]),
  },
});

describe('in other dialects', () => {
  const returned = {
    ...{ id: '3', revision: 1, outcome: 'created', Name: 'Cap', Price: 1234.5, Due: '2026-03-01' },
    ...{ Owner: [{ id: '1002' }], Lines: [{ Item: 'a' }] },
  };
  const values = { Name: 'Cap', Price: 1234.5, Due: '2026-03-01', Owner: '1002', Lines: [{ Item: 'a' }] };
  const DIALECTS = [
    { ids: 'number', counts: 'number', failureStatus: '400' },
    { failureStatus: '500', emptyList: 'error' },
    { singleItem: 'object', emptyInner: 'noValue', emptyList: 'noList' },
    { insertKey: 'id', dates: 'object', numbers: 'separators' },
    { insertKey: 'data_id', numbers: 'number', permissionsKey: 'two', listRevision: 'never' },
  ];
  testTable(place, 'create', {
    ...each(DIALECTS)('the outcome is the same: %s', (dialect) => ({
      ...{ dialect, run: from(values, { returnRecord: true }), shows: [returned] },
    })),
    ...each(DIALECTS)('so is a refusal: %s', (dialect) => ({
      ...{ dialect, run: from({ Owner: '9999' }) },
      error:
        dialect.failureStatus === '500'
          ? /outcome unknown.*HTTP 500/
          : /^The service refused: The part "Owner"/,
      after: (_, { error }) =>
        expect(`${error?.message} ${error?.description}`).toContain('The part "Owner"'),
    })),
  });
});

const textboxes = (...names: string[]) => names.map((name) => ({ name, type: 'textbox' }));
const odd = ['id', 'revision', 'outcome', 'Say "hi" {now}', '絵文字 😀', 'tab\there'];
const kept = { 'Say "hi" {now}': '1', '絵文字 😀': '2', 'tab\there': '3' };
testTable(
  place,
  'create',
  { 'quotes, braces, emoji and tabs are kept': { run: from(kept), stored: [kept] } },
  { application: { parts: textboxes(...odd), records: [] } },
);

describe('the key of a part', () => {
  const parts = [
    { name: 'Title', type: 'textbox', identifier: 'title' },
    { name: 'Size', type: 'number', identifier: 'size' },
    { name: 'Bare', type: 'textbox' },
  ];
  const byIdentifier = { parts, partIdentifierMode: true };
  const titled = { operation: 'create', values: { Title: 'b' } };
  testTable(place, titled, {
    ...each([false, true])('is found from a record, once a run: by identifier %s', (partIdentifierMode) => ({
      application: { parts, partIdentifierMode, records: [{}], systemIdentifiers: { id: 'no' } },
      items: [{}, {}],
      sent: {
        insert_data: Array(2).fill({ [partIdentifierMode ? '{{title}}' : '{{Title}}']: 'b' }),
        list_data: 1,
      },
    })),
    'must be chosen if nothing shows it': {
      application: { ...byIdentifier, records: [] },
      error: 'not known whether the application "Goods" takes part names',
      advice: 'option "Part Key"',
      sent: { insert_data: 0 },
    },
    'is used as chosen': {
      application: { ...byIdentifier, records: [] },
      run: { options: { partKey: 'identifier' } },
      stored: [{ Title: 'b' }],
    },
  });
});
