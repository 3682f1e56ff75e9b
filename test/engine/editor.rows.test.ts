import type { ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';

import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { LINES } from './support/rows';
import { useWorkplace } from './support/workplace';

const { loadOptions, resourceMapping } = new ApplicationDataService().methods;

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
    records: [],
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
    expect(emptyFieldsNotice).toContain('Choose an application and a table part');
    expect(await loadOptions.getRowParts.call(context(part))).toEqual([]);
  },
);

test('while the application is an expression, nothing is listed', async () => {
  const application = { __rl: true, mode: 'id', value: '={{ $json.app }}' };
  expect(await loadOptions.getTableParts.call(context('', { application }))).toEqual([]);
  expect(await loadOptions.getAttachmentParts.call(context('', { application }))).toEqual([]);
});
