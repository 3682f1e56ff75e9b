import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { buildProperties } from '../../nodes/ApplicationDataService/operations/registry';
import { rowOf } from './support/rows';
import { each, testTable } from './support/table';
import { type RunSettings, useWorkplace } from './support/workplace';

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

testTable(
  place,
  'get',
  {
    // What the IDs in a value are: test/unit/operations/input/several.test.ts.
    ...each(FORMS)('the record is accepted as %s', ([, recordId]) => ({
      run: { recordId },
      shows: [{ id: '1', Name: 'Bolt' }],
    })),
    ...each([
      [
        { operation: 'update', values: { Name: 'Screw' } },
        { id: '1', outcome: 'updated' },
      ],
      [{ operation: 'delete' }, { deleted: true, ids: ['1'] }],
      [rowOf({ Item: 'x' }, { operation: 'add' }), { recordId: '1', outcome: 'created' }],
      [
        { resource: 'attachment', operation: 'delete', attachmentPart: 'Photo', attachmentIds: '9' },
        { recordId: '1', outcome: 'notFound' },
      ],
    ] as [RunSettings, object][])('%s accepts a locator', ([run, shown]) => ({
      ...{ run: { ...run, recordId: locator('id', '={{ $json.record }}') }, shows: [shown] },
    })),
    'Delete accepts several': {
      run: { operation: 'delete', recordId: locator('id', '={{ [$json.record, 2] }}') },
      output: [{ deleted: true, ids: ['1', '2'], notFound: [], outcome: 'deleted' }],
    },
    'others refuse several': { run: { recordId: '1,2' }, error: /^The item names 2 records, and this/ },
    ...each(['get', 'delete'])('%s refuses none', (operation) => ({
      run: { operation, recordId: locator('id', '={{ $json.missing }}') },
      ...{ error: /^The record ID is empty$/, sent: { delete_data: 0 } },
    })),
    ...each([
      ['update', { rowId: '1', outcome: 'updated' }],
      ['delete', { ids: ['1'], outcome: 'deleted' }],
    ] as const)('the row ID may be a locator: %s', ([operation, shown]) => ({
      application: { records: [{ Name: 'Order', Lines: [{ Item: 'a', Qty: '2' }] }] },
      run: rowOf({ Item: 'b' }, { operation, rowId: locator('list', '1') }),
      shows: [shown],
    })),
  },
  { items: [{ record: 1 }] },
);

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
  const switched = ['getAll', 'export'].reduce<INodeParameters>(
    (saved, operation) => place.engine.editor({ ...saved, operation }).getNode().parameters,
    { resource: 'record', application: '301', sort, filters, options },
  );
  expect(switched).toMatchObject({ operation: 'export', sort, filters, options });
});

test('every record is chosen in the same way, and again after the application changes', () => {
  const chosen = buildProperties().filter(({ name }) => name === 'recordId');
  expect(chosen.length).toBeGreaterThan(5);
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
