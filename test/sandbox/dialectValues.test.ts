import { anyNumber } from './support/matchers';
import { filter, inner, useClient } from './support/serviceCall';

/** What interface.md leaves open ("not shown"): the dialect of values, ids and addresses. */
describe('Dialect of values', () => {
  const client = useClient();

  const set = (changes: Readonly<Record<string, unknown>>) => client.sandbox.setDialect(changes);

  it('dates object', async () => {
    await set({ dates: 'object' });
    expect((await client.record('301', '1'))['Customer Since']?.val).toEqual({
      year: 2019,
      month: 4,
      day: 1,
    });
    expect((await client.record('301', '4'))['Customer Since']?.val).toBe('');
  });

  it.each([
    ['string', '1234567.50', '292'],
    ['number', '1234567.50', 292],
    ['separators', '1,234,567.50', '292'],
  ])('numbers %s', async (value, credit, total) => {
    await set({ numbers: value });
    await client.update('301', '2', { '{{Credit Limit}}': '1234567.50' });
    expect((await client.record('301', '2'))['Credit Limit']?.val).toBe(credit);
    expect((await client.record('302', '1')).Total?.val).toBe(total);
  });

  it('ids number', async () => {
    await set({ ids: 'number' });
    const record = await client.record('302', '1');
    expect(record.ID?.val).toBe(1);
    expect(inner(record['Created by'], 'users')[0]?.id).toBe(1001);
    expect(inner(record.Attachments, 'attach')[0]?.id).toEqual(anyNumber());
    expect((await client.ok('get_app', { app_id: '302' })).id).toBe(302);
    const answer = await client.call('insert_data', { app_id: '303', '{{Item No}}': 'x' });
    expect(answer).toEqual({ status: 'ok', ID: 5 });
    expect((await client.list('list_applabels'))[1]).toMatchObject({ id: 2, parent_id: 1 });
  });

  it('counts number', async () => {
    await set({ counts: 'number' });
    expect(await client.call('count_data', { app_id: '301' })).toEqual({ status: 'ok', allcnt: 4 });
    expect((await client.record('301', '1')).revision?.val).toBe(1);
    expect(await client.call('delete_data', { app_id: '301', data_id: '1' })).toMatchObject({
      delete_count: 1,
    });
  });

  it.each(['ID', 'id', 'data_id'])('insertKey %s', async (value) => {
    await set({ insertKey: value });
    const answer = await client.call('insert_data', { app_id: '303', '{{Item No}}': 'x' });
    expect(answer).toEqual({ status: 'ok', [value]: '5' });
  });

  it.each([
    ['plain', { data_id: '1' }],
    ['value', { data_id: { val: '1' } }],
    ['part', { 'Row ID': { val: '1', deny_write: 'on' } }],
    ['none', {}],
  ])('rowIds %s', async (value, expected) => {
    await set({ rowIds: value });
    const [row = {}] = inner((await client.record('302', '1')).Lines, 'child_records');
    const ids = Object.fromEntries(Object.entries(row).filter(([key]) => /id$/i.test(key)));
    expect(ids).toEqual(expected);
    const { fields: found } = await client.ok('get_app', { app_id: '302' });
    const children = found?.item.find(({ name }) => name === 'Lines')?.child?.list.item ?? [];
    expect(children.some(({ type, is_ref: ref }) => type === 'id' && ref === 'off')).toBe(value === 'part');
  });

  it.each([
    ['absolute', /^http:\/\/127\.0\.0\.1:\d+\/cgi-bin\/dneo\/appsuite\.cgi\?/],
    ['otherHost', /^https:\/\/files\.invalid\//],
  ])('downloadUrl %s', async (value, pattern) => {
    await set({ downloadUrl: value });
    const [attached] = inner((await client.record('301', '1')).Documents, 'attach');
    expect(attached?.url).toMatch(pattern);
    const name = String(attached?.url).replace(/^.*\//, '');
    const body = await fetch(`${client.sandbox.baseUrl}/${name}`, {
      headers: { 'X-Service-Auth': client.accessKey },
    });
    expect(await body.text()).toBe('Payment within 30 days.\n');
  });

  it('attachmentUrlId different: the url works, but its id is not the attachment id', async () => {
    await set({ attachmentUrlId: 'different' });
    const [attached] = inner((await client.record('301', '1')).Documents, 'attach');
    expect(new URL(String(attached?.url)).searchParams.get('id')).not.toBe(attached?.id);
    const headers = { 'X-Service-Auth': client.accessKey };
    expect(await (await fetch(String(attached?.url), { headers })).text()).toContain('Payment');
    await client.update('301', '1', { '{{Documents}}.del_attachment_id': String(attached?.id) });
    expect(inner((await client.record('301', '1')).Documents, 'attach')).toEqual([]);
  });

  it('headerName', async () => {
    await set({ headerName: 'X-Desknets-Auth' });
    const body = new URLSearchParams({ action: 'list_apps' });
    expect((await client.fetch({ body })).status).toBe(401);
    const headers = { 'X-Desknets-Auth': client.accessKey };
    expect((await fetch(client.sandbox.dataUrl, { method: 'POST', headers, body })).status).toBe(200);
  });

  it.each([
    ['file', 'text/plain'],
    ['generic', 'application/octet-stream'],
    ['missing', null],
  ])('downloadContentType %s', async (value, type) => {
    await set({ downloadContentType: value });
    const [attached] = inner((await client.record('301', '1')).Documents, 'attach');
    const response = await fetch(String(attached?.url), { headers: { 'X-Service-Auth': client.accessKey } });
    expect(response.headers.get('content-type')).toBe(type);
  });

  it.each([
    ['equalsRefused', 'ng', undefined],
    ['equalsIgnored', 'ok', 4],
    ['equalsMisses', 'ok', 0],
  ])('%s on some types', async (name, status, count) => {
    await set({ [name]: ['textbox', 'number'] });
    const find = (id: string, value: string, operator = '=') =>
      client.call('list_data', { app_id: '301', filter: filter({ field_id: id, operator, value }) });
    const answer = await find('101', 'Birch & Sons');
    expect(answer.status).toBe(status);
    expect(answer.list?.item.length).toBe(count);
    expect((await find('105', 'A')).list?.item).toHaveLength(2);
    expect((await find('101', 'Birch', 'contains')).list?.item).toHaveLength(1);
  });

  it.each([
    ['withValue', { val: '', error: 'unauthorized', deny_write: 'on' }],
    ['alone', { error: 'unauthorized' }],
  ])('partErrors %s', async (value, expected) => {
    await client.sandbox.setUser('1001', { rights: { customers: { parts: { Company: 'none' } } } });
    await set({ partErrors: value });
    expect((await client.record('301', '1')).Company).toEqual(expected);
    const [first] = await client.list('list_data', { app_id: '301' });
    expect(first?.Company).toEqual(expected);
  });

  it('equalsMisses on all types', async () => {
    await set({ equalsMisses: '*' });
    const narrowed = filter({ field_id: '105', operator: '=', value: 'A' });
    expect((await client.ok('count_data', { app_id: '301', filter: narrowed })).allcnt).toBe('0');
  });
});
