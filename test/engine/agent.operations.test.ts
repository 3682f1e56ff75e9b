import type { INodeParameters } from 'n8n-workflow';

import { OPERATIONS } from '../../nodes/ApplicationDataService/operations/registry';
import { fromModel, runAgent, WAYS, type Arguments } from './support/agent';
import { withFiles } from './support/rows';
import { GOODS_PARTS, GOODS_RECORDS, useWorkplace } from './support/workplace';

const place = useWorkplace(null);

beforeEach(async () => {
  const [bolt, ...others] = GOODS_RECORDS;
  await place.open({
    parts: GOODS_PARTS,
    records: [
      {
        ...bolt,
        Photo: [{ name: 'a.txt', text: 'a' }],
        Lines: [
          { Item: 'x', Qty: '1' },
          { Item: 'y', Qty: '2' },
        ],
      },
      ...others,
    ],
  });
});

const id = fromModel('id', 'ID of the record');
const mapped = (value: Readonly<Record<string, string>>, matchingColumns: string[] = []) => ({
  mappingMode: 'defineBelow',
  value,
  matchingColumns,
  schema: [],
});
const stored = async (index: number) => (await place.stored())[index]?.values;

interface Case {
  /** `$fromAI` marks what the model may fill in. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly says: Arguments;
  /** What the model reads. */
  readonly answers: unknown;
  /** Checks what the service stores afterwards. */
  readonly holds?: () => Promise<void>;
}

