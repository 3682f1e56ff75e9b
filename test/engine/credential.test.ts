import { CredentialTestContext } from 'n8n-core';
import { type ICredentialDataDecryptedObject, type INodeCredentialTestResult, sleep } from 'n8n-workflow';

import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { Sandbox } from '../support/sandbox';
import { OtherServer, selfSigned } from './support/otherServer';

let sandbox: Sandbox;
const others: OtherServer[] = [];

beforeAll(async () => {
  sandbox = await Sandbox.borrow();
});

afterEach(async () => {
  await Promise.all(others.splice(0).map(async (server) => await server.stop()));
  await sandbox.resetDialect();
  await sandbox.clearFaults();
  await sandbox.clearLog();
});

afterAll(async () => await sandbox.stop());

async function other(...args: Parameters<typeof OtherServer.start>): Promise<OtherServer> {
  const server = await OtherServer.start(...args);
  others.push(server);
  return server;
}

/** Tests a credential as n8n's button does. */
async function testCredential(
  changes: ICredentialDataDecryptedObject = {},
): Promise<INodeCredentialTestResult> {
  const data = {
    baseUrl: sandbox.baseUrl,
    accessKey: sandbox.accessKey,
    authHeaderName: 'X-Service-Auth',
    dataModule: 'appsr.cgi',
    allowUnauthorizedCerts: false,
    ...changes,
  };
  const { applicationDataServiceApiTest } = new ApplicationDataService().methods.credentialTest;
  const context = new CredentialTestContext({} as ConstructorParameters<typeof CredentialTestContext>[0]);
  const result = await applicationDataServiceApiTest.call(context, {
    id: '1',
    name: 'Test',
    type: 'applicationDataServiceApi',
    data,
  });
  expect(JSON.stringify(result)).not.toContain(String(data.accessKey).trim() || 'no key');
  return result;
}

const failed = async (changes: ICredentialDataDecryptedObject = {}): Promise<string> => {
  const { status, message } = await testCredential(changes);
  expect(status).toBe('Error');
  return message;
};

describe('a credential that works', () => {
  test('is tested by one small call', async () => {
    expect(await testCredential()).toEqual({ status: 'OK', message: 'Connection successful' });
    const [call, ...more] = await sandbox.log();
    expect(more).toEqual([]);
    expect(call).toMatchObject({ action: 'list_apps', outcome: 'ok' });
  });

  test.each<[string, (base: string) => string]>([
    ['with a slash', (base) => `${base}/`],
    ['of a module', (base) => `${base}/dneo.cgi`],
    ['of a module with a query', (base) => `${base}/dneo.cgi?cmd=portal#top`],
    ['of the data module', (base) => `${base}/appsr.cgi`],
    ['with spaces around it', (base) => `  ${base} `],
  ])('takes a pasted address %s', async (_, address) => {
    expect((await testCredential({ baseUrl: address(sandbox.baseUrl) })).status).toBe('OK');
  });

  test('sends the key in the header that is named', async () => {
    await sandbox.setDialect({ headerName: 'X-Desknets-Auth' });
    expect((await testCredential({ authHeaderName: 'X-Desknets-Auth' })).status).toBe('OK');
    expect(await failed()).toMatch(/did not accept the access key/);
  });

  test('holds although there is no application', async () => {
    await sandbox.setDialect({ emptyList: 'error' });
    for (const { id } of [301, 302, 303, 304].map((number) => ({ id: String(number) })))
      await sandbox.removeApplication(id);
    expect((await testCredential()).status).toBe('OK');
    await sandbox.reset();
  });
});

