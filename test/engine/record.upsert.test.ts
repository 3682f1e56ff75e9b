import { mapped } from './support/saved';
import { each, itemsIn, ng, testTable, type Rows } from './support/table';
import { useWorkplace, type RunSettings } from './support/workplace';

const place = useWorkplace(null);

const RECORDS = [
  { Name: 'Bolt', Price: '12.5', Kind: 'Screw', Colours: ['red', 'blue'] },
  { Name: 'Nut', Price: '7' },
  { Name: 'Twin', Price: '1', Kind: 'Nut' },
  { Name: 'Twin', Price: '2', Kind: 'Screw' },
];
const byName = {
  ...{ operation: 'upsert', matchBy: ['Name'] },
  values: { Name: '={{ $json.n }}', Price: '={{ $json.p }}' },
};
const updated = (id: string) => ({ id, outcome: 'updated' });
const nothing = { sent: { list_data: 0, insert_data: 0, update_data: 0 } };
const cases = (rows: Rows) => testTable(place, byName, rows, { application: { records: RECORDS } });

describe('finding the record', () => {
  const BAD: [string, RunSettings, RegExp][] = [
    [
      'no matching part',
      { values: { Name: 'x' }, matchBy: [] },
      /Select the part that identifies the record/,
    ],
    ['an empty key', { values: { Name: '', Price: 1 } }, /has no value for "Name"/],
    ['a blank key', { values: { Name: ' \u3000', Price: 1 } }, /has no value for "Name"/],
    ['a key that is left out', { values: { Price: 1 } }, /has no value for "Name"/],
    ['rows as a key', { values: { Lines: [{ Item: 'x' }] }, matchBy: ['Lines'] }, /it holds rows/],
    ['a matching part that is none', { values: { Name: 'x' }, matchBy: ['Nam'] }, /There is no part "Nam"/],
    [
      'a matching part that is no text',
      { parts: mapped({ Name: 'x' }, '={{ [{}] }}'), values: undefined },
      /There is no part "\{\}"/,
    ],
    ['Merge with Map Automatically', { values: null, conflictPolicy: 'merge' }, /Merge does not work/],
  ];
  cases({
    'one match is updated, and nothing is created': {
      items: itemsIn('n p', 'Nut 8, Cap 9'),
      output: [updated('2'), { id: '5', outcome: 'created' }],
      sent: { update_data: [{ '{{revision}}': '0' }] },
      stored: [...[{}, { Price: '8' }, {}, {}], { Name: 'Cap', Price: '9' }],
    },
    'several matches are an error that names them': {
      items: [{ n: 'Twin', p: 8 }],
      error: /^2 records have "Name" \(ID \d+\) = "Twin": 3, 4$/,
      sent: { insert_data: 0, update_data: 0 },
    },
    'a key is named as it is read, in one line': {
      application: {
        parts: [
          { name: 'At', type: 'time' },
          { name: 'Note', type: 'textarea' },
          { name: 'Colours', type: 'checkbox', options: ['red', 'blue'] },
          { name: 'Owner', type: 'users' },
        ],
        records: Array(2).fill({
          ...{ At: '32400', Note: 'a\nb', Colours: ['red', 'blue'], Owner: ['1001', '1002'] },
        }) as never,
      },
      run: {
        values: { At: '9:00', Note: 'a\nb', Colours: ['red', 'blue'], Owner: ['1001', '1002'] },
        matchBy: ['At', 'Note', 'Colours', 'Owner'],
      },
      error:
        / "At" \(ID \d+\) = "09:00:00" and "Note" .* = "a b" and "Colours" .* = "(red, blue|blue, red)" and "Owner" .* = "1001, 1002": 1, 2$/,
    },
    'two matching parts distinguish records with the same value': {
      run: { values: { Name: 'Twin', Kind: 'Screw', Price: 5 }, matchBy: ['Name', 'Kind'] },
      output: [updated('4')],
    },
    ...each(['={{ [101] }}', '={{ "101" }}'])(
      'a matching part may be a number, or one alone, as expressions return them: %s',
      (columns) => ({
        run: { parts: mapped({ Name: 'Nut', Price: '8' }, columns), values: undefined as never },
        output: [updated('2')],
      }),
    ),
    'a number in any format': {
      run: { values: { Price: '12.50', Note: 'x' }, matchBy: ['Price'] },
      output: [updated('1')],
    },
    'a text is compared exactly': {
      items: ['bolt', 'Bol'].map((n) => ({ n, p: 1 })),
      outcomes: ['created', 'created'],
    },
    'the same key twice: the second updates what the first created': {
      items: ['Cap', 'x', 'Cap'].map((n, p) => ({ n, p })),
      shows: [{ id: '5', outcome: 'created' }, { outcome: 'created' }, updated('5')],
      // One search for each key, and one read of all records; what the run has written is read again.
      sent: { list_data: 3, get_data: 1 },
      stored: [...RECORDS, { Name: 'Cap', Price: '2' }, { Name: 'x' }],
    },
    'works with Map Automatically, with the matching part named': {
      ...{ run: { values: null }, items: [{ Name: 'Nut', Price: 3, id: '99' }], output: [updated('2')] },
    },
    ...each(BAD)('%s is refused before anything is requested', ([, run, error]) => ({
      run,
      error,
      items: [{ Name: 'x' }],
      ...nothing,
    })),
    'a hidden matching part is refused, because its record would be created twice': {
      ...{ rights: { parts: { Name: 'none' } }, items: [{ n: 'Bolt', p: 1 }] },
      ...{ error: 'The record 1 does not show "Name"', sent: { insert_data: 0 } },
    },
  });
});

