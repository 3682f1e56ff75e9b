import { type ICredentialDataDecryptedObject, sleep } from 'n8n-workflow';

import { useCredentialPlace } from './support/credentialPlace';
import { OtherServer } from './support/otherServer';

const place = useCredentialPlace();

describe('a credential that works', () => {
  test('is tested with one small call', async () => {
    expect(await place.test()).toEqual({ status: 'OK', message: 'Connection successful' });
    const [call, ...more] = await place.sandbox.log();
    expect(more).toEqual([]);
    expect(call).toMatchObject({ action: 'list_apps', outcome: 'ok' });
  });

  test.each<[string, (base: string) => string]>([
    ['with a slash', (base) => `${base}/`],
    ['of a module', (base) => `${base}/dneo.cgi`],
    ['of a module with a query', (base) => `${base}/dneo.cgi?cmd=portal#top`],
    ['of the data module', (base) => `${base}/appsr.cgi`],
    ['with spaces around it', (base) => `  ${base} `],
  ])('accepts a pasted address %s', async (_, address) => {
    expect((await place.test({ baseUrl: address(place.sandbox.baseUrl) })).status).toBe('OK');
  });

  test('sends the key in the chosen header', async () => {
    await place.sandbox.setDialect({ headerName: 'X-Desknets-Auth' });
    expect((await place.test({ authHeaderName: 'X-Desknets-Auth' })).status).toBe('OK');
    expect(await place.failure()).toMatch(/did not accept the access key/);
  });

  test('may name a time zone', async () => {
    expect((await place.test({ timeZone: ' Asia/Tokyo ' })).status).toBe('OK');
  });

  test('passes a web server in front that asks for HTTP Basic', async () => {
    await place.sandbox.setDialect({ basicAuth: 'n8n:pass:wörd' });
    const sentence = /^The web server in front of the service asks for a user name and a password of its own/;
    expect(await place.failure()).toMatch(sentence);
    expect(await place.failure({ basicUser: 'n8n', basicPassword: 'wrong' })).toMatch(sentence);
    const basic = { basicUser: 'n8n', basicPassword: 'pass:wörd' };
    expect((await place.test(basic)).status).toBe('OK');
    expect(await place.failure({ ...basic, accessKey: 'wrong-key-123' })).toMatch(
      /^The service did not accept the access key/,
    );
  });

  test('works even if there is no application', async () => {
    await place.sandbox.setDialect({ emptyList: 'error' });
    for (const { id } of [301, 302, 303, 304].map((number) => ({ id: String(number) })))
      await place.sandbox.removeApplication(id);
    expect((await place.test()).status).toBe('OK');
    await place.sandbox.reset();
  });
});