describe('one sentence for each cause', () => {
  test('a wrong path', async () => {
    const message = await failed({ baseUrl: `${sandbox.baseUrl}/elsewhere` });
    expect(message).toMatch(
      /^There is no application-data service at this address \(HTTP 404\)\. Check the base URL/,
    );
  });

  test('a wrong data module', async () => {
    expect(await failed({ dataModule: 'apps.cgi' })).toMatch(/HTTP 404.*the data module/);
  });

  test('a login page', async () => {
    const page = 'The service answered with a login page instead of data. Check the access key';
    expect(await failed({ dataModule: 'dneo.cgi' })).toContain(page);
    await sandbox.setDialect({ badKey: 'login-page' });
    expect(await failed({ accessKey: 'wrong-key-123' })).toContain(page);
  });

  test('some other web page', async () => {
    const server = await other({ body: '<!DOCTYPE html><html><body>Welcome</body></html>' });
    expect(await failed({ baseUrl: server.origin })).toMatch(/^A web page answered instead/);
  });

  test('something that is no answer of the service', async () => {
    const server = await other({ body: '{"ok":true}' });
    expect(await failed({ baseUrl: server.origin })).toMatch(
      /^The service sent an incomplete or unreadable answer/,
    );
  });

  test('an ng answer', async () => {
    await sandbox.setFaults([{ kind: 'ng', errorno: -10008, message: 'No right to access' }]);
    expect(await failed()).toMatch(/^The service refused: No right to access.*10008/);
  });

  test.each(['401', '401-empty', '403', '403-empty'])('a refused key, answered %s', async (badKey) => {
    await sandbox.setDialect({ badKey });
    expect(await failed({ accessKey: 'wrong-key-123' })).toMatch(
      /^The service did not accept the access key.*Check the access key and the authentication header name/,
    );
  });

  test('a key that is switched off', async () => {
    expect(await failed({ accessKey: 'sandbox-key-former' })).toMatch(/did not accept the access key/);
  });

  test('a refused connection', async () => {
    const server = await OtherServer.start();
    await server.stop();
    expect(await failed({ baseUrl: server.origin })).toBe(
      `Nothing answers at ${server.origin}. Check host and port of the base URL, whether the service is running, and whether a firewall blocks the connection.`,
    );
  });

  test('an unknown host', async () => {
    expect(await failed({ baseUrl: 'http://no-such-host.invalid/cgi-bin/' })).toMatch(
      /^The host of http:\/\/no-such-host\.invalid is not known\. Check the spelling/,
    );
  });

  test('a connection that breaks', async () => {
    await sandbox.setFaults([{ kind: 'drop', when: 'before' }]);
    expect(await failed()).toMatch(/^The connection to .* was lost before an answer came/);
  });

  describe('after the twenty seconds for which a person waits,', () => {
    afterEach(() => void jest.restoreAllMocks());

    test('a busy service', async () => {
      const wait = new AbortController();
      jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(wait.signal);
      await sandbox.setFaults([{ kind: 'status', status: 429, retryAfter: 1 }]);
      const message = failed();
      // It asks a second time only after it has understood the first refusal.
      while ((await sandbox.log()).length < 2) await sleep(5);
      wait.abort(new DOMException('The twenty seconds are over', 'TimeoutError'));
      expect(await message).toMatch(/^The service is busy \(HTTP 429\)/);
    });

    test('one that others wait for', async () => {
      jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
      expect(await failed()).toMatch(/ did not answer in time\. Try again later: other executions/);
    });
  });

  test('a redirect, which is not followed: the other host sees nothing', async () => {
    const server = await other();
    await sandbox.setFaults([{ kind: 'redirect', location: `${server.origin}/appsr.cgi` }]);
    const message = await failed();
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
  ])('%s', async (_, changes, sentence) => {
    expect(await failed(changes)).toMatch(sentence);
    expect(await sandbox.log()).toEqual([]);
  });
});

test('an address without https is named as such', async () => {
  const { host } = new URL(sandbox.baseUrl);
  const message = await failed({ baseUrl: `https://${host}/cgi-bin/dneo` });
  expect(message).toContain(`This address does not speak https; try http://${host}`);
  expect(message).not.toMatch(/certificate|SSL/);
});

describe('an address that speaks https only', () => {
  test('is named as such where it closes the connection, and is sent no key', async () => {
    const server = await other({}, selfSigned());
    const { host } = new URL(server.origin);

    const message = await failed({ baseUrl: `http://${host}/cgi-bin/dneo` });

    expect(message).toContain(`This address speaks https; try https://${host}. Start the base URL`);
    expect(server.seen).toHaveLength(1);
    expect(JSON.stringify(server.seen)).not.toContain(sandbox.accessKey);
  });

  test.each([
    '<html><center>The plain HTTP request was sent to HTTPS port</center></html>',
    'Client sent an HTTP request to an HTTPS server.\n',
    "<p>Reason: You're speaking plain HTTP to an SSL-enabled server port.</p>",
    'Bad Request\nThis combination of host and port requires TLS.\n',
  ])('is named as such by its own words (%#)', async (body) => {
    const server = await other({ status: 400, body, headers: { 'content-type': 'text/html' } });
    const { host } = new URL(server.origin);

    expect(await failed({ baseUrl: server.origin })).toContain(
      `This address speaks https; try https://${host}`,
    );
  });
});

describe('a certificate that is not trusted', () => {
  test('is named, and accepted once the switch is on', async () => {
    const server = await other({}, selfSigned());
    const message = await failed({ baseUrl: server.origin });
    expect(message).toMatch(
      /^The certificate of https:\/\/127\.0\.0\.1:\d+ is not trusted \(\w*SELF_SIGNED\w*\)/,
    );
    expect(message).toMatch(/Ignore SSL Issues/);
    expect(server.seen).toEqual([]);

    expect((await testCredential({ baseUrl: server.origin, allowUnauthorizedCerts: true })).status).toBe(
      'OK',
    );
    expect(server.seen).toHaveLength(1);
  });
});