/** Each operation with arguments of a model. */
const CASES: Readonly<Record<string, Case>> = {
  'application check': {
    parameters: { application: { __rl: true, mode: 'id', value: fromModel('app', 'Which') } },
    says: { app: 'null' },
    answers: expect.arrayContaining([expect.objectContaining({ area: 'Connection', verdict: 'ok' })]),
  },
  'application get': {
    parameters: { application: { __rl: true, mode: 'identifier', value: fromModel('app', 'Which') } },
    says: { app: '@goods' },
    answers: [
      expect.objectContaining({
        name: 'Goods',
        parts: expect.arrayContaining([expect.objectContaining({ name: 'Price' })]) as object,
      }),
    ],
  },
  'application getAll': {
    parameters: { limit: 1, options: { keyword: fromModel('keyword', 'Text') } },
    says: { keyword: 'Goods' },
    answers: [expect.objectContaining({ name: 'Goods', status: 'running' })],
  },
  'attachment delete': {
    parameters: { recordId: id, attachmentPart: 'Photo', attachmentIds: fromModel('files', 'IDs') },
    says: { id: '1', files: '99' },
    answers: [
      { recordId: '1', outcome: 'notFound', ids: [], notFound: ['99'] },
      { message: 'Files not found, so there was nothing to delete: 1' },
    ],
    holds: async () => expect((await stored(0))?.Photo).toHaveLength(1),
  },
  'attachment download': {
    parameters: { recordId: id, attachmentPart: 'Photo', attachmentIds: fromModel('files', 'IDs') },
    says: { id: '1', files: '' },
    answers: [expect.objectContaining({ recordId: '1', name: 'a.txt', size: 1 })],
  },
  'attachment upload': {
    parameters: {
      recordId: id,
      attachmentPart: fromModel('part', 'Part'),
      binaryPropertyName: '={{ $("Start").item.binary }}',
    },
    says: { id: '2', part: 'Photo' },
    answers: [{ recordId: '2', outcome: 'updated', files: ['b.txt'] }],
    holds: async () => expect((await stored(1))?.Photo).toMatchObject([{ name: 'b.txt' }]),
  },
  'label getAll': {
    parameters: { limit: fromModel('limit', 'How many', 'number') },
    says: { limit: 1 },
    answers: [expect.objectContaining({ name: expect.any(String) as string })],
  },
  'record count': {
    parameters: {
      filters: { condition: [{ part: fromModel('part', 'Part'), value: fromModel('value', 'Value') }] },
    },
    says: { part: 'Name', value: 'Bolt' },
    answers: [{ count: 1 }],
  },
  'record create': {
    parameters: {
      parts: mapped({
        Name: fromModel('Name', 'Name'),
        Price: fromModel('Price', 'Price', 'number'),
        Colours: fromModel('Colours', 'JSON list'),
        Due: fromModel('Due', 'yyyy-MM-dd'),
        Lines: fromModel('Lines', 'JSON list of rows with Item and Qty'),
      }),
    },
    says: {
      Name: 'Washer',
      Price: 12.5,
      Colours: '["red"]',
      Due: '2026-12-24',
      Lines: '[{"Item": "z", "Qty": null}]',
    },
    answers: [{ id: '3', outcome: 'created' }],
    holds: async () =>
      expect(await stored(2)).toMatchObject({
        Name: 'Washer',
        Price: '12.5',
        Colours: ['red'],
        Due: '2026-12-24',
        Lines: [{ Item: 'z' }],
      }),
  },
  'record delete': {
    parameters: { recordId: fromModel('ids', 'IDs of the records') },
    says: { ids: '["2"]' },
    answers: [{ deleted: true, ids: ['2'], notFound: [], outcome: 'deleted' }],
    holds: async () => expect((await place.stored()).map((record) => record.id)).toEqual(['1']),
  },
  'record export': {
    parameters: { format: 'ndjson' },
    says: {},
    answers: [{ count: 2 }],
  },
  'record get': {
    parameters: { recordId: id, options: { partsToReturn: fromModel('parts', 'Names, between commas') } },
    says: { id: '1', parts: 'Name, Price' },
    answers: [{ id: '1', revision: 1, canWrite: true, canDelete: true, Name: 'Bolt', Price: 1200 }],
  },
  'record getAll': {
    parameters: {
      limit: fromModel('limit', 'How many', 'number'),
      filters: {
        condition: [
          {
            part: fromModel('part', 'Part'),
            operator: fromModel('operator', 'Operator'),
            value: fromModel('value', 'Value'),
          },
        ],
      },
      options: { partsToReturn: ['Name'], keyword: fromModel('keyword', 'Text') },
    },
    says: { limit: 5, part: 'Price', operator: 'gte', value: '100', keyword: '' },
    answers: [{ id: '1', revision: 1, canWrite: true, canDelete: true, Name: 'Bolt' }],
  },
  'record update': {
    parameters: {
      recordId: id,
      parts: mapped({ Name: fromModel('Name', 'Name'), Price: fromModel('Price', 'Price', 'number') }),
      conflictPolicy: 'fail',
      revision: fromModel('revision', 'The revision that was read', 'number'),
    },
    says: { id: '1', Name: '', Price: 1300, revision: 1 },
    answers: [{ id: '1', outcome: 'updated' }],
    holds: async () => expect(await stored(0)).toMatchObject({ Name: 'Bolt', Price: '1300' }),
  },
  'record upsert': {
    parameters: {
      parts: mapped({ Name: fromModel('Name', 'Name'), Price: fromModel('Price', 'Price') }, ['Name']),
    },
    says: { Name: 'Nut', Price: '8' },
    answers: [{ id: '2', outcome: 'updated' }],
    holds: async () => expect(await stored(1)).toMatchObject({ Name: 'Nut', Price: '8' }),
  },
  'tableRow add': {
    parameters: {
      recordId: id,
      tablePart: 'Lines',
      row: mapped({ Item: fromModel('Item', 'Item'), Qty: fromModel('Qty', 'Quantity', 'number') }),
    },
    says: { id: '2', Item: 'w', Qty: 4 },
    answers: [{ recordId: '2', outcome: 'created' }],
    holds: async () => expect((await stored(1))?.Lines).toMatchObject([{ Item: 'w', Qty: '4' }]),
  },
  'tableRow delete': {
    parameters: { recordId: id, tablePart: 'Lines', rowId: fromModel('rows', 'IDs of the rows') },
    says: { id: '1', rows: '1' },
    answers: [{ recordId: '1', ids: ['1'], notFound: [], outcome: 'deleted' }],
    holds: async () => expect((await stored(0))?.Lines).toMatchObject([{ Item: 'y' }]),
  },
  'tableRow getAll': {
    parameters: { recordId: id, tablePart: fromModel('table', 'Table part') },
    says: { id: '1', table: 'Lines' },
    answers: [
      { id: '1', recordId: '1', Item: 'x', Qty: 1 },
      { id: '2', recordId: '1', Item: 'y', Qty: 2 },
    ],
  },
  'record sync': {
    parameters: { parts: mapped({ Name: fromModel('Name', 'Name') }, ['Name']), missing: 'delete' },
    says: { Name: 'Bolt' },
    answers: [
      {
        error: expect.stringMatching(/^Sync does not work with an AI agent.* Use Create or Update/) as string,
      },
    ],
    holds: async () => expect(await place.stored()).toHaveLength(2),
  },
  'tableRow update': {
    parameters: {
      recordId: id,
      tablePart: 'Lines',
      rowId: fromModel('row', 'ID of the row'),
      row: mapped({ Item: fromModel('Item', 'Item'), Qty: fromModel('Qty', 'Quantity') }),
    },
    says: { id: '1', row: '2', Item: 'null', Qty: '7' },
    answers: [{ recordId: '1', rowId: '2', outcome: 'updated' }],
    holds: async () => expect((await stored(0))?.Lines).toMatchObject([{}, { Item: 'y', Qty: '7' }]),
  },
};

test('there is a case for every operation', () => {
  expect(Object.keys(CASES)).toEqual(
    expect.arrayContaining(OPERATIONS.map(({ resource, value }) => `${resource} ${value}`)),
  );
});

describe.each(WAYS)('an agent that calls its tools by "%s"', (way) => {
  test.each(Object.entries(CASES))('%s', async (name, { parameters, says, answers, holds }) => {
    const [resource, operation] = name.split(' ');
    const saved = { ...place.parameters(operation ?? '', { resource }), ...parameters } as INodeParameters;
    const input = [withFiles({ data: { name: 'b.txt', text: 'b' } })];

    const run = await runAgent(place.sandbox, way, saved, [says], { input });

    expect(run.answers).toEqual([answers]);
    expect(Object.keys(run.tool.schema.shape).sort()).toEqual(Object.keys(says).sort());
    await holds?.();
  });
});