describe('one sentence for each cause', () => {
  test('a wrong path', async () => {
    const message = await place.failure({ baseUrl: `${place.sandbox.baseUrl}/elsewhere` });
    expect(message).toMatch(
      /^There is no application-data service at http:.*\/elsewhere\/appsr\.cgi \(HTTP 404\)\. Check the base URL.*Enter it as in the browser/,
    );
  });

  test.each([
    ['Mars', /^"Time Zone" of the credential must be the name of a time zone, not "Mars"\. Enter a name/],
    ['Tokyo', /not "Tokyo"\. Enter a name such as Asia\/Tokyo/],
  ])('a time zone that does not exist: %s', async (timeZone, message) => {
    await place.sandbox.setFaults([]);
    const before = (await place.sandbox.log()).length;
    expect(await place.failure({ timeZone })).toMatch(message);
    expect((await place.sandbox.log()).length).toBe(before);
  });

  test('a wrong data module', async () => {
    expect(await place.failure({ dataModule: 'apps.cgi' })).toMatch(/HTTP 404.*the data module/);
  });

  test('a login page', async () => {
    const page = 'The service answered with a login page instead of data. Check the access key';
    expect(await place.failure({ dataModule: 'dneo.cgi' })).toContain(page);
    await place.sandbox.setDialect({ badKey: 'login-page' });
    expect(await place.failure({ accessKey: 'wrong-key-123' })).toContain(page);
  });

  test('another web page', async () => {
    const server = await place.other({ body: '<!DOCTYPE html><html><body>Welcome</body></html>' });
    expect(await place.failure({ baseUrl: server.origin })).toMatch(
      /^A web page answered at http:.*\/appsr\.cgi instead/,
    );
  });

  test('something that is no answer of the service', async () => {
    const server = await place.other({ body: '{"ok":true}' });
    expect(await place.failure({ baseUrl: server.origin })).toMatch(
      /^The service sent an incomplete or unreadable answer/,
    );
  });

  test('an ng answer', async () => {
    await place.sandbox.setFaults([{ kind: 'ng', errorno: -10008, message: 'No right to access' }]);
    expect(await place.failure()).toMatch(/^The service refused: No right to access.*10008/);
  });

  test.each(['401', '401-empty', '403', '403-empty'])('a refused key, answered %s', async (badKey) => {
    await place.sandbox.setDialect({ badKey });
    expect(await place.failure({ accessKey: 'wrong-key-123' })).toMatch(
      /^The service did not accept the access key.*Check the access key and the authentication header name/,
    );
  });

  test('a key that is switched off', async () => {
    expect(await place.failure({ accessKey: 'sandbox-key-former' })).toMatch(/did not accept the access key/);
  });

  test('a refused connection', async () => {
    const server = await OtherServer.start();
    await server.stop();
    expect(await place.failure({ baseUrl: server.origin })).toBe(
      `Nothing answers at ${server.origin}. Check host and port of the base URL, whether the service is running, and whether a firewall blocks the connection.`,
    );
  });

  test('an unknown host', async () => {
    expect(await place.failure({ baseUrl: 'http://no-such-host.invalid/cgi-bin/' })).toMatch(
      /^The host of http:\/\/no-such-host\.invalid is not known\. Check the spelling/,
    );
  });

  test('a connection that breaks', async () => {
    await place.sandbox.setFaults([{ kind: 'drop', when: 'before' }]);
    expect(await place.failure()).toMatch(/^The connection to .* was lost before an answer came/);
  });

  describe('after the twenty seconds for which a person waits,', () => {
    afterEach(() => void jest.restoreAllMocks());

    test('a busy service', async () => {
      const wait = new AbortController();
      jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(wait.signal);
      await place.sandbox.setFaults([{ kind: 'status', status: 429, retryAfter: 1 }]);
      const message = place.failure();
      // The credential test requests again only after it has read the first refusal.
      while ((await place.sandbox.log()).length < 2) await sleep(5);
      wait.abort(new DOMException('The twenty seconds are over', 'TimeoutError'));
      expect(await message).toMatch(/^The service is busy \(HTTP 429\)/);
    });

    test('one for which others wait', async () => {
      jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
      expect(await place.failure()).toMatch(/ did not answer in time\. Try again later: other executions/);
    });
  });

  test('a redirect, which is not followed: the other host receives nothing', async () => {
    const server = await place.other();
    await place.sandbox.setFaults([{ kind: 'redirect', location: `${server.origin}/appsr.cgi` }]);
    const message = await place.failure();
    expect(message).toMatch(/^The service redirects to another address \(HTTP 302\)/);
    expect(message).toContain(`${server.origin}/appsr.cgi`);
    expect(server.seen).toEqual([]);
  });

  test.each<[string, ICredentialDataDecryptedObject, RegExp]>([
    ['no base URL', { baseUrl: ' ' }, /^The base URL is empty/],
    ['no address', { baseUrl: 'example.com/dneo' }, /is not a web address.*must start with https/],
    [
      'a password in the address',
      { baseUrl: 'https://me:pw@example.com/' },
      /contains a user name or password/,
    ],
    ['no key', { accessKey: '' }, /^The access key is empty/],
    ['a key with a line break', { accessKey: 'abc\ndef' }, /characters that an access key cannot have/],
    [
      'a header name with a colon',
      { authHeaderName: 'X-Service-Auth:' },
      /cannot be the name of an HTTP header/,
    ],
    ['a module with a path', { dataModule: '../appsr.cgi' }, /is not a file name/],
    ['the directory above as module', { dataModule: '..' }, /is not a file name/],
    [
      'a web server without its password',
      { basicUser: 'n8n' },
      /^Only one of the web server's user and password/,
    ],
    [
      'both passwords in one header',
      { basicUser: 'n8n', basicPassword: 'x', authHeaderName: 'Authorization' },
      /cannot both be sent in the header Authorization/,
    ],
  ])('%s', async (_, changes, sentence) => {
    expect(await place.failure(changes)).toMatch(sentence);
    expect(await place.sandbox.log()).toEqual([]);
  });
});
