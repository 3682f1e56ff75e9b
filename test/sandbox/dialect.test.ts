import { fields, permissions, useClient } from './support/serviceCall';

/** What interface.md leaves open ("not shown"): the dialect of lists and refusals. */
describe('Dialect', () => {
  const client = useClient();

  const set = (changes: Readonly<Record<string, unknown>>) => client.sandbox.setDialect(changes);
  const nothing = { app_id: '301', keyword: 'no such word' };

  it.each([
    ['array', { status: 'ok', list: { item: [] } }],
    ['emptyString', { status: 'ok', list: { item: '' } }],
    ['noItem', { status: 'ok', list: {} }],
    ['noList', { status: 'ok' }],
  ])('emptyList %s', async (value, expected) => {
    await set({ emptyList: value });
    expect(await client.call('list_data', nothing)).toEqual(expected);
  });

  it('emptyList error: -110', async () => {
    await set({ emptyList: 'error' });
    expect(await client.call('list_data', nothing)).toMatchObject({ status: 'ng', errorno: -110 });
    expect(await client.call('list_apps', { keyword: 'no such word' })).toMatchObject({ errorno: -110 });
    expect(await client.call('count_data', nothing)).toEqual({ status: 'ok', allcnt: '0' });
  });

  it.each([
    ['array', { attach: { item: [] } }],
    ['emptyString', { attach: { item: '' } }],
    ['noItem', { attach: {} }],
    ['noValue', ''],
  ])('emptyInner %s', async (value, expected) => {
    await set({ emptyInner: value });
    expect((await client.record('301', '2')).Documents?.val).toEqual(expected);
  });

  it('singleItem object: everywhere', async () => {
    await set({ singleItem: 'object' });
    const one = await client.ok('list_data', { app_id: '301', keyword: 'Riverton' });
    expect(one.list?.item).toMatchObject({ Company: { val: 'City of Riverton' } });
    const record = await client.record('302', '2');
    expect(record.Lines?.val).toMatchObject({ child_records: { item: { Item: { val: 'Drill press' } } } });
    expect(record['Created by']?.val).toMatchObject({ users: { item: { id: '1001' } } });
  });

  it.each([
    ['always', true, true],
    ['requested', false, true],
    ['never', false, false],
  ])('listRevision %s', async (value, unasked, asked) => {
    await set({ listRevision: value });
    const has = async (...names: string[]) => {
      const [item] = await client.list('list_data', { app_id: '301', fields: fields(...names) });
      return Object.keys(item ?? {}).includes('revision');
    };
    expect(await has('ID')).toBe(unasked);
    expect(await has('ID', 'revision')).toBe(asked);
    expect((await client.list('list_data', { app_id: '301' }))[0]).toHaveProperty('revision');
  });

  it('fieldsOmitted all', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ name: `P${index}`, type: 'textbox' }));
    const { id } = await client.sandbox.createApplication({ name: 'W', parts: many, records: [{}] });
    await set({ fieldsOmitted: 'all' });
    expect((await client.list('list_data', { app_id: id }))[0]).toHaveProperty('P59');
  });

  it.each([
    ['one', '\\permissions'],
    ['two', '\\\\permissions'],
    ['plain', 'permissions'],
  ])('permissionsKey %s', async (value, key) => {
    await set({ permissionsKey: value });
    expect(Object.keys(await client.record('301', '1'))).toContain(key);
  });

  it('listPermissions absent: in lists only', async () => {
    await set({ listPermissions: 'absent' });
    expect(Object.keys((await client.list('list_data', { app_id: '301' }))[0] ?? {})).not.toContain(
      permissions,
    );
    expect(Object.keys(await client.record('301', '1'))).toContain(permissions);
  });

  it.each([['200'], ['400'], ['500']])('failureStatus %s', async (value) => {
    await set({ failureStatus: value });
    const response = await client.fetch({ body: new URLSearchParams({ action: 'nothing' }) });
    expect(response.status).toBe(Number(value));
    expect(await response.json()).toMatchObject({ status: 'ng' });
  });

  it.each([
    ['401', 401, '"ng"'],
    ['401-empty', 401, ''],
    ['403', 403, '"ng"'],
    ['403-empty', 403, ''],
    ['login-page', 200, '<h1>Login</h1>'],
    ['ng', 200, '"ng"'],
  ])('badKey %s', async (value, status, content) => {
    await set({ badKey: value });
    const response = await client.as('wrong').fetch({ body: new URLSearchParams({ action: 'list_apps' }) });
    expect(response.status).toBe(status);
    const text = await response.text();
    expect(content === '' ? text === '' : text.includes(content)).toBe(true);
  });

  it.each([
    ['distinct', 3],
    ['alike', 1],
  ])('refusals %s', async (value, numbers) => {
    await set({ refusals: value });
    await client.sandbox.changeApplication('orders', { status: 'stopped' });
    const answers = await Promise.all([
      client.call('get_data', { app_id: '301', data_id: '99' }),
      client.call('get_data', { app_id: '302', data_id: '1' }),
      client.as('sandbox-key-braun').call('get_data', { app_id: '304', data_id: '1' }),
    ]);
    expect(new Set(answers.map(({ errorno }) => errorno)).size).toBe(numbers);
  });
});
