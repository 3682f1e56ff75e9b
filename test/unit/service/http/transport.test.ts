import { unusable } from '../../../../nodes/ApplicationDataService/service/http/errors';
import { connectionFailure } from '../../../../nodes/ApplicationDataService/service/http/transport';

const URL = 'https://host.example/dneo/appsr.cgi';

/** The error of the HTTP client. */
const failure = (code: string, syscall?: string): Error =>
  Object.assign(new Error('failed'), { code, syscall });

/** The error for a host with two addresses: only the failures of both name the call that failed. */
const ofEach = (code: string, ...syscalls: string[]): Error =>
  Object.assign(new AggregateError(syscalls.map((syscall) => failure(code, syscall))), { code });

/** The error of n8n 1.123 and 2.0: the code is in `httpCode`, and of the failure itself only the message is left. */
const inN8n1 = (httpCode: string | null, message = 'x'): Error =>
  Object.assign(new Error("n8n's words"), { httpCode, messages: [message, message], cause: undefined });

const within = (cause: Error): Error => new Error('n8n', { cause });

const NO_TLS =
  'write EPROTO 400D:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:x.c:77:';

/** The words for each reason. */
const WORDS: Readonly<Record<string, RegExp>> = {
  refused: /^Nothing answers at/,
  unknownHost: /is not known$/,
  certificate: /^The certificate of/,
  noTls: /does not speak https/,
  timeout: /did not answer in time$/,
  dropped: /was lost before an answer came$/,
};

test.each<[string, Error, string, boolean]>([
  // what happened, reason, whether something may have been sent
  ['a refused connection', failure('ECONNREFUSED', 'connect'), 'refused', false],
  ['a refused connection as a cause', within(failure('ECONNREFUSED', 'connect')), 'refused', false],
  ['a refused connection in n8n 1.x', inN8n1('ECONNREFUSED'), 'refused', false],
  ['a host out of reach', failure('EHOSTUNREACH', 'connect'), 'refused', false],
  ['a host out of reach in n8n 1.x', inN8n1('EHOSTUNREACH', 'connect EHOSTUNREACH ::1:80'), 'refused', false],
  [
    'a name that cannot be looked up in n8n 1.x',
    inN8n1('EAI_FAIL', 'getaddrinfo EAI_FAIL a'),
    'refused',
    false,
  ],
  ['a name that cannot be looked up', failure('EAI_FAIL', 'getaddrinfo'), 'refused', false],
  ['each address out of reach', within(ofEach('ENETUNREACH', 'connect', 'connect')), 'refused', false],
  ['an unknown host', failure('ENOTFOUND', 'getaddrinfo'), 'unknownHost', false],
  ['an old certificate', failure('CERT_HAS_EXPIRED'), 'certificate', false],
  [
    'a certificate of an unknown authority',
    failure('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
    'certificate',
    false,
  ],
  ['a certificate of another host', failure('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate', false],
  ['a certificate in n8n 1.x', inN8n1('DEPTH_ZERO_SELF_SIGNED_CERT'), 'certificate', false],
  ['a port without TLS', within(Object.assign(new Error(NO_TLS), { code: 'EPROTO' })), 'noTls', true],
  ['a time-out', failure('ECONNABORTED'), 'timeout', true],
  ['a lost connection', failure('ECONNRESET', 'read'), 'dropped', true],
  ['a lost connection in n8n 1.x', inN8n1('ECONNRESET', 'read ECONNRESET'), 'dropped', true],
  ['an answer that breaks off in n8n 1.x', inN8n1('200', 'stream has been aborted'), 'dropped', true],
  ['no code', inN8n1(null), 'dropped', true],
  ['an HTTP status', inN8n1('502'), 'dropped', true],
  ['a broken TLS connection', failure('EPROTO', 'write'), 'dropped', true],
  ['a broken record', failure('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'), 'dropped', true],
  ['an alert', failure('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'), 'dropped', true],
  ['a host that disappeared', failure('EHOSTUNREACH', 'read'), 'dropped', true],
  ['one of several addresses that answered', ofEach('EHOSTUNREACH', 'connect', 'read'), 'dropped', true],
])('%s', (_, thrown, reason, maybeSent) => {
  const { message, kind } = connectionFailure(thrown, URL);
  expect([message, kind !== 'unreachable']).toEqual([expect.stringMatching(WORDS[reason]!), maybeSent]);
});

test('a failure of the credential, which is read anew for each request, is itself', () => {
  const failure = unusable('The access key is empty', 'Enter it.');
  expect(connectionFailure(within(within(failure)), URL)).toBe(failure);
});
