import { CredentialTestContext } from 'n8n-core';
import { type ICredentialDataDecryptedObject, type INodeCredentialTestResult, sleep } from 'n8n-workflow';

import { ApplicationDataService } from '../../nodes/ApplicationDataService/ApplicationDataService.node';
import { Sandbox } from '../support/sandbox';
import { OtherServer, selfSigned } from './support/otherServer';

/** n8n's button that tests a credential. The sentence for each answer: test/unit/service/http. */
let sandbox: Sandbox;
const others: OtherServer[] = [];

beforeAll(async () => void (sandbox = await Sandbox.borrow()));
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(others.splice(0).map(async (server) => await server.stop()));
  await sandbox.reset();
});
afterAll(async () => await sandbox.stop());

/** Starts a server other than the service, until the end of the test. */
async function other(...args: Parameters<typeof OtherServer.start>): Promise<OtherServer> {
  others.push(await OtherServer.start(...args));
  return others.at(-1)!;
}

/** The result of the button, which never contains the access key. */
async function tested(changes: ICredentialDataDecryptedObject = {}): Promise<INodeCredentialTestResult> {
  const data = {
    ...{ baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey, authHeaderName: 'X-Service-Auth' },
    ...{ dataModule: 'appsr.cgi', allowUnauthorizedCerts: false, ...changes },
  };
  const { applicationDataServiceApiTest } = new ApplicationDataService().methods.credentialTest;
  const context = new CredentialTestContext({} as ConstructorParameters<typeof CredentialTestContext>[0]);
  const credential = { id: '1', name: 'Test', type: 'applicationDataServiceApi', data };
  const result = await applicationDataServiceApiTest.call(context, credential);
  expect(JSON.stringify(result)).not.toContain(String(data.accessKey).trim() || 'no key');
  return result;
}

async function failure(changes?: ICredentialDataDecryptedObject): Promise<string> {
  const { status, message } = await tested(changes);
  expect(status).toBe('Error');
  return message;
}

describe('a credential that works', () => {
  test('is tested with one small call', async () => {
    const baseUrl = `  ${sandbox.baseUrl}/dneo.cgi?cmd=portal#top `;
    expect(await tested({ baseUrl, timeZone: ' Asia/Tokyo ' })).toEqual({
      status: 'OK',
      message: 'Connection successful',
    });
    expect(await sandbox.log()).toMatchObject([{ action: 'list_apps', outcome: 'ok' }]);
  });

  test('sends the key in the chosen header', async () => {
    await sandbox.setDialect({ headerName: 'X-Desknets-Auth' });
    expect((await tested({ authHeaderName: 'X-Desknets-Auth' })).status).toBe('OK');
    expect(await failure()).toMatch(
      /^The service did not accept the access key.*Check the access key and the authentication header name/,
    );
  });

  test('passes a web server in front that asks for HTTP Basic', async () => {
    await sandbox.setDialect({ basicAuth: 'n8n:pass:wörd' });
    const sentence = /^The web server in front of the service asks for a user name and a password of its own/;
    expect(await failure()).toMatch(sentence);
    expect(await failure({ basicUser: 'n8n', basicPassword: 'wrong' })).toMatch(sentence);
    const basic = { basicUser: 'n8n', basicPassword: 'pass:wörd' };
    expect((await tested(basic)).status).toBe('OK');
    expect(await failure({ ...basic, accessKey: 'wrong-key-123' })).toMatch(/^The service did not accept/);
  });

  test('works even if there is no application', async () => {
    await sandbox.setDialect({ emptyList: 'error' });
    for (const id of ['301', '302', '303', '304']) await sandbox.removeApplication(id);
    expect((await tested()).status).toBe('OK');
  });
});

describe('one sentence for each cause', () => {
  test('a refused connection', async () => {
    const { origin } = await other();
    await others.pop()!.stop();
    expect(await failure({ baseUrl: origin })).toBe(
      `Nothing answers at ${origin}. Check host and port of the base URL, whether the service is running, and whether a firewall blocks the connection.`,
    );
  });

  test('a busy service, after the twenty seconds for which a person waits', async () => {
    const wait = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(wait.signal);
    await sandbox.setFaults([{ kind: 'status', status: 429, retryAfter: 1 }]);
    const message = failure();
    // The credential test requests again only after it has read the first refusal.
    while ((await sandbox.log()).length < 2) await sleep(5);
    wait.abort(new DOMException('The twenty seconds are over', 'TimeoutError'));
    expect(await message).toMatch(/^The service is busy \(HTTP 429\)/);
  });

  test('one for which others wait, likewise', async () => {
    jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
    expect(await failure()).toMatch(/ did not answer in time\. Try again later: other executions/);
  });
});

describe('https', () => {
  test('an address without it is reported as such', async () => {
    const { host } = new URL(sandbox.baseUrl);
    const message = await failure({ baseUrl: `https://${host}/cgi-bin/dneo` });
    expect(message).toContain(`This address does not speak https; try http://${host}/cgi-bin/dneo/`);
    expect(message).not.toMatch(/certificate|SSL/);
  });

  test('that alone is accepted is a guess if the connection is closed, and no key is received', async () => {
    const server = await other({}, selfSigned());
    const message = await failure({ baseUrl: `http://${new URL(server.origin).host}/cgi-bin/dneo` });
    expect(message).toContain('the address may speak https only: start the base URL with https://');
    expect(server.seen).toEqual([]);
  });

  test.each([
    '<html><center>The plain HTTP request was sent to HTTPS port</center></html>',
    'Client sent an HTTP request to an HTTPS server.\n',
    'Bad Request\nThis combination of host and port requires TLS.\n',
  ])('that alone is accepted is reported by the own words of the server (%#)', async (body) => {
    const server = await other({ status: 400, body, headers: { 'content-type': 'text/html' } });
    expect(await failure({ baseUrl: `${server.origin}/dneo/dneo.cgi` })).toContain(
      `This address speaks https; try https://${new URL(server.origin).host}/dneo/`,
    );
  });

  test('a certificate that is not trusted is named, and accepted once the option is on', async () => {
    const server = await other({}, selfSigned());
    const message = await failure({ baseUrl: server.origin });
    expect(message).toMatch(
      /^The certificate of https:\/\/127\.0\.0\.1:\d+ is not trusted \(\w*SELF_SIGNED\w*\).*Ignore SSL Issues/,
    );
    expect(server.seen).toEqual([]);
    expect((await tested({ baseUrl: server.origin, allowUnauthorizedCerts: true })).status).toBe('OK');
    expect(server.seen).toHaveLength(1);
  });
});
