import type { IHttpRequestOptions } from 'n8n-workflow';

import { authenticateRequest } from '../../../../nodes/ApplicationDataService/service/http/credentials';

const credential = {
  baseUrl: 'https://host.example/dneo/dneo.cgi',
  accessKey: ' key-1 ',
  authHeaderName: 'X-Desknets-Auth',
};

describe('authenticateRequest', () => {
  it('puts the key into the header and keeps the other headers', () => {
    const options = authenticateRequest(credential, {
      url: 'https://host.example/dneo/appsr.cgi',
      method: 'POST',
      headers: { accept: 'application/json' },
    });
    expect(options).toMatchObject({
      method: 'POST',
      headers: { accept: 'application/json', 'X-Desknets-Auth': 'key-1' },
      disableFollowRedirect: true,
    });
    expect(options.skipSslCertificateValidation).toBeUndefined();
  });

  it('uses the documented header by default', () => {
    const { headers } = authenticateRequest(
      { ...credential, authHeaderName: '' },
      { url: 'https://host.example/' },
    );
    expect(headers).toEqual({ 'X-Service-Auth': 'key-1' });
  });

  it('skips certificate checks only on request', () => {
    const options = authenticateRequest(
      { ...credential, allowUnauthorizedCerts: true },
      { url: 'https://host.example/' },
    );
    expect(options.skipSslCertificateValidation).toBe(true);
  });

  it("understands the HTTP Request node, which passes 'uri' and no headers", () => {
    const request = { uri: 'https://host.example/dneo/appsr.cgi' } as unknown as IHttpRequestOptions;
    expect(authenticateRequest(credential, request).headers).toEqual({ 'X-Desknets-Auth': 'key-1' });
  });

  test.each<[string, Record<string, string>]>([
    ['another host', { url: 'https://evil.example/' }],
    ['another host as uri', { uri: 'https://evil.example/' }],
    ['one of two on another host', { url: 'https://host.example/', uri: 'https://evil.example/' }],
    ['another base', { baseURL: 'https://evil.example/', url: '/dneo/appsr.cgi' }],
    ['an address that leaves its base', { baseURL: 'https://host.example/', url: 'https://evil.example/' }],
    [
      'an address without scheme that leaves its base',
      { baseURL: 'https://host.example/', url: '//evil.example/' },
    ],
    [
      'backslashes that browsers read as slashes',
      { baseURL: 'https://host.example/', url: '/\\\\evil.example/' },
    ],
    ['no address', {}],
    ['a path without host', { url: '/dneo/appsr.cgi' }],
  ])('refuses %s', (_, request) => {
    expect(() => authenticateRequest(credential, request as unknown as IHttpRequestOptions)).toThrow(
      'only sent to https://host.example',
    );
  });

  test.each([
    [{ accessKey: '' }, 'access key is empty'],
    [{ accessKey: 'a\nb' }, 'an access key cannot have'],
    [{ accessKey: 'ключ' }, 'an access key cannot have'],
    [{ authHeaderName: 'X-Auth: abc' }, 'cannot be the name of an HTTP header'],
    [{ baseUrl: '' }, 'base URL is empty'],
  ])('refuses the credential %j', (change, words) => {
    expect(() => authenticateRequest({ ...credential, ...change }, { url: 'https://host.example/' })).toThrow(
      words,
    );
  });

  it('never shows the key', () => {
    const leak = (run: () => unknown): string => {
      try {
        run();
        return '';
      } catch (error) {
        return JSON.stringify(error) + String(error);
      }
    };
    expect(leak(() => authenticateRequest(credential, { url: 'https://evil.example/' }))).not.toContain(
      'key-1',
    );
  });
});
