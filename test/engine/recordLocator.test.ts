import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { buildProperties } from '../../nodes/ApplicationDataService/operations/registry';
import { rowOf } from './support/rows';
import { itemsOf, useWorkplace } from './support/workplace';

const place = useWorkplace();

const locator = (mode: string, value: unknown): INodeParameters =>
  ({ __rl: true, mode, value, cachedResultName: 'Bolt' }) as INodeParameters;

/** Every form in which a workflow may save the ID 1. */
const FORMS: readonly (readonly [string, unknown])[] = [
  ['a text', '1'],
  ['a number', 1],
  ['an expression', '={{ $json.record }}'],
  ['a list of one', '={{ [$json.record] }}'],
  ['a saved array', ['1']],
  ['a choice from the list', locator('list', '1')],
  ['a locator by ID', locator('id', ' 1 ')],
  ['a locator with a number', locator('id', 1)],
  ['a locator with an expression', locator('id', '={{ $json.record }}')],
  ['a locator without a mode', locator('', '1')],
  ['a locator with an unknown mode', locator('url', '1')],
];

const input = itemsOf({ record: 1 });

/** Every operation on a record, and its output for record 1. */
const OPERATIONS: readonly (readonly [string, INodeParameters, object])[] = [
  ['record get', { operation: 'get' }, { id: '1', Name: 'Bolt' }],
  [
    'record update',
    {
      operation: 'update',
      parts: { mappingMode: 'defineBelow', value: { Name: 'Screw' }, matchingColumns: [], schema: [] },
    },
    { id: '1', outcome: 'updated' },
  ],
  ['record delete', { operation: 'delete' }, { deleted: true, ids: ['1'] }],
  [
    'tableRow add',
    {
      resource: 'tableRow',
      operation: 'add',
      tablePart: 'Lines',
      row: { mappingMode: 'defineBelow', value: { Item: 'x' }, matchingColumns: [], schema: [] },
    },
    { recordId: '1', outcome: 'created' },
  ],
  [
    'attachment delete',
    { resource: 'attachment', operation: 'delete', attachmentPart: 'Photo', attachmentIds: '9' },
    { recordId: '1', outcome: 'notFound' },
  ],
];

describe.each(OPERATIONS)('%s accepts as the record', (_name, { operation, ...parameters }, expected) => {
  test.each(FORMS)('%s', async (_form, recordId) => {
    const { json } = await place.run(operation as string, { ...parameters, recordId }, { input });
    expect(json[0]).toMatchObject(expected);
  });
});

test.each([
  ['a text', '1, 2'],
  ['a locator by ID', locator('id', '1,2')],
  ['a locator with an expression', locator('id', '={{ [$json.record, 2] }}')],
  ['a list', '={{ ["1", "2"] }}'],
  ['a saved array', ['1', 2]],
  ['a locator with an array', locator('id', ['1', '2'])],
])('Delete accepts several as %s', async (_form, recordId) => {
  const { json } = await place.delete(recordId, {}, { input });
  expect(json).toEqual([{ deleted: true, ids: ['1', '2'], notFound: [], outcome: 'deleted' }]);
});

test('the others refuse several, and all refuse none', async () => {
  for (const recordId of ['={{ [1, 2] }}', '1,2', locator('id', '1,2')]) {
    const several = await place.run('get', { recordId });
    expect(several.error?.message).toBe('The item names 2 records, and this operation takes one');
  }
  for (const recordId of ['={{ $json.missing }}', locator('id', '={{ $json.missing }}')]) {
    for (const operation of ['get', 'delete']) {
      const { error } = await place.run(operation, { recordId });
      expect(error?.message).toBe('The record ID is empty');
    }
  }
  expect(await place.actions()).not.toContain('delete_data');
});

test.each([
  ['a text', '9, 8'],
  ['a saved array', ['9', 8]],
  ['a locator by ID', locator('id', '9,8')],
  ['a choice from the list', locator('list', '9')],
  ['a locator with an expression', locator('id', '={{ [9, 8] }}')],
])('the files to delete may be %s', async (_form, attachmentIds) => {
  const settings = { resource: 'attachment', attachmentPart: 'Photo', recordId: '1', attachmentIds };
  const { json } = await place.run('delete', settings);
  const notFound = JSON.stringify(attachmentIds).includes('8') ? ['9', '8'] : ['9'];
  expect(json).toEqual([{ recordId: '1', outcome: 'notFound', ids: [], notFound }]);
});

