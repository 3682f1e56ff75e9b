import { listOf, testLists, type ListRow } from './support/lists';
import { LINES } from './support/rows';
import { useWorkplace } from './support/workplace';

const place = useWorkplace(null);

const sum = { name: 'Sum', type: 'expression', formula: '{Qty} * 2' };
const application = {
  parts: [
    { name: 'Docs', type: 'files' },
    { ...LINES, children: [...(LINES.children ?? []), sum] },
  ],
  records: [
    { Lines: [{ Item: 'Bolt', Qty: '3' }, { Item: 'Nut', Due: '2026-04-03' }, {}] },
    { Docs: ['a.txt', 'B.txt'].map((name) => ({ name, text: name })) },
  ],
};
const EXPRESSION = { application: { __rl: true, mode: 'id', value: '={{ $json.app }}' } };
const FIELDS = ['Item', 'Qty', 'Due', 'Tags', 'Plan'];
const ofRecord = { tablePart: 'Lines', recordId: { __rl: true, mode: 'id', value: '1' } };
const docs = { resource: 'attachment', operation: 'delete', recordId: '2', attachmentPart: 'Docs' };
const plans = { ...docs, recordId: '1', attachmentPart: 'Lines.Plan' };
const lists = (list: string, rows: readonly ListRow[]): void => testLists(place, list, rows, { application });

describe('parts', () => {
  lists('getTableParts', [
    {
      name: 'table parts are listed',
      gives: ({ app }) => ({
        results: [{ name: 'Lines', value: app.parts.Lines, description: 'Table part' }],
      }),
    },
    {
      name: 'attachment parts, those inside table parts with a dot',
      list: 'getAttachmentParts',
      gives: ({ app: { parts } }) => ({
        results: [
          { name: 'Docs', value: parts.Docs },
          { name: 'Lines / Plan', value: `${parts.Lines}.${parts['Lines.Plan']}` },
        ],
      }),
    },
    ...['getTableParts', 'getAttachmentParts'].map((list) => ({
      ...{ name: `none while the application is an expression: ${list}`, list },
      ...{ given: EXPRESSION, names: [] },
    })),
    {
      name: 'the fields of a row are the writable parts of the table part',
      ...{ list: 'getRowFields', given: { tablePart: 'Lines' } },
      gives: ({ app }) => ({
        fields: FIELDS.map((name) => expect.objectContaining({ id: app.parts[`Lines.${name}`] }) as unknown),
      }),
    },
    { name: 'and so are its parts', list: 'getRowParts', given: { tablePart: 'Lines' }, names: FIELDS },
    ...['', '={{ $json.part }}', 'Docs', 'nothing'].flatMap((tablePart): ListRow[] => [
      {
        ...{ name: `without a table part ("${tablePart}"), the list asks for one`, list: 'getRowFields' },
        ...{ given: { tablePart } },
        gives: () => ({
          fields: [],
          emptyFieldsNotice: expect.stringContaining('once a table part is selected from the list') as string,
        }),
      },
      { name: `no parts of "${tablePart}"`, list: 'getRowParts', given: { tablePart }, names: [] },
    ]),
  ]);
});

describe('the rows of the chosen record', () => {
  lists('searchRows', [
    {
      name: 'are listed by what they say',
      given: ofRecord,
      names: ['Bolt · 3 · 6 (1)', 'Nut · 2026-04-03 · 0 (2)', '0 (3)'],
      values: ['1', '2', '3'],
    },
    { name: 'are searched', given: ofRecord, filter: 'nUt', values: ['2'] },
    { name: 'may be none', given: { ...ofRecord, recordId: '2' }, values: [] },
    {
      ...{ name: 'say so if there is no such record', given: { ...ofRecord, recordId: '99' } },
      error: 'There is no record 99 in Goods',
    },
    {
      ...{ name: 'say so for files, too', list: 'searchFiles', given: { ...docs, recordId: '99' } },
      error: 'There is no record 99 in Goods',
    },
    { name: 'are listed for files in rows, too', given: plans, values: ['1', '2', '3'] },
    ...[{ recordId: '' }, { recordId: '={{ $json.id }}' }, { tablePart: '' }, { application: '' }].map(
      (more) => ({
        name: `are asked for what is not chosen yet: ${JSON.stringify(more)}`,
        ...{ given: { ...ofRecord, ...more }, error: 'The rows cannot be listed' },
      }),
    ),
  ]);
});

describe('the files of the chosen part', () => {
  const byName = (name: string): unknown => expect.stringMatching(new RegExp(`^${name}\\.txt \\(\\d+\\)$`));
  lists('searchFiles', [
    { name: 'are listed by their names', given: docs, names: ['a', 'B'].map(byName) },
    { name: 'are searched', given: docs, filter: 'b.T', names: [byName('B')] },
    ...[{}, { rowId: { __rl: true, mode: 'id', value: '2' } }].map((more) => ({
      name: `in rows are none where no row has any: ${JSON.stringify(more)}`,
      ...{ given: { ...plans, ...more }, names: [] },
    })),
    ...[{ recordId: '' }, { attachmentPart: '' }, { application: '' }].map((more) => ({
      name: `are asked for what is not chosen yet: ${JSON.stringify(more)}`,
      ...{ given: { ...docs, ...more }, error: 'The files cannot be listed' },
    })),
  ]);

  test('have their IDs as values', async () => {
    await place.open(application);
    const { results = [] } = await listOf(place, 'searchFiles', { given: docs });
    for (const { name, value } of results) expect(name).toContain(`(${String(value)})`);
  });
});
