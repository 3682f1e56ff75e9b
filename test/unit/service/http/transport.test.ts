import { unusable } from '../../../../nodes/ApplicationDataService/service/http/errors';
import { toConnectionError } from '../../../../nodes/ApplicationDataService/service/http/transport';

/** The error of the HTTP client. */
const failure = (code: string, syscall?: string): Error =>
  Object.assign(new Error('failed'), { code, syscall });

/** The error for a host with two addresses: only the failures of both name the call that failed. */
const ofEach = (code: string, ...syscalls: string[]): Error =>
  Object.assign(
    new AggregateError(
      syscalls.map((syscall) => failure(code, syscall)),
      'failed',
    ),
    { code },
  );

/** The error of n8n 1.123: the code is in `httpCode`, and the failure itself is missing. */
const inN8n1 = (httpCode: string | null): Error =>
  Object.assign(new Error('The service refused the connection'), { httpCode, cause: undefined });

test.each([
  ['by itself', failure('ECONNREFUSED', 'connect')],
  ['as a cause', new Error('n8n', { cause: failure('ECONNREFUSED', 'connect') })],
  ['in n8n 1.x', inN8n1('ECONNREFUSED')],
])('a refused connection has sent nothing: %s', (_, thrown) => {
  expect(toConnectionError(thrown)).toMatchObject({
    code: 'ECONNREFUSED',
    reason: 'refused',
    maybeSent: false,
  });
});

test.each([
  ['by itself', failure('ECONNRESET', 'read'), 'ECONNRESET'],
  ['in n8n 1.x', inN8n1('ECONNRESET'), 'ECONNRESET'],
  ['without a code', inN8n1(null), ''],
  ['with an HTTP status', inN8n1('502'), ''],
])('a lost connection may have sent something: %s', (_, thrown, code) => {
  expect(toConnectionError(thrown)).toMatchObject({ code, reason: 'dropped', maybeSent: true });
});

test('n8n 1.x: a certificate', () => {
  expect(toConnectionError(inN8n1('DEPTH_ZERO_SELF_SIGNED_CERT'))).toMatchObject({
    reason: 'certificate',
    maybeSent: false,
  });
});

test.each(['CERT_HAS_EXPIRED', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
  'a refused certificate has sent nothing: %s',
  (code) => {
    expect(toConnectionError(failure(code))).toMatchObject({ code, reason: 'certificate', maybeSent: false });
  },
);

test.each([
  ['a broken TLS connection', failure('EPROTO', 'write')],
  ['a broken record', failure('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC')],
  ['an alert', failure('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR')],
  ['a host that disappeared', failure('EHOSTUNREACH', 'read')],
  ['a network that disappeared', inN8n1('ENETUNREACH')],
  ['one of several addresses that answered', ofEach('EHOSTUNREACH', 'connect', 'read')],
])('requires proof that nothing was sent: %s', (_, thrown) => {
  expect(toConnectionError(thrown)).toMatchObject({ reason: 'dropped', maybeSent: true });
});

test("an address that does not use TLS is recognized by OpenSSL's message, and something may have been sent", () => {
  const words =
    'write EPROTO 400D:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:x.c:77:';
  const thrown = Object.assign(new Error(words), { code: 'EPROTO', syscall: 'write' });
  expect(toConnectionError(new Error('n8n', { cause: thrown }))).toMatchObject({
    reason: 'noTls',
    maybeSent: true,
  });
});

test.each([
  ['one address', failure('EHOSTUNREACH', 'connect')],
  ['a name that could not be looked up', failure('EAI_FAIL', 'getaddrinfo')],
  ['each address', ofEach('EHOSTUNREACH', 'connect', 'connect')],
  ['each address, as a cause', new Error('n8n', { cause: ofEach('ENETUNREACH', 'connect', 'connect') })],
])('a connection that was not established has sent nothing: %s', (_, thrown) => {
  expect(toConnectionError(thrown)).toMatchObject({ reason: 'refused', maybeSent: false });
});

test('a failure of the credential, which is read anew for each request, is itself', () => {
  const failure = unusable('The access key is empty', 'Enter it.');
  const thrown = Object.assign(new Error('n8n'), {
    cause: Object.assign(new Error('n8n'), { cause: failure }),
  });
  expect(toConnectionError(thrown)).toBe(failure);
});
