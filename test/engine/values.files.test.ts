import { LINES, rowOf, withFiles } from './support/rows';
import { testTable, type Row } from './support/table';
import { useWorkplace, type RunSettings } from './support/workplace';

/** Files as they reach the node: of records that were read, of fields with odd names. */
const place = useWorkplace(null);
const APPLICATION = {
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Price', type: 'number' },
    { name: 'Photo', type: 'files' },
    LINES,
  ],
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
const rows = (base: RunSettings, list: readonly Row[]): void =>
  testTable(place, base, list, { application: APPLICATION });

const linesAre =
  (...lines: object[]): NonNullable<Row['after']> =>
  async () =>
    expect((await place.storedAt())?.values.Lines).toMatchObject(lines);

const READ = [{ id: '7', name: 'a.txt', mimeType: 'text/plain', url: 'x', size: 1 }];
const upload = { operation: 'upload', resource: 'attachment', recordId: '2', attachmentPart: 'Photo' };

describe('files', () => {
  rows({ operation: 'add' }, [
    {
      name: 'of the records that were read are left out of new records',
      run: { operation: 'create', values: null },
      items: [{ Name: '1', Photo: READ, Lines: [{ id: '1', Item: 'x', Plan: READ }] }, { Name: '3' }],
      ...{ outcomes: ['created', 'created'], left: ['1', '2', '3', '4', '5'] },
      hints: ['Files not copied, because a read only describes them: 2'],
    },
    ...[[], READ].map((Plan): Row => ({
      name: `that were read are no row of their own: ${Plan.length}`,
      ...{ run: rowOf({ Plan }), error: /^There is no value to write$/, after: linesAre({}, {}, {}) },
    })),
    {
      name: 'that were read are left out of a row',
      ...{ run: rowOf({ Item: 'new', Plan: READ }), outcomes: ['created'] },
      hints: ['Files not copied, because a read only describes them: 1'],
    },
    ...['constructor', '__proto__'].flatMap((field): Row[] => [
      {
        name: `in no field named ${field}`,
        run: { ...upload, binaryPropertyName: field },
        engine: { input: [withFiles({ data: { name: 'd', text: 'd' } })] },
        error: new RegExp(`^The item has no binary field "${field}" for part "Photo" \\(ID \\d+\\)$`),
      },
      {
        name: `in a field named ${field}`,
        run: { ...upload, binaryPropertyName: field },
        engine: { input: [withFiles({ [field]: { name: 'x.txt', text: 'x' } })] },
        output: [{ recordId: '2', outcome: 'updated', files: ['x.txt'] }],
      },
    ]),
    ...[
      { field: 'hollow', error: /^The binary field "hollow" for part "Photo" \(ID \d+\) holds no file$/ },
      { field: 'none', error: /^The item has no binary field "none" for part "Photo"/ },
      { field: 'data', output: [{ recordId: '2', outcome: 'updated', files: ['d'] }] },
    ].map(({ field, ...result }): Row => ({
      name: `in the field ${field}, where a Code node has left another one empty`,
      run: { ...upload, binaryPropertyName: field },
      engine: {
        input: [
          {
            json: {},
            binary: {
              ...withFiles({ data: { name: 'd', text: 'd' } }).binary,
              none: null as never,
              hollow: { mimeType: 'text/plain', fileName: 'h' } as never,
            },
          },
        ],
      },
      ...result,
    })),
    {
      name: 'a list of fields with an object that is no file',
      run: { ...upload, binaryPropertyName: ['data', { id: '77' }] },
      engine: { input: [withFiles({ data: { name: 'd', text: 'd' } })] },
      error: /^No binary field is named$/,
    },
  ]);
});
