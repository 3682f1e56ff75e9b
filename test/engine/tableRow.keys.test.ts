import { rowOf } from './support/rows';
import { testTable } from './support/table';
import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);

/** Every key of a row is the name of one part and the identifier of another. */
const children = [
  { name: 'Mark', identifier: 'Row ID', type: 'textbox' },
  { name: 'Code', identifier: 'Count', type: 'textbox' },
  { name: 'Count', identifier: 'Code', type: 'number' },
];
const Lines = [
  { Mark: '2', Code: '0012', Count: '5' },
  { Mark: '1', Code: '0013', Count: '6' },
];
const application = {
  ...{ partIdentifierMode: true, systemIdentifiers: { id: 'no' } },
  parts: [{ name: 'Lines', identifier: 'lines', type: 'input_list', children }],
  records: [{ Lines }],
};
const then = (...rows: object[]) => ({
  after: async () => expect((await place.storedAt())?.values.Lines).toMatchObject(rows),
});

testTable(
  place,
  rowOf(null),
  {
    'rows are read by the identifiers of their parts': {
      run: { operation: 'getAll' },
      shows: [
        { id: '1', 'Row ID': '2', Count: '0012', Code: 5 },
        { id: '2', 'Row ID': '1', Count: '0013', Code: 6 },
      ],
    },
    'the named row changes, and others keep their values': {
      ...{ run: { operation: 'update', rowId: '2' }, items: [{ Code: 9 }] },
      ...then(Lines[0]!, { ...Lines[1], Count: '9' }),
    },
    'the named row is deleted': { run: { operation: 'delete', rowId: '2' }, ...then(Lines[0]!) },
  },
  { application, dialect: { rowIds: 'part' } },
);
