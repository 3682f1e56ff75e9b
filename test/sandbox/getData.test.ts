import { file, inner, ServiceClient, useClient } from './support/serviceCall';

/** interface.md, "get_data (data reference)", "download_data_file", part-level errors. */
describe('get_data', () => {
  const client = useClient();

  it('leaves reference lists empty with load_rel_list off', async () => {
    const rows = async (load: string) =>
      inner((await client.record('301', '1', { load_rel_list: load })).Orders, 'child_records');
    expect(await rows('off')).toEqual([]);
    expect(await rows('on')).toHaveLength(2);
    const answer = await client.call('get_data', { app_id: '301', data_id: '1', load_rel_list: 'maybe' });
    expect(answer.errormessage).toContain('load_rel_list');
  });

  describe('Part-level errors', () => {
    it('reference_error: the source application is gone or stopped', async () => {
      await client.sandbox.changeApplication('customers', { status: 'stopped' });
      const record = await client.record('302', '1');
      expect(record.Customer).toEqual({ val: '', error: 'reference_error', deny_write: 'on' });
      await client.sandbox.removeApplication('customers');
      expect((await client.record('302', '1')).Customer).toMatchObject({ error: 'reference_error' });
    });

    it('under_maintenance: the source application is under maintenance', async () => {
      await client.sandbox.changeApplication('customers', { status: 'maintenance' });
      expect((await client.record('302', '1')).Customer).toMatchObject({ error: 'under_maintenance' });
    });

    it('under_maintenance also of a reference list', async () => {
      await client.sandbox.changeApplication('orders', { status: 'maintenance' });
      expect((await client.record('301', '1')).Orders).toMatchObject({ error: 'under_maintenance' });
    });

    it('unauthorized: a part the user may not read', async () => {
      const record = await client.as('sandbox-key-braun').record('301', '1');
      expect(record['Credit Limit']).toEqual({ val: '', error: 'unauthorized', deny_write: 'on' });
    });

    it('a reference that finds nothing is empty, without an error', async () => {
      const id = await client.insert('302', { '{{Order No}}': 'x', '{{Customer ID}}': '77' });
      expect((await client.record('302', id)).Customer).toEqual({ val: '', deny_write: 'on' });
    });
  });
});

describe('download_data_file', () => {
  let client: ServiceClient;
  let url: string;
  const bytes = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 31) % 256);

  beforeAll(async () => {
    client = await ServiceClient.start();
    const id = await client.insert('301', {
      '{{Company}}': 'X',
      '{{Documents}}': file('größe.bin', bytes, 'application/x-thing'),
    });
    const [attached] = inner((await client.record('301', id)).Documents, 'attach');
    url = String(attached?.url);
  });
  afterAll(() => client.sandbox.stop());

  it('returns the body of the file, by GET with the header', async () => {
    const response = await fetch(url, { headers: { 'X-Service-Auth': client.accessKey } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-thing');
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
  });

  it('accepts the key as a parameter, by GET and by POST', async () => {
    const withKey = await fetch(`${url}&access_key=${client.accessKey}`);
    expect((await withKey.arrayBuffer()).byteLength).toBe(bytes.length);
    const [address = '', query] = url.split('?');
    const body = new URLSearchParams(query);
    body.set('access_key', client.accessKey);
    const posted = await fetch(address, { method: 'POST', body });
    expect((await posted.arrayBuffer()).byteLength).toBe(bytes.length);
  });

  it('is refused without a key', async () => {
    expect((await fetch(url)).status).toBe(401);
  });

  it.each([
    ['app_id=301', 'app_id=999', 'app_id'],
    ['field_id=116', 'field_id=101', 'field_id'],
    [/&id=\d+/, '&id=99999', 'id'],
    [/&id=\d+/, '', 'id'],
    ['action=download_data_file', 'action=get_data', 'action'],
  ])('with %s changed to %s is refused', async (from, to, named) => {
    const response = await fetch(url.replace(from, to), { headers: { 'X-Service-Auth': client.accessKey } });
    const answer = (await response.json()) as { status: string; errormessage: string };
    expect(answer.status).toBe('ng');
    expect(answer.errormessage).toContain(named);
  });

  it('no longer exists after its record was deleted', async () => {
    const id = await client.insert('301', { '{{Company}}': 'Y', '{{Documents}}': file('a.txt', 'a') });
    const [attached] = inner((await client.record('301', id)).Documents, 'attach');
    await client.ok('delete_data', { app_id: '301', data_id: id });
    const response = await fetch(String(attached?.url), { headers: { 'X-Service-Auth': client.accessKey } });
    expect(await response.json()).toMatchObject({ status: 'ng' });
  });
});
