import { containing, anyNumber } from './support/matchers';
import { bodyOf, fields, inner, permissions, useClient } from './support/serviceCall';

/** interface.md, "Common request conventions" and "Errors". */
const client = useClient();

describe('requests', () => {
  it('accepts GET, urlencoded and multipart', async () => {
    const parameters = { action: 'count_data', app_id: '@customers' };
    const get = await client.fetch({ method: 'GET', query: `?${String(new URLSearchParams(parameters))}` });
    expect(await get.json()).toEqual({ status: 'ok', allcnt: '4' });
    const form = new FormData();
    for (const [name, value] of Object.entries(parameters)) form.append(name, value);
    expect(await (await client.fetch({ body: form })).json()).toEqual({ status: 'ok', allcnt: '4' });
    expect(await client.call('count_data', { app_id: '301' })).toEqual({ status: 'ok', allcnt: '4' });
  });

  it('answers JSON in UTF-8, with HTTP status 200 also for a failure', async () => {
    const response = await client.fetch({ body: bodyOf({ action: 'nothing' }) });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/application\/json.*utf-8/i);
  });

  it.each(['PUT', 'DELETE', 'PATCH'])('the method %s is refused', async (method) => {
    const answer = await (await client.fetch({ method, body: bodyOf({ action: 'list_apps' }) })).json();
    expect(answer).toMatchObject({ status: 'ng', errormessage: containing(method) });
  });

  it.each(['application/json', 'text/plain', 'application/xml'])(
    'the content type %s is refused',
    async (type) => {
      const headers = { 'content-type': type };
      const answer = await (await client.fetch({ headers, body: '{"action":"list_apps"}' })).json();
      expect(answer).toMatchObject({ status: 'ng', errormessage: containing(type) });
    },
  );

  it.each([
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="action"\r\n\r\nlist'],
    ['multipart/form-data; boundary=b', 'garbage'],
  ])('a broken body as %s is refused', async (type, body) => {
    const answer = await (await client.fetch({ headers: { 'content-type': type }, body })).json();
    expect(answer).toMatchObject({ status: 'ng', errorno: anyNumber() });
  });

  it('another path is answered with 404 and HTML', async () => {
    const { origin } = new URL(client.sandbox.baseUrl);
    for (const path of ['/cgi-bin/dneo/other.cgi', '/dneo/appsr.cgi']) {
      const response = await fetch(`${origin}${path}`, { method: 'POST' });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toContain('text/html');
    }
  });

  it('the module that people open in a browser returns a login page', async () => {
    const response = await fetch(`${client.sandbox.baseUrl}/dneo.cgi`);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(await response.text()).toContain('Login');
  });
});

describe('Part identifier mode', () => {
  it('reads by identifier and leaves out parts without one', async () => {
    const record = await client.record('@requests', '1');
    const parts =
      'request_id updated_at subject reason amount needed_by approvers positions quotation revision';
    expect(Object.keys(record)).toEqual([...parts.split(' '), permissions]);
    const [row] = inner(record.positions, 'child_records');
    expect(row).toMatchObject({ article: { val: 'Monitor 27"' }, pieces: { val: '1' } });
  });

  it('leaves them out of a list, even if the list names them', async () => {
    const [item] = await client.list('list_data', {
      app_id: '304',
      fields: fields('Subject', 'Internal Remark'),
    });
    expect(Object.keys(item ?? {})).toEqual(['subject', permissions]);
  });

  it('writes by identifier, in rows as well', async () => {
    const id = await client.insert('304', {
      '{{subject}}': 'Chair',
      '{{positions}}': '[{"article":"Chair"}]',
    });
    const record = (await client.sandbox.records('304')).find((one) => one.id === id);
    expect(record?.values).toMatchObject({ Subject: 'Chair', Positions: [{ Article: 'Chair' }] });
  });

  it('returns no record ID if the ID part has no identifier', async () => {
    const { id } = await client.sandbox.createApplication({
      name: 'No id',
      partIdentifierMode: true,
      parts: [{ name: 'A', type: 'textbox', identifier: 'a' }],
      records: [{ A: 'x' }],
    });
    const [item] = await client.list('list_data', { app_id: id });
    expect(Object.keys(item ?? {})).toEqual(['a', 'revision', permissions]);
  });
});

it('Errors have a number, a text with severity and code, and the part at fault', async () => {
  expect(await client.update('302', '1', { '{{Ordered On}}': 'soon' })).toEqual({
    status: 'ng',
    errorno: -10042,
    errormessage: 'W:The part {{Ordered On}} takes a date as yyyy-MM-dd, not "soon" [W10042]',
    errmsgadd: '{{Ordered On}}',
  });
});
