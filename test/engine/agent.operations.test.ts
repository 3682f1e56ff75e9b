import { OPERATIONS } from '../../nodes/ApplicationDataService/operations/registry';
import { fromModel, runAgent, WAYS, type Arguments } from './support/agent';
import { anyText, like, some } from './support/like';
import { withFiles } from './support/rows';
import { mapped } from './support/saved';
import { GOODS_PARTS, GOODS_RECORDS, useWorkplace } from './support/workplace';

const ROWS = [
  { Item: 'x', Qty: '1' },
  { Item: 'y', Qty: '2' },
];
const place = useWorkplace({
  parts: GOODS_PARTS,
  records: GOODS_RECORDS.map((record, index) =>
    index === 0 ? { ...record, Photo: [{ name: 'a.txt', text: 'a' }], Lines: ROWS } : record,
  ),
});

const id = fromModel('id', 'ID of the record');
const application = (mode: string) => ({ __rl: true, mode, value: fromModel('app', 'Which') });
const name = fromModel('Name', 'Name');
const price = fromModel('Price', 'Price', 'number');
const by = (more: object) => ({
  filters: { condition: [{ part: fromModel('part', 'Part'), value: fromModel('value', 'Value'), ...more }] },
});
const files = { recordId: id, attachmentPart: 'Photo', attachmentIds: fromModel('files', 'IDs') };
const lines = { recordId: id, tablePart: 'Lines' };
const bolt = { id: '1', revision: 1, canWrite: true, canDelete: true, Name: 'Bolt' };
const done = (recordId: string) => [{ id: recordId, outcome: 'updated' }];

/** An operation as a tool: parameters with `$fromAI`, what the model says, what it reads, and what is stored then. */
type Case = readonly [parameters: object, says: Arguments, answers: unknown, stored?: readonly object[]];

