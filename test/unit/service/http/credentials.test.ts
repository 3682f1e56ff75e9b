import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { authenticateRequest } from '../../../../nodes/ApplicationDataService/service/http/credentials';

const CREDENTIAL = { baseUrl: 'https://host.example/dneo/dneo.cgi', accessKey: ' key-1 ' };
const URL = 'https://host.example/dneo/appsr.cgi';

const authenticate = (
  request: object = { url: URL },
  credential: ICredentialDataDecryptedObject = {},
): Record<string, unknown> =>
  authenticateRequest({ ...CREDENTIAL, ...credential }, request as IHttpRequestOptions) as never;

test.each<[string, ICredentialDataDecryptedObject, object, object]>([
  ['the documented header by default', {}, {}, { 'X-Service-Auth': 'key-1' }],
  ['an empty header name', { authHeaderName: ' ' }, {}, { 'X-Service-Auth': 'key-1' }],
  ['another header', { authHeaderName: 'X-Desknets-Auth' }, {}, { 'X-Desknets-Auth': 'key-1' }],
  ['others', {}, { accept: 'text/plain' }, { accept: 'text/plain', 'X-Service-Auth': 'key-1' }],
  ['its own, in any case, only once', {}, { 'x-service-auth': 'x' }, { 'X-Service-Auth': 'key-1' }],
  ['no other host', {}, { Host: 'other.example' }, { 'X-Service-Auth': 'key-1' }],
  [
    'HTTP Basic',
    { basicUser: 'n8n', basicPassword: 'pass:wörd' },
    { authorization: 'Bearer x' },
    {
      Authorization: `Basic ${Buffer.from('n8n:pass:wörd').toString('base64')}`,
      'X-Service-Auth': 'key-1',
    },
  ],
  ['a key in Authorization', { authHeaderName: 'Authorization' }, {}, { Authorization: 'key-1' }],
])('the headers of a request: %s', (_, credential, headers, expected) => {
  expect(authenticate({ url: URL, headers }, credential).headers).toEqual(expected);
});

describe('what could lead the key elsewhere is left out', () => {
  test.each<[string, object, object]>([
    ['a proxy', { proxy: { host: 'evil.example', port: 8080 } }, {}],
    ['a proxy as a text', { proxy: 'http://evil.example' }, {}],
    ['credentials of its own', { auth: { username: 'a', password: 'b' } }, {}],
    [
      'host, socket and checks of the agent',
      {
        agentOptions: {
          host: 'evil.example',
          port: 1,
          socketPath: '/x',
          rejectUnauthorized: false,
          ca: 'CA',
        },
      },
      { agentOptions: { ca: 'CA' } },
    ],
    [
      'redirects',
      { maxRedirects: 9, followRedirect: true, followAllRedirects: true, disableFollowRedirect: false },
      { maxRedirects: 0, followRedirect: false, followAllRedirects: false, disableFollowRedirect: true },
    ],
    [
      'credentials after a redirect',
      { sendCredentialsOnCrossOriginRedirect: true },
      { sendCredentialsOnCrossOriginRedirect: false },
    ],
    [
      'certificates that the credential does not accept',
      { skipSslCertificateValidation: true, rejectUnauthorized: false },
      { skipSslCertificateValidation: false, rejectUnauthorized: true },
    ],
  ])('%s', (_, given, expected) => {
    const options = authenticate({ url: URL, method: 'POST', ...given });
    const left = Object.fromEntries(Object.keys(given).map((name) => [name, options[name]]));
    const dropped = Object.fromEntries(Object.keys(given).map((name) => [name, undefined]));
    expect(left).toEqual({ ...dropped, ...expected });
    expect(options).toMatchObject({ url: URL, method: 'POST' });
  });

  test('but certificates that the credential accepts', () => {
    expect(authenticate(undefined, { allowUnauthorizedCerts: true })).toMatchObject({
      skipSslCertificateValidation: true,
      rejectUnauthorized: false,
    });
  });

  test.each<[string, object]>([
    ['another host', { url: 'https://evil.example/' }],
    ['a host that begins alike', { url: 'https://host.example.evil.example/' }],
    ['another host behind a user', { url: 'https://host.example@evil.example/' }],
    ['another port', { url: 'https://host.example:8443/' }],
    ['no encryption', { url: 'http://host.example/dneo/' }],
    ['another host as uri', { uri: 'https://evil.example/' }],
    ['one of two on another host', { url: URL, uri: 'https://evil.example/' }],
    ['another base', { baseURL: 'https://evil.example/', url: '/dneo/appsr.cgi' }],
    ['an address that leaves its base', { baseURL: 'https://host.example/', url: 'https://evil.example/' }],
    [
      'an address without scheme that leaves it',
      { baseURL: 'https://host.example/', url: '//evil.example/' },
    ],
    ['backslashes read as slashes', { baseURL: 'https://host.example/', url: '/\\\\evil.example/' }],
    ['no address', {}],
    ['a path without host', { url: '/dneo/appsr.cgi' }],
  ])('%s is refused', (_, request) => {
    expect(() => authenticate(request)).toThrow('only sent to https://host.example');
  });

  test.each([{ uri: URL }, { url: 'https://HOST.example:443/' }])(
    "n8n's HTTP Request node, which passes 'uri', may call the service: %o",
    (request) => {
      expect(authenticate(request).headers).toEqual({ 'X-Service-Auth': 'key-1' });
    },
  );
});

test.each<[ICredentialDataDecryptedObject, string]>([
  [{ accessKey: '' }, 'access key is empty'],
  [{ accessKey: 'a\nb' }, 'an access key cannot have'],
  [{ accessKey: 'ключ' }, 'an access key cannot have'],
  [{ authHeaderName: 'X-Auth: abc' }, 'cannot be the name of an HTTP header'],
  [{ baseUrl: '' }, 'base URL is empty'],
  [{ timeZone: 'Mars/Olympus' }, 'must be the name of a time zone'],
  [{ basicUser: 'n8n' }, "Only one of the web server's user and password"],
  [{ basicPassword: 'x' }, "Only one of the web server's user and password"],
  [{ basicUser: 'a:b', basicPassword: 'x' }, 'characters that cannot be sent'],
  [{ basicUser: 'a', basicPassword: 'x\ny' }, 'characters that cannot be sent'],
  [
    { basicUser: 'a', basicPassword: 'x', authHeaderName: 'authorization' },
    'cannot both be sent in the header Authorization',
  ],
])('the credential %j is refused', (change, words) => {
  expect(() => authenticate(undefined, change)).toThrow(words);
});
