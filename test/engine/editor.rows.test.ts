import { like, some } from './support/like';
import { each, listOf, testLists, type ListRows } from './support/lists';
import { LINES } from './support/rows';
import { byId } from './support/saved';
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
const EXPRESSION = { application: byId('={{ $json.app }}') };
const NO_TABLE = ['', '={{ $json.part }}', 'Docs', 'nothing'];
const FIELDS = ['Item', 'Qty', 'Due', 'Tags', 'Plan'];
const ofRecord = { tablePart: 'Lines', recordId: byId('1') };
const docs = { resource: 'attachment', operation: 'delete', recordId: '2', attachmentPart: 'Docs' };
const plans = { ...docs, recordId: '1', attachmentPart: 'Lines.Plan' };
const lists = (list: string, rows: ListRows): void => testLists(place, list, rows, { application });

describe('parts', () => {
  lists('getTableParts', {
    'table parts are listed': {
      gives: ({ app }) => ({
        results: [{ name: 'Lines', value: app.parts.Lines, description: 'Table part' }],
      }),
    },
    'attachment parts, those inside table parts with a dot': {
      list: 'getAttachmentParts',
      gives: ({ app: { parts } }) => ({
        results: [
          { name: 'Docs', value: parts.Docs },
          { name: 'Lines / Plan', value: `${parts.Lines}.${parts['Lines.Plan']}` },
        ],
      }),
    },
    ...each(['getTableParts', 'getAttachmentParts'])('none of an expression: %s', (list) => ({
      ...{ list, given: EXPRESSION, names: [] },
    })),
    'the fields of a row are the writable parts of the table part': {
      ...{ list: 'getRowFields', given: { tablePart: 'Lines' } },
      gives: ({ app }) => ({
        fields: FIELDS.map((name) => some({ id: app.parts[`Lines.${name}`] })),
      }),
    },
    'and so are its parts': { list: 'getRowParts', given: { tablePart: 'Lines' }, names: FIELDS },
    ...each(NO_TABLE)('without a table part ("%s"), the list asks for one', (tablePart) => ({
      ...{ list: 'getRowFields', given: { tablePart } },
      gives: () => ({ fields: [], emptyFieldsNotice: like('once a table part is selected from the list') }),
    })),
    ...each(NO_TABLE)('no parts of "%s"', (tablePart) => ({
      ...{ list: 'getRowParts', given: { tablePart }, names: [] },
    })),
  });
});

describe('the rows of the chosen record', () => {
  lists('searchRows', {
    'are listed by what they say': {
      given: ofRecord,
      names: ['Bolt · 3 · 6 (1)', 'Nut · 2026-04-03 · 0 (2)', '0 (3)'],
      values: ['1', '2', '3'],
    },
    'are searched': { given: ofRecord, filter: 'nUt', values: ['2'] },
    'may be none': { given: { ...ofRecord, recordId: '2' }, values: [] },
    'say so if there is no such record': {
      ...{ given: { ...ofRecord, recordId: '99' } },
      error: 'There is no record 99 in Goods',
    },
    'say so for files, too': {
      ...{ list: 'searchFiles', given: { ...docs, recordId: '99' } },
      error: 'There is no record 99 in Goods',
    },
    'are listed for files in rows, too': { given: plans, values: ['1', '2', '3'] },
    ...each([{ recordId: '' }, { recordId: '={{ $json.id }}' }, { tablePart: '' }, { application: '' }])(
      'are asked for what is not chosen yet: %s',
      (more) => ({ given: { ...ofRecord, ...more }, error: 'The rows cannot be listed' }),
    ),
  });
});

describe('the files of the chosen part', () => {
  const byName = (name: string): unknown => like(new RegExp(`^${name}\\.txt \\(\\d+\\)$`));
  lists('searchFiles', {
    'are listed by their names': { given: docs, names: ['a', 'B'].map(byName) },
    'are searched': { given: docs, filter: 'b.T', names: [byName('B')] },
    ...each([{}, { rowId: byId('2') }])('in rows are none where no row has any: %s', (more) => ({
      given: { ...plans, ...more },
      names: [],
    })),
    ...each([{ recordId: '' }, { attachmentPart: '' }, { application: '' }])(
      'are asked for what is not chosen yet: %s',
      (more) => ({ given: { ...docs, ...more }, error: 'The files cannot be listed' }),
    ),
  });

  test('have their IDs as values', async () => {
    await place.open(application);
    const { results = [] } = await listOf(place, 'searchFiles', { given: docs });
    for (const { name, value } of results) expect(name).toContain(`(${String(value)})`);
  });
});
