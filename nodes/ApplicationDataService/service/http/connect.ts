import { sleep } from 'n8n-workflow';

import { parseBaseUrl } from './address';
import { RETRIES, ServiceClient } from './client';
import { CREDENTIAL_NAME, readCredential } from './credentials';
import { cancelled, isCancelled } from './errors';
import { type Caller, Limiters } from './limiter';
import { type CallingContext, nodeTransport } from './transport';

export const processLimiters = new Limiters({ now: () => performance.now(), sleep });

/** A person waits in front of a list, which shows nothing meanwhile: four seconds, not as long as a restart takes. */
const EDITOR_TRIES = 4;

/** A client for the node's credential. @param caller whose turn its calls wait for: polls and lists have their own */
export async function connect(
  context: CallingContext,
  caller: Caller = {
    turn: context.getExecutionId() || Symbol('turn'),
    urgent: 'getCurrentNodeParameter' in context,
  },
  signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined,
  limiters: Limiters = processLimiters,
): Promise<ServiceClient> {
  const { baseUrl, dataModule, timeZone } = readCredential(await context.getCredentials(CREDENTIAL_NAME));
  return new ServiceClient({
    base: parseBaseUrl(baseUrl),
    dataModule,
    transport: nodeTransport(context),
    limiters,
    caller,
    signal,
    timeZone,
    retries: {
      ...RETRIES,
      ...(caller.urgent && { tries: EDITOR_TRIES }),
      sleep: async (ms) => await within(signal, async () => await limiters.clock.sleep(ms), cancelled),
    },
  });
}

/** The result of work, or a failure once its time is over: one request's time-out cannot know how many will follow. */
export async function within<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  late: () => Error,
): Promise<T> {
  if (signal === undefined) return await work();
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
