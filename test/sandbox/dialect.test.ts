import { anyNumber, containing, matching } from './support/matchers';
import { fields, file, filter, inner, permissions, useClient, type PartValue } from './support/serviceCall';

/** What interface.md leaves open ("not shown"): a switch of the sandbox for each. */
const client = useClient();

const set = (changes: Readonly<Record<string, unknown>>) => client.sandbox.setDialect(changes);
const nothing = { app_id: '301', keyword: 'no such word' };
const authorized = () => ({ headers: { 'X-Service-Auth': client.accessKey } });
const listApps = () => ({ body: new URLSearchParams({ action: 'list_apps' }) });
const first = async (more: object = {}) => (await client.list('list_data', { app_id: '301', ...more }))[0];
const val = async (application: string, id: string, part: string) =>
  (await client.record(application, id))[part]?.val;
/** What is inside a value of the first record. */
const within = async (application: string, part: string, container: string, id = '1') =>
  inner((await client.record(application, id))[part], container);
const attached = async () => (await within('301', 'Documents', 'attach'))[0];
const insertItem = () => client.call('insert_data', { app_id: '303', '{{Item No}}': 'x' });

/** For each value of a switch, what is read then. */
const shows = (name: string, values: Readonly<Record<string, unknown>>, read: () => Promise<unknown>): void =>
  it.each(Object.entries(values))(`${name} %s`, async (value, expected) => {
    await set({ [name]: value });
    expect(await read()).toEqual(expected);
  });

describe('lists and refusals', () => {
  shows(
    'emptyList',
    {
      array: { status: 'ok', list: { item: [] } },
      emptyString: { status: 'ok', list: { item: '' } },
      noItem: { status: 'ok', list: {} },
      noList: { status: 'ok' },
      error: expect.objectContaining({ status: 'ng', errorno: -110 }) as unknown,
    },
    () => client.call('list_data', nothing),
  );

  it('emptyList error: in all lists, and in no count', async () => {
    await set({ emptyList: 'error' });
    expect(await client.call('list_apps', { keyword: 'no such word' })).toMatchObject({ errorno: -110 });
    expect(await client.call('count_data', nothing)).toEqual({ status: 'ok', allcnt: '0' });
  });

  shows(
    'emptyInner',
    {
      array: { attach: { item: [] } },
      emptyString: { attach: { item: '' } },
      noItem: { attach: {} },
      noValue: '',
    },
    () => val('301', '2', 'Documents'),
  );

  it('singleItem object: everywhere', async () => {
    await set({ singleItem: 'object' });
    const one = await client.ok('list_data', { app_id: '301', keyword: 'Riverton' });
    expect(one.list?.item).toMatchObject({ Company: { val: 'City of Riverton' } });
    const record = await client.record('302', '2');
    expect(record.Lines?.val).toMatchObject({ child_records: { item: { Item: { val: 'Drill press' } } } });
    expect(record['Created by']?.val).toMatchObject({ users: { item: { id: '1001' } } });
  });

  shows(
    'listRevision',
    { always: [true, true, true], requested: [false, true, true], never: [false, false, true] },
    async () => {
      const asked = [{ fields: fields('ID') }, { fields: fields('ID', 'revision') }, {}];
      return (await Promise.all(asked.map(first))).map((item) => 'revision' in item!);
    },
  );

  it('fieldsOmitted all', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ name: `P${index}`, type: 'textbox' }));
    const { id } = await client.sandbox.createApplication({ name: 'W', parts: many, records: [{}] });
    await set({ fieldsOmitted: 'all' });
    expect(await first({ app_id: id })).toHaveProperty('P59');
  });

  shows(
    'permissionsKey',
    { one: ['\\permissions'], two: ['\\\\permissions'], plain: ['permissions'] },
    async () => Object.keys(await client.record('301', '1')).filter((key) => key.endsWith('permissions')),
  );

  shows('listPermissions', { present: [true, true], absent: [false, true] }, async () =>
    [await first(), await client.record('301', '1')].map((item) => permissions in item!),
  );

  shows('failureStatus', { 200: [200, 'ng'], 400: [400, 'ng'], 500: [500, 'ng'] }, async () => {
    const response = await client.fetch({ body: new URLSearchParams({ action: 'nothing' }) });
    return [response.status, ((await response.json()) as { status: string }).status];
  });

  shows(
    'badKey',
    {
      '401': [401, containing('"ng"')],
      '401-empty': [401, ''],
      '403': [403, containing('"ng"')],
      '403-empty': [403, ''],
      'login-page': [200, containing('<h1>Login</h1>')],
      ng: [200, containing('"ng"')],
    },
    async () => {
      const response = await client.as('wrong').fetch(listApps());
      return [response.status, await response.text()];
    },
  );

  shows('refusals', { distinct: 3, alike: 1 }, async () => {
    await client.sandbox.changeApplication('orders', { status: 'stopped' });
    const answers = await Promise.all([
      client.call('get_data', { app_id: '301', data_id: '99' }),
      client.call('get_data', { app_id: '302', data_id: '1' }),
      client.as('sandbox-key-braun').call('get_data', { app_id: '304', data_id: '1' }),
    ]);
    return new Set(answers.map(({ errorno }) => errorno)).size;
  });
});

