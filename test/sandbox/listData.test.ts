import { useEverything } from './support/everything';
import { containing } from './support/matchers';
import { fields, file, filter, inner, permissions, useClient } from './support/serviceCall';

/** interface.md, "list_data (data list)" and "count_data (data count)". */
const client = useClient('kept');
const app = useEverything(client);
const ids = (parameters: Readonly<Record<string, string>>) => client.column(app.id, 'ID', parameters);

it.each(['306', '@everything'])('app_id %s names the application', async (name) => {
  expect(await client.column(name, 'Text')).toEqual(['apple pie', 'Banana', 'cherry', '']);
});

describe('fields', () => {
  it('names parts by name or by alias, in any application', async () => {
    const [item] = await client.list('list_data', {
      app_id: app.id,
      fields: JSON.stringify([{ field_name: 'Number' }, { field_alias: 'text' }]),
    });
    expect(Object.keys(item ?? {})).toEqual(['Number', 'Text', permissions]);
  });

  it('returns the revision in a narrowed list if it is requested by name', async () => {
    const [item] = await client.list('list_data', { app_id: app.id, fields: fields('ID', 'revision') });
    expect(item).toEqual({
      ID: { val: '1', deny_write: 'on' },
      revision: { val: '1', deny_write: 'on' },
      [permissions]: { allow_write: 'on', allow_delete: 'on' },
    });
  });

  it('returns the first fifty parts if it is left out, including the revision', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ name: `P${index + 1}`, type: 'textbox' }));
    const wide = await client.sandbox.createApplication({
      name: 'Wide',
      parts: many,
      records: [{ P1: 'x' }],
    });
    const [item] = await client.list('list_data', { app_id: wide.id });
    const keys = Object.keys(item ?? {}).filter((key) => key !== permissions);
    expect(keys).toHaveLength(50);
    expect(keys).toContain('revision');
    expect(keys).toContain('P44');
    expect(keys).not.toContain('P45');
    const all = await client.list('list_data', {
      app_id: wide.id,
      fields: fields(...many.map(({ name }) => name)),
    });
    expect(Object.keys(all[0] ?? {})).toHaveLength(61);
  });
});

describe('keyword', () => {
  it.each([
    ['apple', ['1']],
    ['APPLE', ['1']],
    ['sweet', ['1']],
    ['baked', ['1']],
    ['green', ['1', '2']],
    ['two', ['2']],
    ['recipe', ['1']],
    ['secret', []],
    ['tanaka', ['2']],
    ['Warehouse', ['2']],
    ['18', ['2']],
    ['2026-01-31', []],
    ['needle', []],
    ['apple green', ['1']],
    ['apple Banana', []],
    ['Birch', ['3']],
  ])('%s searches the types that keywords search', async (keyword, expected) => {
    expect(await ids({ keyword })).toEqual(expected);
    const { allcnt } = await client.ok('count_data', { app_id: app.id, keyword });
    expect(allcnt).toBe(String(expected.length));
  });

  it('searches the parts in fields if the application sets no targets', async () => {
    expect(await ids({ keyword: 'apple', fields: fields('ID', 'Text') })).toEqual(['1']);
    expect(await ids({ keyword: 'apple', fields: fields('ID', 'Long') })).toEqual([]);
  });

  it("searches the application's targets, whatever fields says", async () => {
    const column = (keyword: string, names = fields('Item')) =>
      client.column('@inventory', 'Item', { keyword, fields: names });
    expect(await column('bolt')).toEqual(['Hex bolt M8']);
    expect(await column('A-07')).toEqual([]);
    expect(await column('b-0008', fields('Item', 'Shelf'))).toEqual(['Hex bolt M8']);
  });
});

