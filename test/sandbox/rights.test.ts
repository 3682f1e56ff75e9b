import { matching } from './support/matchers';
import { bodyOf, fields, filter, permissions, useClient } from './support/serviceCall';

/** interface.md, "Authentication". */
const client = useClient();

describe('Authentication', () => {
  it('refuses a missing, unknown or switched-off key', async () => {
    for (const key of ['', 'wrong', 'sandbox-key-former']) {
      const response = await client.as(key).fetch({ body: bodyOf({ action: 'list_apps' }) });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ status: 'ng' });
    }
  });

  it('accepts another key once a user has it, and refuses the old one', async () => {
    await client.sandbox.setUser('1002', { accessKey: 'fresh' });
    expect((await client.as('fresh').call('list_apps')).status).toBe('ok');
    expect((await client.as('sandbox-key-tanaka').call('list_apps')).status).toBe('ng');
  });
});

describe('Rights', () => {
  it("reports the user's rights for each record", async () => {
    const tanaka = client.as('sandbox-key-tanaka');
    const own = await tanaka.insert('301', { '{{Company}}': 'Own' });
    const items = await tanaka.list('list_data', { app_id: '301' });
    const shown = new Map(items.map((item) => [item.ID?.val, item[permissions]]));
    expect(shown.get(own)).toEqual({ allow_write: 'on', allow_delete: 'on' });
    expect(shown.get('1')).toEqual({ allow_write: 'off', allow_delete: 'off' });
    const foreign = await tanaka.record('301', '1');
    expect(
      Object.entries(foreign).every(([key, part]) => key === permissions || part.deny_write === 'on'),
    ).toBe(true);
  });

  it('refuses changes and deletions that the user is not allowed', async () => {
    const tanaka = client.as('sandbox-key-tanaka');
    expect(await tanaka.update('301', '1', { '{{Contact}}': 'x' })).toMatchObject({ status: 'ng' });
    expect(await tanaka.call('delete_data', { app_id: '301', data_id: '1' })).toMatchObject({ status: 'ng' });
    expect(
      await client.as('sandbox-key-braun').call('insert_data', { app_id: '301', '{{Company}}': 'x' }),
    ).toMatchObject({ status: 'ng' });
    expect(await client.sandbox.records('301')).toHaveLength(4);
  });

  it('hides an application that the user may not access', async () => {
    const braun = client.as('sandbox-key-braun');
    const names = (await braun.list('list_apps')).map(({ name }) => name as unknown);
    expect(names).not.toContain('Purchase Requests');
    expect(await braun.call('list_data', { app_id: '304' })).toMatchObject({
      status: 'ng',
      errorno: -10008,
      errormessage: matching(/\[W10008\]$/),
    });
  });

  it('hides records that the user may not read', async () => {
    await client.sandbox.setUser('1002', { rights: { customers: { records: { 2: { read: false } } } } });
    const tanaka = client.as('sandbox-key-tanaka');
    expect(await tanaka.column('301', 'ID')).toEqual(['1', '3', '4']);
    expect(await tanaka.column('301', 'ID', { fields: fields('ID'), offset: '1' })).toEqual(['3', '4']);
    expect((await tanaka.ok('count_data', { app_id: '301' })).allcnt).toBe('3');
    expect(await tanaka.call('get_data', { app_id: '301', data_id: '2' })).toMatchObject({ status: 'ng' });
    expect((await tanaka.record('302', '2')).Customer).toMatchObject({ error: 'unauthorized' });
  });

  it('neither shows nor finds a part that the user may not read', async () => {
    const braun = client.as('sandbox-key-braun');
    const [item] = await braun.list('list_data', { app_id: '301', fields: fields('Credit Limit') });
    expect(item?.['Credit Limit']).toEqual({ val: '', error: 'unauthorized', deny_write: 'on' });
    const narrowed = { app_id: '301', filter: filter({ field_id: '109', operator: '>=', value: '1' }) };
    expect(await braun.call('list_data', narrowed)).toMatchObject({ status: 'ng' });
    expect(await braun.call('list_data', { app_id: '301', sort_field_id: '109' })).toMatchObject({
      status: 'ng',
    });
  });

  it('lets a part be read but not written', async () => {
    await client.sandbox.setUser('1002', {
      rights: { customers: { parts: { Rank: 'read', Contact: 'none' } } },
    });
    const tanaka = client.as('sandbox-key-tanaka');
    expect((await tanaka.record('301', '1')).Rank).toEqual({ val: 'A', deny_write: 'on' });
    expect(await tanaka.update('301', '1', { '{{Rank}}': 'B' })).toMatchObject({ errmsgadd: '{{Rank}}' });
    expect(await tanaka.column('301', 'ID', { keyword: 'Lena' })).toEqual([]);
    expect((await tanaka.update('301', '1', { '{{Address}}': 'B' })).status).toBe('ok');
  });

  // A typo must not allow more than was meant.
  it.each([
    [{ customers: { parts: { 'Credit Limt': 'none' } } }, 'There is no part \\"Credit Limt\\"'],
    [{ '*': { parts: { Nowhere: 'none' } } }, 'There is no part'],
    [{ customer: { access: false } }, 'There is no application'],
    [{ customers: { acess: false } }, 'There is no right'],
    [{ customers: { read: 'mine' } }, 'must be one of: all, own, none'],
    [{ customers: { add: 'off' } }, 'add\\" must be one of'],
    [{ customers: { parts: { Company: 'hidden' } } }, 'must be one of: write, read, none'],
    [{ customers: { records: { 1: { raed: false } } } }, 'There is no right'],
  ])('refuses the rights %j', async (rights, text) => {
    await expect(client.sandbox.setUser('1002', { rights })).rejects.toThrow(text);
  });

  it('accepts rights by id, name and identifier', async () => {
    await client.sandbox.setUser('1002', {
      rights: {
        301: { parts: { 102: 'none', Company: 'read', email: 'none' } },
        302: { parts: { Item: 'read' } },
      },
    });
    const tanaka = client.as('sandbox-key-tanaka');
    const hidden = { val: '', error: 'unauthorized' };
    expect(await tanaka.record('301', '1')).toMatchObject({ Contact: hidden, 'E-mail': hidden });
  });
});
