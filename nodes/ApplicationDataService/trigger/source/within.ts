import { sleep } from 'n8n-workflow';

import { isCancelled, ServiceError } from '../../service/http/errors';

/**
 * The result of work, or a failure as soon as the time for it is over: n8n gives a trigger up whose first poll takes too
 * long, and no time-out of a request knows of that.
 * @throws ServiceError `lost` when time is over.
 */
export async function within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  if (signal.aborted) throw timeIsOver();
  let stop: () => void = () => undefined;
  const over = new Promise<never>((_, reject) => {
    // Work that waits for a busy service ends now as well, and knows better why.
    stop = () => void sleep(0).then(() => reject(timeIsOver()));
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work(), over]);
  } catch (error) {
    throw isCancelled(error) ? timeIsOver() : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function timeIsOver(): ServiceError {
  return new ServiceError(
    'lost',
    'The service did not answer within the time that a poll may take',
    'The next poll goes on. If it stays, poll less often, or ask the administrator why the service is slow.',
  );
}
