import { within as withinTime } from '../../common/within';
import { ServiceError } from '../../service/http/errors';

/**
 * The result of work, or a failure as soon as the time for it is over: n8n gives a trigger up whose first poll takes too
 * long.
 * @throws ServiceError `lost` when time is over.
 */
export async function within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return await withinTime(signal, work, timeIsOver);
}

function timeIsOver(): ServiceError {
  return new ServiceError(
    'lost',
    'The service did not answer within the time that a poll may take',
    'The next poll goes on. If it stays, poll less often, or ask the administrator why the service is slow.',
  );
}
