import { LINES, rowOf, withFiles } from './support/rows';
import { itemsOf, useWorkplace } from './support/workplace';

/** Values as they reach the node: long numbers, lists of mixed forms, files that were read. */
const place = useWorkplace({
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
});

const LONG = '123456789012345678';
const ROUNDED = 123456789012345678;

const stored = async () => (await place.stored()).map(({ values }) => values);

describe('long numbers', () => {
  test('in JSON text of rows keep their digits', async () => {
    const lines = `[{"Item":${LONG},"Qty":${LONG}},{"Item":"${LONG} \\"1\\""}]`;
    const { error } = await place.create({ values: { Name: 'new', Lines: lines } });
    expect(error).toBeUndefined();
    expect((await stored()).at(-1)?.Lines).toMatchObject([
      { Item: LONG, Qty: LONG },
      { Item: `${LONG} "1"` },
    ]);
  });

  test('in JSON text of a filter keep their digits', async () => {
    await place.create({ values: { Price: LONG } });
    const filterJson = `{"item":[{"field_id":"${place.part('Price')}","operator":"=","value":${LONG}}]}`;
    const { json } = await place.run('count', { options: { filterJson } });
    expect(json).toEqual([{ count: 1 }]);
  });

  const MESSAGE =
    'does not accept 123456789012345680: it has more digits than a number in n8n can hold, so the last ones may be wrong';

  test.each([
    ['create', 'Name', {}],
    ['upsert', 'Price', { matchBy: ['Price'] }],
    ['sync', 'Name', { matchBy: ['Name'] }],
    ['update', 'Price', { recordId: '1' }],
  ])('that were rounded are refused: %s, %s', async (operation, part, more) => {
    await place.sandbox.clearLog();
    const settings = { values: { [part]: '={{ $json.n }}' }, ...more };
    const { error } = await place.run(operation, settings, { input: itemsOf({ n: ROUNDED }) });
    expect(error?.message).toBe(`Part "${part}" (ID ${place.part(part)}) ${MESSAGE}`);
    const actions = await place.actions();
    expect(actions.filter((action) => /insert|update/.test(action))).toEqual([]);
  });

  test('that were rounded are refused in rows and in filters', async () => {
    const inRow = await place.create({ values: { Lines: [{ Item: 'x' }, { Qty: ROUNDED }] } });
    expect(inRow.error?.message).toContain(`row 2: Part "Qty"`);
    expect(inRow.error?.message).toContain(MESSAGE);
    const condition = [{ part: 'Price', operator: 'equals', value: '={{ $json.n }}' }];
    const filtered = await place.run('count', { filters: { condition } }, { input: itemsOf({ n: ROUNDED }) });
    expect(filtered.error?.message).toContain(MESSAGE);
  });

  test('as they are read can be written back', async () => {
    const values = { Name: LONG, Price: '10000000000000000000000' };
    const [created] = (await place.create({ values })).json;
    const read = await place.run('get', { recordId: created!.id });
    expect(read.json[0]).toMatchObject(values);
    const { json } = await place.update(
      { recordId: created!.id, values: null, options: { skipUnchanged: true } },
      { input: itemsOf(read.json[0]!) },
    );
    expect(json).toEqual([{ id: created!.id, outcome: 'unchanged' }]);
  });
});

