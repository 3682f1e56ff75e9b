import { LINES, rowOf, withFiles } from './support/rows';
import { testTable, type Row } from './support/table';
import { useWorkplace, type RunSettings } from './support/workplace';

/** Values as they reach the node: long numbers, lists of mixed forms, files that were read. */
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

const LONG = '123456789012345678';
const ROUNDED = 123456789012345678;
const WRONG =
  'does not accept 123456789012345680: it has more digits than a number in n8n can hold, so the last ones may be wrong';
const NO_ID = /^One of the IDs is an object without an ID$/;
const rounded = { items: [{ n: ROUNDED }], sent: { insert_data: 0, update_data: 0 } };
const linesAre =
  (...lines: object[]): NonNullable<Row['after']> =>
  async () =>
    expect((await place.storedAt())?.values.Lines).toMatchObject(lines);

describe('long numbers', () => {
  rows({ operation: 'create' }, [
    {
      name: 'in JSON text of rows keep their digits',
      run: { values: { Lines: `[{"Item":${LONG},"Qty":${LONG}},{"Item":"${LONG} \\"1\\""}]` } },
      after: async () =>
        expect((await place.stored()).at(-1)?.values.Lines).toMatchObject([
          { Item: LONG, Qty: LONG },
          { Item: `${LONG} "1"` },
        ]),
    },
    ...(
      [
        ['create', 'Name', {}],
        ['sync', 'Price', { matchBy: ['Price'] }],
      ] satisfies [string, string, RunSettings][]
    ).map(([operation, part, more]): Row => ({
      name: `that were rounded are refused: ${operation}, ${part}`,
      ...{ run: { operation, values: { [part]: '={{ $json.n }}' }, ...more }, ...rounded },
      error: new RegExp(`^Part "${part}" \\(ID \\d+\\) ${WRONG}$`),
    })),
    {
      name: 'in JSON text of a filter keep their digits',
      before: async () => void (await place.create({ values: { Name: LONG, Price: LONG } })),
      run: {
        operation: 'count',
        options: { filterJson: `{"item":[{"field_id":"102","operator":"=","value":${LONG}}]}` },
      },
      output: [{ count: 1 }],
    },
    {
      name: 'and in filters',
      ...rounded,
      run: {
        operation: 'count',
        filters: { condition: [{ part: 'Price', operator: 'equals', value: '={{ $json.n }}' }] },
      },
      error: WRONG,
    },
  ]);
});

describe('several IDs', () => {
  rows({ operation: 'delete' }, [
    ...[['1', { id: '2' }], '["1", {"id": "2", "Name": "2"}]', [{ id: '1' }, { id: 2 }]].map(
      (recordId): Row => ({
        name: `of mixed forms mean all of the records: ${JSON.stringify(recordId)}`,
        ...{ run: { recordId }, shows: [{ outcome: 'deleted', ids: ['1', '2'] }], left: ['3'] },
      }),
    ),
    ...(
      [
        [['1', { Name: '2' }], NO_ID],
        [['1', ['2']], NO_ID],
        [['1', { id: '2', recordId: '3' }], /^One of the record IDs is a row or a file of a record$/],
        ['[1, 123456789012345678, {}]', NO_ID],
      ] as const
    ).map(([recordId, error]): Row => ({
      name: `are refused as a whole: ${JSON.stringify(recordId)}`,
      ...{ run: { recordId }, error, left: ['1', '2', '3'] },
    })),
    {
      name: 'long numbers in JSON text of a list keep their digits',
      ...{ run: { recordId: `["1", ${LONG}]` }, shows: [{ ids: ['1'], notFound: [LONG] }] },
    },
    {
      name: 'one record as it was read',
      ...{ run: { operation: 'get', recordId: '={{ $json }}' }, items: [{ id: '2' }] },
      shows: [{ id: '2', Name: '2' }],
    },
    {
      name: 'rows',
      run: rowOf(null, { rowId: ['1', { id: '2', recordId: '1' }] }),
      ...{ shows: [{ ids: ['1', '2'], outcome: 'deleted' }], after: linesAre({ Item: 'z' }) },
    },
    { name: 'rows without one', run: rowOf(null, { rowId: ['3', { Item: 'z' }] }), error: NO_ID },
  ]);

  test('files', async () => {
    await place.open(APPLICATION);
    const files = { resource: 'attachment', recordId: '1', attachmentPart: 'Photo' };
    const [{ id } = { id: '' }] = (await place.storedAt())?.values.Photo as { id: string }[];
    const { error } = await place.run('delete', { ...files, attachmentIds: [id, { name: 'b.txt' }] });
    expect(error?.message).toMatch(NO_ID);
    const { json } = await place.run('delete', { ...files, attachmentIds: ['99', { id }] });
    expect(json).toMatchObject([{ ids: [id], notFound: ['99'] }]);
  });
});

const READ = [{ id: '7', name: 'a.txt', mimeType: 'text/plain', url: 'x', size: 1 }];
const upload = { operation: 'upload', resource: 'attachment', recordId: '2', attachmentPart: 'Photo' };

describe('files', () => {
  rows({ operation: 'add' }, [
    {
      name: 'of the records that were read are left out of new records',
      run: { operation: 'create', values: null },
      items: [{ Name: '1', Photo: READ, Lines: [{ id: '1', Item: 'x', Plan: READ }] }, { Name: '3' }],
      ...{ outcomes: ['created', 'created'], left: ['1', '2', '3', '4', '5'] },
    },
    ...[[], READ].map((Plan): Row => ({
      name: `that were read are no row of their own: ${Plan.length}`,
      ...{ run: rowOf({ Plan }), error: /^There is no value to write$/, after: linesAre({}, {}, {}) },
    })),
    {
      name: 'that were read are left out of a row',
      ...{ run: rowOf({ Item: 'new', Plan: READ }), outcomes: ['created'] },
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
      { field: 'none', error: /^The item has no binary field "none" for part "Photo"/ },
      { field: 'data', output: [{ recordId: '2', outcome: 'updated', files: ['d'] }] },
    ].map(({ field, ...result }): Row => ({
      name: `in the field ${field}, where a Code node has left another one empty`,
      run: { ...upload, binaryPropertyName: field },
      engine: {
        input: [
          {
            json: {},
            binary: { ...withFiles({ data: { name: 'd', text: 'd' } }).binary, none: null as never },
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
