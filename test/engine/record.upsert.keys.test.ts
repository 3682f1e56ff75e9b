import { testTable } from './support/table';
import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);

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
const FIELDS = ['ID', 'Code', 'Price', 'revision'].map((name) => ({ field_name: name }));

const outcomes = (...expected: readonly string[]): unknown[] =>
  expected.map((outcome) => expect.objectContaining({ outcome }) as unknown);

testTable(place, { operation: 'upsert', options: {} }, [
  {
    name: 'what is looked up comes with the parts that are written',
    application: { parts, records },
    run: { values: { Code: 'A', Price: 9 }, matchBy: ['Code'] },
    output: [{ id: '1', outcome: 'updated' }],
    sent: { list_data: [{ fields: JSON.stringify(FIELDS) }] },
  },
  {
    name: 'several choices are found by a scan, as a whole, in any order',
    application: { parts, records },
    run: { values: { Colours: '={{ $json.c }}', Price: 9 }, matchBy: ['Colours'] },
    items: [{ c: ['blue', 'red'] }, { c: ['red'] }, { c: ['green'] }],
    output: outcomes('updated', 'updated', 'created'),
    sent: { list_data: 1, count_data: 1, insert_data: 1 },
    stored: [{ Price: '9' }, { Price: '9' }, { Price: '3' }, { Price: '9' }],
  },
  {
    name: 'so are people, of whom a record may hold more',
    application: { parts, records },
    run: { values: { Owner: '={{ $json.o }}', Price: 9 }, matchBy: ['Owner'] },
    items: [{ o: ['1002', '1001'] }, { o: ['1002'] }],
    output: outcomes('updated', 'created'),
    stored: [{ Price: '9' }, { Price: '2' }, { Price: '3' }, { Price: '9' }],
  },
  {
    name: 'a key that a one-line text cannot hold is refused before anything is asked',
    application: { parts, records },
    run: { values: { Code: '={{ "x".repeat(256) }}' }, matchBy: ['Code'] },
    error:
      /^Records cannot be found by "Code" \(ID \d+\) here: the value has 256 characters, and the part holds 255$/,
    sent: { list_data: 0, insert_data: 0 },
  },
  {
    name: 'one that it can is a key',
    application: { parts, records },
    run: { values: { Code: '={{ "x".repeat(255) }}' }, matchBy: ['Code'] },
    output: outcomes('created'),
  },
  {
    name: 'an application that switches to identifiers in the middle: an error, and no second record',
    application: {
      parts: parts.map((part, index) => ({ ...part, identifier: `part_${index}` })),
      systemIdentifiers: { id: 'ID' },
      records,
    },
    // The first list shows which key names a part.
    before: async (workplace) =>
      await workplace.meanwhile({ action: 'list_data', skip: 1, times: 1 }, async () => {
        await workplace.sandbox.setDialect({ unknownPart: 'ignored' });
        await workplace.sandbox.changeApplication(workplace.app.id, { partIdentifierMode: true });
      }),
    run: { values: { Code: "O'Brien" }, matchBy: ['Code'] },
    error: /^The record 1 does not show "Code"/,
    sent: { insert_data: 0 },
  },
]);