describe('keys', () => {
  const parts = [
    { name: 'Code', type: 'textbox' },
    { name: 'Price', type: 'number' },
    { name: 'Colours', type: 'checkbox', options: ['red', 'green', 'blue'] },
    { name: 'Owner', type: 'users' },
  ];
  const records = [
    { Code: 'A', Price: '1', Colours: ['red', 'blue'], Owner: ['1001', '1002'] },
    { Code: 'B', Price: '2', Colours: ['red'], Owner: ['1001'] },
    { Code: 'C', Price: '3', Colours: [], Owner: [] },
  ];
  /** The names of the parts that lists ask for. */
  const fields = JSON.stringify(['ID', 'Code', 'Price', 'revision'].map((name) => ({ field_name: name })));
  testTable(
    place,
    { operation: 'upsert', matchBy: ['Code'] },
    {
      'what is looked up comes with the parts that are written': {
        run: { values: { Code: 'A', Price: 9 } },
        ...{ output: [updated('1')], sent: { list_data: [{ fields }] } },
      },
      'several choices are found by a scan, as a whole, in any order': {
        run: { values: { Colours: '={{ $json.c }}', Price: 9 }, matchBy: ['Colours'] },
        items: [{ c: ['blue', 'red'] }, { c: ['red'] }, { c: ['green'] }],
        outcomes: ['updated', 'updated', 'created'],
        sent: { list_data: 1, count_data: 1, insert_data: 1 },
        stored: [{ Price: '9' }, { Price: '9' }, { Price: '3' }, { Price: '9' }],
      },
      'so are people, of whom a record may hold more': {
        run: { values: { Owner: '={{ $json.o }}', Price: 9 }, matchBy: ['Owner'] },
        items: [{ o: ['1002', '1001'] }, { o: ['1002'] }],
        outcomes: ['updated', 'created'],
        stored: [{ Price: '9' }, { Price: '2' }, { Price: '3' }, { Price: '9' }],
      },
      'one that a one-line text cannot hold is refused before anything is asked': {
        run: { values: { Code: '={{ "x".repeat(256) }}' } },
        error:
          /^Records cannot be found by "Code" \(ID \d+\) here: the value has 256 characters, and the part holds 255$/,
        ...nothing,
      },
      // How they are looked up, by one condition each or by a scan: test/unit/service/read/keyedRecords.test.ts.
      ...each(['refused', 'ignored', 'misses'])(
        'of a service that has "=" %s are scanned, and nothing is created twice',
        (how) => ({
          ...{ dialect: { equals: `${how}:textbox` }, run: { values: { Code: '={{ $json.c }}', Price: 9 } } },
          ...{ items: [{ c: 'C' }, { c: 'new' }], output: [updated('3'), { id: '4', outcome: 'created' }] },
        }),
      ),
      ...each(['two\nlines', "O'Brien", '"x"', 'a\\b', '<b>', 'R&D', ' x', 'x ', 'a\tb'])(
        'that a service might read differently are scanned: %s',
        (code) => ({
          ...{ run: { values: { Code: '={{ $json.c }}' } }, items: [{ c: code }], outcomes: ['created'] },
          after: async () =>
            expect((await place.sent('list_data')).filter(({ filter }) => filter !== undefined)).toEqual([]),
        }),
      ),
      'of a small application are missing if the newest records are all, as a count says': {
        run: { values: { Code: '={{ "x".repeat(255) }}' } },
        outcomes: ['created'],
        actions: ['get_app', 'list_data', 'list_data', 'count_data', 'get_app', 'insert_data'],
      },
      'that somebody adds while the newest records are read are found': {
        run: { values: { Code: 'new' } },
        dialect: { equals: 'misses:textbox' },
        meanwhile: ['count_data', ({ sandbox, app }) => sandbox.addRecords(app.id, [{ Code: 'new' }])],
        ...{ outcomes: ['unchanged'], sent: { insert_data: 0 } },
      },
      'where the application switches to identifiers in the middle: an error, and no second record': {
        application: {
          parts: parts.map((part, index) => ({ ...part, identifier: `part_${index}` })),
          ...{ systemIdentifiers: { id: 'ID' }, records },
        },
        dialect: { unknownPart: 'ignored' },
        // The first list shows which key names a part.
        meanwhile: [
          { action: 'list_data', skip: 1, times: 1 },
          ({ sandbox, app }) => sandbox.changeApplication(app.id, { partIdentifierMode: true }),
        ],
        run: { values: { Code: "O'Brien" } },
        ...{ error: /^The record 1 does not show "Code"/, sent: { insert_data: 0 } },
      },
    },
    { application: { parts, records } },
  );
});

