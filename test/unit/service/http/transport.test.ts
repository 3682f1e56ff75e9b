import { toConnectionError } from '../../../../nodes/ApplicationDataService/service/http/transport';

/** What the HTTP client throws. */
const failure = (code: string, syscall?: string): Error =>
  Object.assign(new Error('failed'), { code, syscall });

/** What n8n 1.123 throws in its place: the code stands in `httpCode`, the failure itself is gone. */
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