test.each([
  ['from the list', locator('list', '')],
  ['by ID', locator('id', ' ')],
])('the editor marks a record that is not chosen %s', async (_mode, recordId) => {
  for (const operation of ['get', 'delete']) {
    await expect(place.run(operation, { recordId })).rejects.toThrow('has issues');
  }
  expect(await place.actions()).toEqual([]);
});

test('where the node is a tool, an operation that refuses agents is not offered', () => {
  const operations = buildProperties().filter(({ name }) => name === 'operation');
  const hidden = operations.flatMap(({ options = [] }) =>
    options.filter((option) => 'displayOptions' in option && option.displayOptions !== undefined),
  );
  expect(hidden).toMatchObject([{ value: 'sync', displayOptions: { hide: { '@tool': [true] } } }]);
});

test('what Get Many and Export both have stays', () => {
  const sort = { by: { part: '101', order: 'desc' } };
  const filters = { condition: [{ part: '101', operator: 'isNull' }] };
  const options = { keyword: 'steel', partsToReturn: ['101'] };
  const { description } = new ApplicationDataService();
  const switched = ['getAll', 'export'].reduce<INodeParameters>(
    (saved, operation) => {
      const parameters = { ...saved, operation };
      const node = { parameters, typeVersion: 1 };
      return NodeHelpers.getNodeParameters(
        description.properties,
        parameters,
        false,
        false,
        node,
        description,
      )!;
    },
    { resource: 'record', application: '301', sort, filters, options },
  );
  expect(switched).toMatchObject({ operation: 'export', sort, filters, options });
});

test('every record is chosen in the same way, and again after the application changes', () => {
  const chosen = buildProperties().filter(({ name }) => name === 'recordId');
  expect(chosen).toHaveLength(10);
  for (const property of chosen) {
    expect(property).toMatchObject({
      type: 'resourceLocator',
      default: { mode: 'list', value: '' },
      typeOptions: { loadOptionsDependsOn: ['application.value'] },
    });
    expect(property.modes?.map(({ name }) => name)).toEqual(['list', 'id']);
    expect(property.modes?.some((mode) => mode.extractValue !== undefined)).toBe(false);
  }
});

test.each(['list', 'id', '', 'other'])('the row ID may be a locator of the mode "%s"', async (mode) => {
  await place.open({ records: [{ Name: 'Order', Lines: [{ Item: 'a', Qty: '2' }] }] });
  const rowId = { __rl: true, mode, value: '1', cachedResultName: 'a' };
  const saved = rowOf({ Item: 'b' }, { recordId: place.record(), rowId });
  expect((await place.run('update', saved)).json).toMatchObject([{ rowId: '1', outcome: 'updated' }]);
  expect((await place.run('delete', saved)).json).toMatchObject([{ ids: ['1'], outcome: 'deleted' }]);
});

test('a row is chosen from a list, or by its ID, and again after the application or the part changes', () => {
  const chosen = buildProperties().filter(({ name }) => name === 'rowId');
  expect(chosen.length).toBeGreaterThan(3);
  for (const { type, modes, typeOptions, displayOptions } of chosen) {
    const isAttachment = displayOptions?.show?.resource?.includes('attachment');
    const part = isAttachment ? 'attachmentPart' : 'tablePart';
    expect(type).toBe('resourceLocator');
    expect(typeOptions?.loadOptionsDependsOn).toEqual(['application.value', part]);
    expect(modes?.map(({ name }) => name)).toEqual(['list', 'id']);
  }
});

test.each([
  ['Docs', false],
  ['130.135', true],
  ['={{ $json.part }}', true],
])('the row of files in %s is shown: %p', (attachmentPart, expected) => {
  const parameters = { resource: 'attachment', operation: 'download', attachmentPart };
  const properties = buildProperties().filter(({ name }) => name === 'rowId');
  const shown = properties.filter((property) =>
    NodeHelpers.displayParameter(parameters, property, null, null),
  );
  expect(shown).toHaveLength(expected ? 1 : 0);
});