describe('sort_field_id and sort_order', () => {
  it.each([
    ['Text', ['4', '2', '1', '3']],
    ['Radio', ['4', '2', '1', '3']],
    ['Select', ['3', '4', '1', '2']],
    ['Number', ['4', '3', '2', '1']],
    ['Date', ['3', '4', '2', '1']],
    ['Time', ['3', '4', '1', '2']],
    ['Moment', ['3', '4', '2', '1']],
    ['Double', ['4', '3', '2', '1']],
    ['People', ['3', '4', '1', '2']],
    ['Groups', ['3', '4', '1', '2']],
    ['ID', ['1', '2', '3', '4']],
    ['Company', ['1', '2', '4', '3']],
  ])('%s sorts ascending by default', async (part, expected) => {
    expect(await ids({ sort_field_id: app.parts[part] ?? '' })).toEqual(expected);
    expect(await ids({ sort_field_id: app.parts[part] ?? '', sort_order: 'asc' })).toEqual(expected);
  });

  it('sorts descending', async () => {
    const down = await ids({ sort_field_id: app.parts.Number ?? '', sort_order: 'desc' });
    expect(down).toEqual(['1', '2', '3', '4']);
    expect(await ids({ sort_field_id: '1', sort_order: 'desc' })).toEqual(['4', '3', '2', '1']);
  });

  it.each(['Long', 'Rich', 'Check', 'List', 'Files', 'Rows', 'Related'])(
    '%s cannot be sorted by',
    async (part) => {
      const answer = await client.call('list_data', {
        app_id: app.id,
        sort_field_id: app.parts[part] ?? '',
      });
      expect(answer).toMatchObject({ status: 'ng', errormessage: containing('sort_field_id') });
    },
  );
});

describe('offset and limit', () => {
  it('count from 0', async () => {
    expect(await ids({ offset: '1', limit: '2' })).toEqual(['2', '3']);
    expect(await ids({ offset: '4' })).toEqual([]);
    expect(await ids({ limit: '0' })).toEqual([]);
    expect(await ids({ offset: '1', limit: '1', sort_field_id: app.parts.Number ?? '' })).toEqual(['3']);
    const narrowed = filter({ field_id: app.parts.Number, operator: '>=', value: '0' });
    expect(await ids({ offset: '1', limit: '1', filter: narrowed })).toEqual(['2']);
  });

  it('returns 5000 at most, whatever limit is sent', async () => {
    const { id } = await client.sandbox.createApplication({
      name: 'Many',
      parts: [{ name: 'N', type: 'number' }],
      records: Array.from({ length: 5003 }, (_, index) => ({ N: index })),
    });
    expect(await client.list('list_data', { app_id: id, limit: '9999' })).toHaveLength(5000);
    expect(await client.list('list_data', { app_id: id, fields: fields('ID') })).toHaveLength(5000);
    expect(await client.column(id, 'N', { offset: '5000' })).toEqual(['5000', '5001', '5002']);
  });
});

describe('count_data', () => {
  it('counts all data, or the data that filter and keyword find', async () => {
    expect(await client.ok('count_data', { app_id: app.id })).toEqual({ status: 'ok', allcnt: '4' });
    const narrowed = filter({ field_id: app.parts.Number, operator: '>=', value: '9' });
    expect((await client.ok('count_data', { app_id: app.id, filter: narrowed })).allcnt).toBe('2');
    const both = { app_id: app.id, filter: narrowed, keyword: 'banana' };
    expect((await client.ok('count_data', both)).allcnt).toBe('1');
  });

  it('accepts fields as the targets of the keyword', async () => {
    const narrow = { app_id: app.id, keyword: 'apple', fields: fields('Long') };
    expect((await client.ok('count_data', narrow)).allcnt).toBe('0');
  });
});

it('shows list items as get_data shows records', async () => {
  const [item] = await client.list('list_data', { app_id: app.id });
  expect(item).toEqual(await client.record(app.id, '1'));
});

it('shows what was just written', async () => {
  const id = await client.insert(app.id, { '{{Text}}': 'new', '{{Files}}': file('n.txt', 'n') });
  const [item] = await client.list('list_data', { app_id: app.id, keyword: 'n.txt' });
  expect(item?.ID?.val).toBe(id);
  expect(inner(item?.Files, 'attach')).toHaveLength(1);
  await client.ok('delete_data', { app_id: app.id, data_id: id });
  expect(await ids({ keyword: 'n.txt' })).toEqual([]);
});
