import {
  endsCheck,
  isGone,
} from '../../../../../nodes/ApplicationDataService/operations/application/check/finding';
import { ServiceError } from '../../../../../nodes/ApplicationDataService/service/http/errors';

describe('a failure', () => {
  test.each([
    ['busy', true, true],
    ['lost', true, true],
    ['unreachable', true, true],
    ['cancelled', false, true],
    ['refused', false, false],
    ['unauthorized', false, false],
    ['badAnswer', false, false],
    ['outcomeUnknown', false, false],
  ] as const)('%s: the service is down: %s, and no further questions are asked: %s', (kind, gone, ends) => {
    const error = new ServiceError(kind, 'It failed.', 'Look into it.');
    expect([isGone(error), endsCheck(error)]).toEqual([gone, ends]);
  });

  test('of the node itself concerns only its question', () => {
    const error = new TypeError('x is not a function');
    expect([isGone(error), endsCheck(error)]).toEqual([false, false]);
  });
});
