import { sleep } from 'n8n-workflow';

import { isCancelled } from '../service/http/errors';

/**
 * The result of work, or a failure as soon as its time is over. The time-out of one request cannot know how many will
 * follow.
 * @param late makes the failure to throw then.
 */
export async function within<T>(signal: AbortSignal, work: () => Promise<T>, late: () => Error): Promise<T> {
  if (signal.aborted) throw late();
  let stop: () => void = () => undefined;
  const over = new Promise<never>((_, reject) => {
    // Work that waits for a busy service also ends now, and has a better reason.
    stop = () => void sleep(0).then(() => reject(late()));
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work(), over]);
  } catch (error) {
    throw isCancelled(error) ? late() : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
