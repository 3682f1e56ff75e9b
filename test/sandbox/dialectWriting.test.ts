import { file, inner, useClient, type PartValue } from './support/serviceCall';

/** What interface.md leaves open ("not shown"): the dialect of writing. */
describe('Dialect of writing', () => {
  const client = useClient();

  const set = (changes: Readonly<Record<string, unknown>>) => client.sandbox.setDialect(changes);

  it('unknownPart ignored: writing under the wrong key adds an empty record', async () => {
    await set({ unknownPart: 'ignored' });
    const { id } = await client.sandbox.createApplication({
      name: 'U',
      parts: [{ name: 'A', type: 'textbox' }],
    });
    await client.insert(id, { '{{a}}': 'x' });
    expect((await client.sandbox.records(id))[0]?.values).toEqual({});
  });

  it.each([
    ['all', []],
    ['first', ['b.txt']],
    ['last', ['a.txt']],
  ])('repeatedDelete %s', async (value, left) => {
    const id = await client.insert('303', {
      '{{Item No}}': 'x',
      '{{Photos}}': [file('a.txt', 'a'), file('b.txt', 'b')],
    });
    const ids = inner((await client.record('303', id)).Photos, 'attach').map((one) => String(one.id));
    await set({ repeatedDelete: value });
    await client.update('303', id, { '{{Photos}}.del_attachment_id': ids });
    const names = inner((await client.record('303', id)).Photos, 'attach').map(
      ({ attachdisp }) => attachdisp,
    );
    expect(names).toEqual(left);
  });

  it.each([
    ['all', ['a.txt', 'b.txt', 'c.txt']],
    ['first', ['a.txt']],
    ['last', ['c.txt']],
  ])('severalFiles %s', async (value, kept) => {
    await set({ severalFiles: value });
    const photos = ['a', 'b', 'c'].map((name) => file(`${name}.txt`, name));
    const id = await client.insert('303', { '{{Item No}}': 'x', '{{Photos}}': photos });
    const names = inner((await client.record('303', id)).Photos, 'attach').map(
      ({ attachdisp }) => attachdisp,
    );
    expect(names).toEqual(kept);
  });

  it.each([
    ['kept', { Item: 'Drill press', Price: '1290', Quantity: '7' }],
    ['emptied', { Quantity: '7' }],
  ])('omittedChild %s', async (value, expected) => {
    await set({ omittedChild: value });
    const [row] = inner((await client.record('302', '2')).Lines, 'child_records');
    await client.update('302', '2', {
      '{{Lines}}': JSON.stringify([{ data_id: row?.data_id, Quantity: 7 }]),
    });
    const after = inner((await client.record('302', '2')).Lines, 'child_records')[0] as Record<
      string,
      PartValue
    >;
    const shown = Object.entries(after).filter(([key]) => ['Item', 'Price', 'Quantity'].includes(key));
    expect(
      Object.fromEntries(shown.map(([key, { val }]) => [key, val]).filter(([, val]) => val !== '')),
    ).toEqual(expected);
  });

  it.each([
    ['part', 'ok', ['2', '4']],
    ['all', 'ng', ['2', '4']],
    ['none', 'ng', ['1', '2', '3', '4']],
  ])('multiDelete %s, with an id that cannot be deleted among others', async (value, status, left) => {
    await client.sandbox.setUser('1001', { rights: { customers: { records: { 2: { delete: false } } } } });
    await set({ multiDelete: value });
    const answer = await client.call('delete_data', { app_id: '301', data_id: '1,2,3' });
    expect(answer.status).toBe(status);
    expect(answer.delete_count).toBe(status === 'ok' ? '2' : undefined);
    expect((await client.sandbox.records('301')).map(({ id }) => id)).toEqual(left);
  });

  it('deleteIds limits the ids of one call', async () => {
    await set({ deleteIds: 2 });
    expect((await client.call('delete_data', { app_id: '301', data_id: '1,2,3' })).status).toBe('ng');
    expect((await client.call('delete_data', { app_id: '301', data_id: '1,2' })).status).toBe('ok');
  });

  it.each([
    { noSuchSwitch: 1 },
    { emptyList: 'odd' },
    { queueLength: -1 },
    { headerName: '' },
    { equalsRefused: 5 },
  ])('refuses %j and changes nothing', async (changes) => {
    await expect(set({ singleItem: 'object', ...changes })).rejects.toThrow('error');
    expect(await client.list('list_data', { app_id: '301', keyword: 'Riverton' })).toHaveLength(1);
  });
});
