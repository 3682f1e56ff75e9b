import type { ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';

import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { LINES } from './support/rows';
import { useWorkplace } from './support/workplace';

const { listSearch, loadOptions, resourceMapping } = new ApplicationDataService().methods;

const place = useWorkplace(null);

beforeAll(async () => {
  await place.open({
    parts: [
      { name: 'Docs', type: 'files' },
      {
        ...LINES,
        children: [...(LINES.children ?? []), { name: 'Sum', type: 'expression', formula: '{Qty} * 2' }],
      },
    ],
    records: [{ Lines: [{ Item: 'Bolt', Qty: '3' }, { Item: 'Nut', Due: '2026-04-03' }, {}] }, { Docs: [] }],
  });
});

function context(tablePart = '', more: INodeParameters = {}): ILoadOptionsFunctions {
  const application = { __rl: true, mode: 'list', value: place.app.id };
  return place.engine.editor({ resource: 'tableRow', operation: 'add', application, tablePart, ...more });
}

test('table parts and attachment parts are listed, those inside table parts with a dot', async () => {
  const table = place.part('Lines');
  expect(await loadOptions.getTableParts.call(context())).toEqual([
    { name: 'Lines', value: table, description: 'Table part' },
  ]);
  const plan = place.part('Lines.Plan');
  expect(await loadOptions.getAttachmentParts.call(context())).toEqual([
    { name: 'Docs', value: place.part('Docs') },
    { name: 'Lines / Plan', value: `${table}.${plan}` },
  ]);
});

test('the fields of a row are the writable parts of the table part', async () => {
  const { fields, emptyFieldsNotice } = await resourceMapping.getRowFields.call(context(place.part('Lines')));
  expect(emptyFieldsNotice).toBeUndefined();
  expect(fields.map(({ id }) => id)).toEqual(
    ['Item', 'Qty', 'Due', 'Tags', 'Plan'].map((name) => place.part(`Lines.${name}`)),
  );
  expect((await loadOptions.getRowParts.call(context('Lines'))).map(({ value }) => value)).toEqual(
    fields.map(({ id }) => id),
  );
});

test.each(['', '={{ $json.part }}', 'Docs', 'nothing'])(
  'without a table part (%j), the list asks for one',
  async (part) => {
    const { fields, emptyFieldsNotice } = await resourceMapping.getRowFields.call(context(part));
    expect(fields).toEqual([]);
    expect(emptyFieldsNotice).toContain('select a table part from the list');
    expect(await loadOptions.getRowParts.call(context(part))).toEqual([]);
  },
);

test('while the application is an expression, nothing is listed', async () => {
  const application = { __rl: true, mode: 'id', value: '={{ $json.app }}' };
  expect(await loadOptions.getTableParts.call(context('', { application }))).toEqual([]);
  expect(await loadOptions.getAttachmentParts.call(context('', { application }))).toEqual([]);
});

describe('the rows of the chosen record', () => {
  const rows = async (filter?: string, more: INodeParameters = {}) => {
    const chosen = { recordId: { __rl: true, mode: 'id', value: '1' }, ...more };
    return (await listSearch.searchRows.call(context('Lines', chosen), filter)).results;
  };

  test('are listed by what they say', async () => {
    expect(await rows()).toEqual([
      { name: 'Bolt · 3 · 6 (1)', value: '1' },
      { name: 'Nut · 2026-04-03 · 0 (2)', value: '2' },
      { name: '0 (3)', value: '3' },
    ]);
    expect((await rows('nUt')).map(({ value }) => value)).toEqual(['2']);
    expect(await rows('', { recordId: '2' })).toEqual([]);
  });

  test('are listed for files in rows, too', async () => {
    const attachmentPart = `${place.part('Lines')}.${place.part('Lines.Plan')}`;
    const more = { resource: 'attachment', operation: 'upload', attachmentPart };
    expect((await rows('', more)).map(({ value }) => value)).toEqual(['1', '2', '3']);
  });

  test.each([
    [{ recordId: '' }],
    [{ recordId: '={{ $json.id }}' }],
    [{ tablePart: '' }],
    [{ application: '' }],
  ])('are asked for what is not chosen yet: %j', async (more) => {
    await expect(rows('', more)).rejects.toThrow('The rows cannot be listed');
  });
});

describe('the files of the chosen part', () => {
  const files = async (filter?: string, more: INodeParameters = {}) => {
    const attachmentPart = `${place.part('Lines')}.${place.part('Lines.Plan')}`;
    const chosen = { resource: 'attachment', operation: 'delete', recordId: '1', attachmentPart, ...more };
    return (await listSearch.searchFiles.call(context('', chosen), filter)).results;
  };
  const docs = (): INodeParameters => ({ recordId: '2', attachmentPart: place.part('Docs') });

  beforeAll(async () => {
    const named = ['a.txt', 'B.txt'].map((name) => ({ name, text: name }));
    await place.sandbox.changeRecord(place.app.id, '2', { Docs: named });
  });

  test('are listed by their names', async () => {
    const all = await files('', docs());
    expect(all.map(({ name, value }) => name === `${name.split(' ')[0]} (${value})`)).toEqual([true, true]);
    expect((await files('b.T', docs())).map(({ name }) => name)).toEqual([
      expect.stringMatching(/^B\.txt \(/),
    ]);
  });

  test('in rows are none where no row has any', async () => {
    expect(await files()).toEqual([]);
    expect(await files('', { rowId: { __rl: true, mode: 'id', value: '2' } })).toEqual([]);
  });

  test.each([[{ recordId: '' }], [{ attachmentPart: '' }], [{ application: '' }]])(
    'are asked for what is not chosen yet: %j',
    async (more) => {
      await expect(files('', more)).rejects.toThrow('The files cannot be listed');
    },
  );
});
