import { LateError, troubleOf } from '../../../../nodes/ApplicationDataService/trigger/source/deadline';
import { ServiceError } from '../../../../nodes/ApplicationDataService/service/http/errors';

function failure(...[kind, details]: [ServiceError['kind'], ServiceError['details']?]): ServiceError {
  return new ServiceError(kind, 'It failed', 'Try again', details);
}

const timeout = { reason: 'timeout', maybeSent: true } as const;

test.each([
  ['a call that took too long', new LateError(), 'late'],
  ['a connection that took too long', failure('lost', { connection: timeout }), 'late'],
  ['a connection that broke', failure('lost', { connection: { ...timeout, reason: 'dropped' } }), 'record'],
  ['an answer that cannot be read', failure('badAnswer'), 'record'],
  ['a service that has no time', failure('busy', { status: 503 }), 'busy'],
  ['a full queue', failure('busy', { status: 429 }), 'service'],
  ['a key that is not accepted', failure('unauthorized'), 'service'],
  ['a fault in this package', new TypeError('x is undefined'), 'service'],
])('the trouble of %s', (_, error, trouble) => {
  expect(troubleOf(error)).toBe(trouble);
});