describe('several IDs', () => {
  test.each([
    ['a list', ['1', { id: '2' }]],
    ['JSON text', '["1", {"id": "2", "Name": "2"}]'],
    ['what was read', [{ id: '1' }, { id: 2 }]],
  ])('%s of mixed forms means all of its records', async (_, recordId) => {
    const { json } = await place.delete(recordId);
    expect(json).toMatchObject([{ outcome: 'deleted', ids: ['1', '2'] }]);
    expect((await place.stored()).map(({ id }) => id)).toEqual(['3']);
  });

  test.each([
    [['1', { Name: '2' }], 'One of the IDs is an object without an ID'],
    [['1', ['2']], 'One of the IDs is an object without an ID'],
    [['1', { id: '2', recordId: '3' }], 'One of the record IDs is a row or a file of a record'],
    ['[1, 123456789012345678, {}]', 'One of the IDs is an object without an ID'],
  ])('%j is refused as a whole', async (recordId, message) => {
    const { error } = await place.delete(recordId);
    expect(error?.message).toBe(message);
    expect(await place.stored()).toHaveLength(3);
  });

  test('long numbers in JSON text of a list keep their digits', async () => {
    const { json } = await place.delete(`["1", ${LONG}]`);
    expect(json).toMatchObject([{ ids: ['1'], notFound: [LONG] }]);
  });

  test('one record as it was read', async () => {
    const { json } = await place.run('get', { recordId: '={{ $json }}' }, { input: itemsOf({ id: '2' }) });
    expect(json).toMatchObject([{ id: '2', Name: '2' }]);
  });

  test('rows', async () => {
    const rows = { resource: 'tableRow', recordId: '1', tablePart: 'Lines' };
    const { json } = await place.run('delete', { ...rows, rowId: ['1', { id: '2', recordId: '1' }] });
    expect(json).toMatchObject([{ ids: ['1', '2'], outcome: 'deleted' }]);
    const { error } = await place.run('delete', { ...rows, rowId: ['3', { Item: 'z' }] });
    expect(error?.message).toBe('One of the IDs is an object without an ID');
    expect((await stored())[0]?.Lines).toMatchObject([{ Item: 'z' }]);
  });

  test('files', async () => {
    const files = { resource: 'attachment', recordId: '1', attachmentPart: 'Photo' };
    const [{ id } = { id: '' }] = (await stored())[0]?.Photo as { id: string }[];
    const { error } = await place.run('delete', { ...files, attachmentIds: [id, { name: 'b.txt' }] });
    expect(error?.message).toBe('One of the IDs is an object without an ID');
    const { json } = await place.run('delete', { ...files, attachmentIds: ['99', { id }] });
    expect(json).toMatchObject([{ ids: [id], notFound: ['99'] }]);
  });
});

describe('files', () => {
  test('of the records that were read are left out of new records', async () => {
    const read = (await place.run('getAll', { returnAll: true })).json;
    const { json } = await place.create({ values: null }, { input: itemsOf(...read, read[2]!) });
    expect(json).toHaveLength(4);
  });

  test('that were read are no row of their own', async () => {
    const read = [{ id: '7', name: 'a.txt', mimeType: 'text/plain', url: 'x', size: 1 }];
    for (const plan of [[], read]) {
      const { error } = await place.run('add', rowOf({ Plan: plan }));
      expect(error?.message).toBe('There is no value to write');
    }
    expect((await stored())[0]?.Lines).toHaveLength(3);
    const { error } = await place.run('add', rowOf({ Item: 'new', Plan: read }));
    expect(error).toBeUndefined();
  });

  test.each(['constructor', '__proto__'])('in a field named %s, or in none of that name', async (name) => {
    const upload = {
      resource: 'attachment',
      recordId: '2',
      attachmentPart: 'Photo',
      binaryPropertyName: name,
    };
    const without = await place.run('upload', upload, {
      input: [withFiles({ data: { name: 'd', text: 'd' } })],
    });
    expect(without.error?.message).toBe(
      `The item has no binary field "${name}" for part "Photo" (ID ${place.part('Photo')})`,
    );
    const input = [withFiles({ [name]: { name: 'x.txt', text: 'x' } })];
    const { error, json } = await place.run('upload', upload, { input });
    expect(error).toBeUndefined();
    expect(json).toEqual([{ recordId: '2', outcome: 'updated', files: ['x.txt'] }]);
  });

  test('a list of fields with an object that is no file', async () => {
    const upload = { resource: 'attachment', recordId: '2', attachmentPart: 'Photo' };
    const { error } = await place.run(
      'upload',
      { ...upload, binaryPropertyName: ['data', { id: '77' }] },
      { input: [withFiles({ data: { name: 'd', text: 'd' } })] },
    );
    expect(error?.message).toBe('No binary field is named');
  });
});