const CASES: Readonly<Record<string, Case>> = {
  'application check': [
    { application: application('id') },
    { app: 'null' },
    expect.arrayContaining([some({ area: 'Connection', verdict: 'ok' })]),
  ],
  'application get': [
    { application: application('identifier') },
    { app: '@goods' },
    [some({ name: 'Goods', parts: expect.arrayContaining([some({ name: 'Price' })]) as unknown })],
  ],
  'application getAll': [
    { limit: 1, options: { keyword: fromModel('keyword', 'Text') } },
    { keyword: 'Goods' },
    [some({ name: 'Goods', status: 'running' })],
  ],
  'attachment delete': [
    files,
    { id: '1', files: '99' },
    [
      { deleted: false, recordId: '1', outcome: 'notFound', ids: [], notFound: ['99'] },
      { message: 'Files not found, so there was nothing to delete: 1' },
    ],
    [{ Photo: [{ name: 'a.txt' }] }, {}],
  ],
  'attachment download': [files, { id: '1', files: '' }, [some({ recordId: '1', name: 'a.txt', size: 1 })]],
  'attachment getAll': [
    { recordId: id, attachmentPart: 'Photo' },
    { id: '1' },
    [some({ recordId: '1', name: 'a.txt', mimeType: 'text/plain', size: 1 })],
  ],
  'attachment upload': [
    {
      ...{ recordId: id, attachmentPart: fromModel('part', 'Part') },
      binaryPropertyName: '={{ $("Start").item.binary }}',
    },
    { id: '2', part: 'Photo' },
    [{ recordId: '2', outcome: 'updated', files: ['b.txt'] }],
    [{}, { Photo: [{ name: 'b.txt' }] }],
  ],
  'label getAll': [
    { limit: fromModel('limit', 'How many', 'number') },
    { limit: 1 },
    [some({ name: anyText })],
  ],
  'record count': [by({}), { part: 'Name', value: 'Bolt' }, [{ count: 1 }]],
  'record create': [
    {
      parts: mapped({
        ...{ Name: name, Price: price, Colours: fromModel('Colours', 'JSON list') },
        ...{ Due: fromModel('Due', 'yyyy-MM-dd'), Lines: fromModel('Lines', 'JSON list of rows') },
      }),
    },
    {
      ...{ Name: 'Washer', Price: 12.5, Colours: '["red"]', Due: '2026-12-24' },
      Lines: '[{"Item": "z", "Qty": null}]',
    },
    [{ id: '3', outcome: 'created' }],
    [
      ...[{}, {}],
      { Name: 'Washer', Price: '12.5', Colours: ['red'], Due: '2026-12-24', Lines: [{ Item: 'z' }] },
    ],
  ],
  'record delete': [
    { recordId: fromModel('ids', 'IDs of the records') },
    { ids: '["2"]' },
    [{ deleted: true, ids: ['2'], notFound: [], outcome: 'deleted' }],
    [{ Name: 'Bolt' }],
  ],
  'record export': [{ format: 'ndjson' }, {}, [{ count: 2 }]],
  'record get': [
    { recordId: id, options: { partsToReturn: fromModel('parts', 'Names, between commas') } },
    { id: '1', parts: 'Name, Price' },
    [{ ...bolt, Price: 1200 }],
  ],
  'record getAll': [
    {
      ...by({ operator: fromModel('operator', 'Operator') }),
      limit: fromModel('limit', 'How many', 'number'),
      options: { partsToReturn: ['Name'], keyword: fromModel('keyword', 'Text') },
    },
    { limit: 5, part: 'Price', operator: 'gte', value: '100', keyword: '' },
    [bolt],
  ],
  'record update': [
    {
      ...{ recordId: id, parts: mapped({ Name: name, Price: price }) },
      ...{ conflictPolicy: 'fail', revision: fromModel('revision', 'The revision that was read', 'number') },
    },
    { id: '1', Name: '', Price: 1300, revision: 1 },
    done('1'),
    [{ Name: 'Bolt', Price: '1300' }, {}],
  ],
  'record upsert': [
    { parts: mapped({ Name: name, Price: fromModel('Price', 'Price') }, ['Name']) },
    { Name: 'Nut', Price: '8' },
    done('2'),
    [{}, { Name: 'Nut', Price: '8' }],
  ],
  'record sync': [
    { parts: mapped({ Name: name }, ['Name']), missing: 'delete' },
    { Name: 'Bolt' },
    [{ error: like(/^Sync does not work with an AI agent.* Use Create or Update/) }],
    [{}, {}],
  ],
  'tableRow add': [
    {
      ...lines,
      row: mapped({ Item: fromModel('Item', 'Item'), Qty: fromModel('Qty', 'Quantity', 'number') }),
    },
    { id: '2', Item: 'w', Qty: 4 },
    [{ recordId: '2', outcome: 'created' }],
    [{}, { Lines: [{ Item: 'w', Qty: '4' }] }],
  ],
  'tableRow delete': [
    { ...lines, rowId: fromModel('rows', 'IDs of the rows') },
    { id: '1', rows: '1' },
    [{ deleted: true, recordId: '1', ids: ['1'], notFound: [], outcome: 'deleted' }],
    [{ Lines: [{ Item: 'y' }] }, {}],
  ],
  'tableRow getAll': [
    { recordId: id, tablePart: fromModel('table', 'Table part') },
    { id: '1', table: 'Lines' },
    ROWS.map(({ Item, Qty }, index) => ({ id: String(index + 1), recordId: '1', Item, Qty: Number(Qty) })),
  ],
  'tableRow update': [
    {
      ...{ ...lines, rowId: fromModel('row', 'ID of the row') },
      row: mapped({ Item: fromModel('Item', 'Item'), Qty: fromModel('Qty', 'Quantity') }),
    },
    { id: '1', row: '2', Item: 'null', Qty: '7' },
    [{ recordId: '1', rowId: '2', outcome: 'updated' }],
    [{ Lines: [{}, { Item: 'y', Qty: '7' }] }, {}],
  ],
};

test('there is a case for every operation', () => {
  expect(Object.keys(CASES)).toEqual(
    expect.arrayContaining(OPERATIONS.map(({ resource, value }) => `${resource} ${value}`)),
  );
});

describe.each(WAYS)('an agent that calls its tools by "%s"', (way) => {
  test.each(Object.entries(CASES))('%s', async (title, [parameters, says, answers, stored]) => {
    const [resource, operation = ''] = title.split(' ');
    const saved = { ...place.parameters(operation, { resource }), ...parameters };
    const input = [withFiles({ data: { name: 'b.txt', text: 'b' } })];
    const run = await runAgent(place.sandbox, way, saved, [says], { input });
    expect(run.answers).toEqual([answers]);
    expect(Object.keys(run.tool.schema.shape).sort()).toEqual(Object.keys(says).sort());
    if (stored !== undefined)
      expect((await place.stored()).map(({ values }) => values)).toMatchObject(stored);
  });
});
