import { partsOf } from '../support/parts';
import { LINES, rowOf, withFiles } from './support/rows';
import { each, testTable, type Row, type Rows } from './support/table';
import { useWorkplace } from './support/workplace';

/** Files as they reach the node: of records that were read, of fields with odd names. */
const place = useWorkplace(null);
const APPLICATION = {
  parts: [...partsOf({ Name: 'textbox', Price: 'number', Photo: 'files' }), LINES],
  records: [
    {
      Name: '1',
      Photo: [{ name: 'a.txt', text: 'a' }],
      Lines: [{ Item: 'x' }, { Item: 'y' }, { Item: 'z' }],
    },
    { Name: '2' },
    { Name: '3' },
  ],
} as const;
const linesAre =
  (...lines: object[]): NonNullable<Row['after']> =>
  async () =>
    expect((await place.storedAt())?.values.Lines).toMatchObject(lines);

const READ = [{ id: '7', name: 'a.txt', mimeType: 'text/plain', url: 'x', size: 1 }];
const ODD = ['constructor', '__proto__'];
const WITH_DATA = withFiles({ data: { name: 'd', text: 'd' } });
const HOLLOW = { mimeType: 'text/plain', fileName: 'h' } as never;
const upload = { operation: 'upload', resource: 'attachment', recordId: '2', attachmentPart: 'Photo' };

describe('files', () => {
  const cases: Rows = {
    'of the records that were read are left out of new records': {
      run: { operation: 'create', values: null },
      items: [{ Name: '1', Photo: READ, Lines: [{ id: '1', Item: 'x', Plan: READ }] }, { Name: '3' }],
      ...{ outcomes: ['created', 'created'], left: ['1', '2', '3', '4', '5'] },
      hints: ['Files not copied, because a read only describes them: 2'],
    },
    ...each([{ Plan: [] }, { Plan: READ }])('that were read are no row of their own: %s', (value) => ({
      ...{ run: rowOf(value), error: /^There is no value to write$/, after: linesAre({}, {}, {}) },
    })),
    'that were read are left out of a row': {
      ...{ run: rowOf({ Item: 'new', Plan: READ }), outcomes: ['created'] },
      hints: ['Files not copied, because a read only describes them: 1'],
    },
    ...each(ODD)('in no field named %s', (field) => ({
      ...{ run: { ...upload, binaryPropertyName: field }, engine: { input: [WITH_DATA] } },
      error: new RegExp(`^The item has no binary field "${field}" for part "Photo" \\(ID \\d+\\)$`),
    })),
    ...each(ODD)('in a field named %s', (field) => ({
      run: { ...upload, binaryPropertyName: field },
      engine: { input: [withFiles({ [field]: { name: 'x.txt', text: 'x' } })] },
      output: [{ recordId: '2', outcome: 'updated', files: ['x.txt'] }],
    })),
    ...each<readonly [string, Row]>([
      ['hollow', { error: /^The binary field "hollow" for part "Photo" \(ID \d+\) holds no file$/ }],
      ['none', { error: /^The item has no binary field "none" for part "Photo"/ }],
      ['data', { output: [{ recordId: '2', outcome: 'updated', files: ['d'] }] }],
    ])('in the field %s, where a Code node has left another one empty', ([field, result]) => ({
      ...{ run: { ...upload, binaryPropertyName: field }, ...result },
      engine: { input: [{ json: {}, binary: { ...WITH_DATA.binary, none: null as never, hollow: HOLLOW } }] },
    })),
    'a list of fields with an object that is no file': {
      ...{ run: { ...upload, binaryPropertyName: ['data', { id: '77' }] }, engine: { input: [WITH_DATA] } },
      error: /^No binary field is named$/,
    },
  };
  testTable(place, 'add', cases, { application: APPLICATION });
});