describe('values, ids and addresses', () => {
  shows(
    'dates',
    { text: ['2019-04-01', ''], object: [{ year: 2019, month: 4, day: 1 }, ''] },
    async () => await Promise.all(['1', '4'].map((id) => val('301', id, 'Customer Since'))),
  );

  shows(
    'numbers',
    { string: ['1234567.50', '292'], number: ['1234567.50', 292], separators: ['1,234,567.50', '292'] },
    async () => {
      await client.update('301', '2', { '{{Credit Limit}}': '1234567.50' });
      return [await val('301', '2', 'Credit Limit'), await val('302', '1', 'Total')];
    },
  );

  it('ids number', async () => {
    await set({ ids: 'number' });
    expect(await val('302', '1', 'ID')).toBe(1);
    expect((await within('302', 'Created by', 'users'))[0]?.id).toBe(1001);
    expect((await within('302', 'Attachments', 'attach'))[0]?.id).toEqual(anyNumber());
    expect((await client.ok('get_app', { app_id: '302' })).id).toBe(302);
    expect(await insertItem()).toEqual({ status: 'ok', ID: 5 });
    expect((await client.list('list_applabels'))[1]).toMatchObject({ id: 2, parent_id: 1 });
  });

  it('counts number', async () => {
    await set({ counts: 'number' });
    expect(await client.call('count_data', { app_id: '301' })).toEqual({ status: 'ok', allcnt: 4 });
    expect(await val('301', '1', 'revision')).toBe(1);
    const deleted = await client.call('delete_data', { app_id: '301', data_id: '1' });
    expect(deleted).toMatchObject({ delete_count: 1 });
  });

  shows(
    'insertKey',
    Object.fromEntries(['ID', 'id', 'data_id'].map((key) => [key, { status: 'ok', [key]: '5' }])),
    insertItem,
  );

  shows(
    'rowIds',
    {
      plain: [{ data_id: '1' }, false],
      value: [{ data_id: { val: '1' } }, false],
      part: [{ 'Row ID': { val: '1', deny_write: 'on' } }, true],
      none: [{}, false],
    },
    async () => {
      const [row = {}] = await within('302', 'Lines', 'child_records');
      const { fields: found } = await client.ok('get_app', { app_id: '302' });
      const children = found?.item.find(({ name }) => name === 'Lines')?.child?.list.item ?? [];
      return [
        Object.fromEntries(Object.entries(row).filter(([key]) => /id$/i.test(key))),
        children.some(({ type, is_ref: ref }) => type === 'id' && ref === 'off'),
      ];
    },
  );

  const PAYMENT = 'Payment within 30 days.\n';
  shows(
    'downloadUrl',
    {
      absolute: [matching(/^http:\/\/127\.0\.0\.1:\d+\/cgi-bin\/dneo\/appsuite\.cgi\?/), PAYMENT],
      otherHost: [matching(/^https:\/\/files\.invalid\//), PAYMENT],
    },
    async () => {
      const url = String((await attached())?.url);
      const beside = `${client.sandbox.baseUrl}/${url.replace(/^.*\//, '')}`;
      return [url, await (await fetch(beside, authorized())).text()];
    },
  );

  it('attachmentUrlId different: the url works, but its id is not the attachment id', async () => {
    await set({ attachmentUrlId: 'different' });
    const { id, url } = (await attached())!;
    expect(new URL(String(url)).searchParams.get('id')).not.toBe(id);
    expect(await (await fetch(String(url), authorized())).text()).toBe(PAYMENT);
    await client.update('301', '1', { '{{Documents}}.del_attachment_id': String(id) });
    expect(await attached()).toBeUndefined();
  });

  it('headerName', async () => {
    await set({ headerName: 'X-Desknets-Auth' });
    expect((await client.fetch(listApps())).status).toBe(401);
    const headers = { 'X-Desknets-Auth': client.accessKey };
    expect((await fetch(client.sandbox.dataUrl, { method: 'POST', headers, ...listApps() })).status).toBe(
      200,
    );
  });

  shows(
    'downloadContentType',
    { file: 'text/plain', generic: 'application/octet-stream', missing: null },
    async () => (await fetch(String((await attached())?.url), authorized())).headers.get('content-type'),
  );

  it.each([
    ['refused', 'ng', undefined],
    ['ignored', 'ok', 4],
    ['misses', 'ok', 0],
  ])('equals %s on some types', async (how, status, count) => {
    await set({ equals: `${how}:textbox,number` });
    const find = (id: string, value: string, operator = '=') =>
      client.call('list_data', { app_id: '301', filter: filter({ field_id: id, operator, value }) });
    const answer = await find('101', 'Birch & Sons');
    expect([answer.status, answer.list?.item.length]).toEqual([status, count]);
    expect((await find('105', 'A')).list?.item).toHaveLength(2);
    expect((await find('101', 'Birch', 'contains')).list?.item).toHaveLength(1);
  });

  it('equals misses on all types', async () => {
    await set({ equals: 'misses:*' });
    const narrowed = filter({ field_id: '105', operator: '=', value: 'A' });
    expect((await client.ok('count_data', { app_id: '301', filter: narrowed })).allcnt).toBe('0');
  });

  const withValue = { val: '', error: 'unauthorized', deny_write: 'on' };
  const alone = { error: 'unauthorized' };
  shows('partErrors', { withValue: [withValue, withValue], alone: [alone, alone] }, async () => {
    await client.sandbox.setUser('1001', { rights: { customers: { parts: { Company: 'none' } } } });
    return [(await client.record('301', '1')).Company, (await first())?.Company];
  });
});

describe('writing', () => {
  it('unknownPart ignored: writing under the wrong key adds an empty record', async () => {
    await set({ unknownPart: 'ignored' });
    const parts = [{ name: 'A', type: 'textbox' }];
    const { id } = await client.sandbox.createApplication({ name: 'U', parts });
    await client.insert(id, { '{{a}}': 'x' });
    expect((await client.sandbox.records(id))[0]?.values).toEqual({});
  });

  shows('severalFiles', { all: ['a.txt', 'b.txt', 'c.txt'], first: ['a.txt'], last: ['c.txt'] }, async () => {
    const photos = ['a', 'b', 'c'].map((name) => file(`${name}.txt`, name));
    const id = await client.insert('303', { '{{Item No}}': 'x', '{{Photos}}': photos });
    return (await within('303', 'Photos', 'attach', id)).map(({ attachdisp }) => attachdisp);
  });

  shows('omittedChild', { kept: ['Drill press', '1290', '7'], emptied: ['', '', '7'] }, async () => {
    const [row] = await within('302', 'Lines', 'child_records', '2');
    const lines = JSON.stringify([{ data_id: row?.data_id, Quantity: 7 }]);
    await client.update('302', '2', { '{{Lines}}': lines });
    const [then] = (await within('302', 'Lines', 'child_records', '2')) as Record<string, PartValue>[];
    return ['Item', 'Price', 'Quantity'].map((name) => then?.[name]?.val);
  });

  shows(
    'multiDelete',
    {
      part: ['ok', '2', ['2', '4']],
      all: ['ng', undefined, ['2', '4']],
      none: ['ng', undefined, ['1', '2', '3', '4']],
    },
    async () => {
      await client.sandbox.setUser('1001', { rights: { customers: { records: { 2: { delete: false } } } } });
      const answer = await client.call('delete_data', { app_id: '301', data_id: '1,2,3' });
      const left = (await client.sandbox.records('301')).map(({ id }) => id);
      return [answer.status, answer.delete_count, left];
    },
  );

  it('deleteIds limits the ids of one call', async () => {
    await set({ deleteIds: 2 });
    expect((await client.call('delete_data', { app_id: '301', data_id: '1,2,3' })).status).toBe('ng');
    expect((await client.call('delete_data', { app_id: '301', data_id: '1,2' })).status).toBe('ok');
  });

  const wrong = [
    ...[{ noSuchSwitch: 1 }, { emptyList: 'odd' }, { queueLength: -1 }, { headerName: '' }, { equals: 5 }],
  ];
  it.each(wrong)('refuses %j and changes nothing', async (changes) => {
    await expect(set({ singleItem: 'object', ...changes })).rejects.toThrow('error');
    expect(await client.list('list_data', { app_id: '301', keyword: 'Riverton' })).toHaveLength(1);
  });
});