describe('policies and options', () => {
  const nut = { values: { Name: 'Nut', Price: 9 } };
  cases({
    'the matched revision guards the update': {
      run: { ...nut, conflictPolicy: 'fail' },
      outcomes: ['updated'],
      sent: { update_data: [{ '{{revision}}': '1' }] },
    },
    ...each(['fail', 'skip'] as const)('%s, if somebody is faster', (conflictPolicy) => ({
      run: { ...nut, conflictPolicy },
      meanwhile: ['update_data', async () => await place.change({ Price: '5' }, 1)],
      ...(conflictPolicy === 'skip'
        ? { outcomes: ['conflict'] }
        : { error: /was changed in the meantime: the item has revision 1, the service 2/ }),
      stored: [{}, { Price: '5' }, {}, {}],
    })),
    'merge, if somebody was faster in another part: what was found tells': {
      run: { ...nut, conflictPolicy: 'merge' },
      meanwhile: ['update_data', async () => await place.change({ Note: 'x' }, 1)],
      ...{ outcomes: ['updated'], stored: [{}, { Price: '9', Note: 'x' }, {}, {}] },
    },
    'Parts to Empty and Return Record': {
      run: { values: { Name: 'Nut' }, options: { partsToEmpty: ['Price'], returnRecord: true } },
      shows: [{ id: '2', Name: 'Nut', Price: null, outcome: 'updated' }],
    },
    'Dry Run shows for each item what would be done, and writes nothing': {
      run: { options: { dryRun: true } },
      items: itemsIn('n p', 'Nut 8, Cap 1, Cap 2, Nut 8'),
      shows: [
        { id: '2', outcome: 'updated', dryRun: true, changes: { Price: { from: 7, to: 8 } } },
        { outcome: 'created', changes: { Name: { to: 'Cap' }, Price: { to: 1 } } },
        { outcome: 'updated', changes: { Price: { from: 1, to: 2 } } },
        { id: '2', outcome: 'unchanged', dryRun: true },
      ],
      stored: RECORDS,
      after: (_, { json }) => {
        for (const each of json.slice(1, 3)) expect(each).not.toHaveProperty('id');
      },
    },
    'what dry runs of other items would have written is not there': {
      run: { options: { dryRun: '={{ $json.dry }}' } },
      items: itemsIn('n p dry', 'Nut 8 true, Nut 8 false, Cap 1 true, Cap 2 false, Cap 3 true'),
      shows: [
        { id: '2', outcome: 'updated', dryRun: true },
        { id: '2', outcome: 'updated' },
        { outcome: 'created', dryRun: true },
        { id: '5', outcome: 'created' },
        { id: '5', outcome: 'updated', changes: { Price: { from: 2, to: 3 } } },
      ],
      stored: [{}, { Price: '8' }, {}, {}, { Name: 'Cap', Price: '2' }],
    },
  });
});

describe('an insert that the service refuses', () => {
  cases(
    each(['after', 'before'] as const)('%s doing it is looked up for the next item of its key', (when) => ({
      faults: [ng('insert_data', { when, times: 1 })],
      items: [1, 2].map((p) => ({ n: 'Cap', p })),
      node: { onError: 'continueRegularOutput' },
      outcomes: ['refused', when === 'after' ? 'updated' : 'created'],
      sent: { insert_data: when === 'after' ? 1 : 2 },
      stored: [...RECORDS, { Name: 'Cap', Price: '2' }],
    })),
  );
});
