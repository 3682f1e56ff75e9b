import { useWorkplace } from './support/workplace';

/** Two parts of each kind share a name, so the service's answer does not say which of them a value belongs to. */
const place = useWorkplace({
  parts: [
    { name: 'Name', type: 'textbox' },
    { name: 'Photo', type: 'files' },
    { name: 'Photo', type: 'files' },
    { name: 'Lines', type: 'input_list', children: [{ name: 'Item', type: 'textbox' }] },
    { name: 'Lines', type: 'input_list', children: [{ name: 'Item', type: 'textbox' }] },
    { name: 'Place', type: 'textbox' },
    { name: 'Place', type: 'textbox' },
  ],
  records: [{ Name: 'One' }, { Name: 'Two' }],
});

/** The IDs of the parts with a name. */
async function idsOf(name: string): Promise<string[]> {
  const { fields } = await place.sandbox.call('get_app', { app_id: place.app.id });
  const { item } = fields as { item: { id: string; name: string }[] };
  return item.filter((part) => part.name === name).map(({ id }) => id);
}

async function run(operation: string, more: Record<string, unknown>) {
  return await place.engine.run(place.parameters(operation, { recordId: '1', ...more }));
}

const WRITES = /^(insert|update|delete)_data$/;

test.each([
  ['download', { attachmentIds: '', binaryPropertyName: 'data' }, 'read'],
  ['upload', { binaryPropertyName: 'data' }, 'written'],
  ['delete', { attachmentIds: '1' }, 'written'],
])('Attachment > %s is refused for one of them', async (operation, more, what) => {
  const [, second] = await idsOf('Photo');
  const { error } = await run(operation, { resource: 'attachment', attachmentPart: second, ...more });
  expect(error?.message).toContain(
    `Part "Photo" (ID ${second}) cannot be ${what}: another part has the same name`,
  );
  expect((await place.sandbox.log()).filter(({ action }) => WRITES.test(action))).toEqual([]);
});

test.each([
  ['getAll', {}, 'read'],
  ['add', { row: { mappingMode: 'defineBelow', value: { Item: 'x' } } }, 'written'],
  ['update', { rowId: '1', row: { mappingMode: 'defineBelow', value: { Item: 'x' } } }, 'written'],
  ['delete', { rowId: '1' }, 'written'],
])('Table Row > %s is refused for one of them', async (operation, more, what) => {
  const [first] = await idsOf('Lines');
  const { error } = await run(operation, { resource: 'tableRow', tablePart: first, ...more });
  expect(error?.message).toContain(
    `Part "Lines" (ID ${first}) cannot be ${what}: another part has the same name`,
  );
  expect((await place.sandbox.log()).filter(({ action }) => WRITES.test(action))).toEqual([]);
});

test('the service sorts by one of them, because it is asked by ID; the node itself refuses to', async () => {
  const [first] = await idsOf('Place');
  const sort = { by: { part: first, order: 'asc' } };
  expect((await run('getAll', { returnAll: true, sort })).json).toHaveLength(2);
  const condition = ['contains', 'startsWith'].map((operator) => ({
    part: 'Name',
    operator,
    valueType: 'value',
    value: 'o',
  }));
  const { error } = await run('getAll', { returnAll: true, sort, match: 'any', filters: { condition } });
  expect(error?.message).toContain('cannot be read: another part has the same name, "Place"');
});

test.each(['get', 'getAll', 'export'])('%s: none of them can be chosen to be returned', async (operation) => {
  const [first] = await idsOf('Place');
  const { error } = await run(operation, { options: { partsToReturn: [first] }, binaryPropertyName: 'data' });
  expect(error?.message).toContain('cannot be read: another part has the same name, "Place"');
});
