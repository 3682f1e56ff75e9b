import {
  type ICredentialDataDecryptedObject,
  type IExecuteFunctions,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type IN8nHttpFullResponse,
  type IPollFunctions,
  type IWebhookFunctions,
  sleep,
} from 'n8n-workflow';

import { readText } from '../../parts/values/shapes';
import { parseBaseUrl } from './address';
import { ServiceClient } from './client';
import { CREDENTIAL_NAME, readCredential } from './credentials';
import { cancelled, isCancelled } from './errors';
import { type Caller, Limiters } from './limiter';
import { RETRIES } from './retry';
import { type ServiceResponse, toConnectionError, type Transport } from './transport';

/** n8n's contexts from which the service can be called. */
export type CallingContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

/** Where all calls of this process wait for their turn. */
export const processLimiters = new Limiters({ now: () => performance.now(), sleep });

/**
 * A client for the credential that is selected on the node.
 * @param caller the caller whose turn the calls wait for.
 * @param changes to the credential, only for this client.
 * @param signal aborted when nobody waits any more.
 * @param limiters where its calls wait for their turn; tests pass their own, with their own clock.
 */
export async function connect(
  context: CallingContext,
  caller: Caller = callerOf(context),
  changes: ICredentialDataDecryptedObject = {},
  signal: AbortSignal | undefined = signalOf(context),
  limiters: Limiters = processLimiters,
): Promise<ServiceClient> {
  const data = { ...(await context.getCredentials(CREDENTIAL_NAME)), ...changes };
  const credential = readCredential(data);
  return new ServiceClient({
    base: parseBaseUrl(credential.baseUrl),
    dataModule: credential.dataModule,
    transport: nodeTransport(context, Object.keys(changes).length === 0 ? undefined : data),
    limiters,
    caller,
    signal,
    timeZone: credential.timeZone,
    retries: {
      ...RETRIES,
      sleep: async (milliseconds) => {
        const sleeping = async (): Promise<void> => await limiters.clock.sleep(milliseconds);
        await (signal === undefined ? sleeping() : within(signal, sleeping, () => cancelled()));
      },
    },
  });
}

function signalOf(context: CallingContext): AbortSignal | undefined {
  return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** All nodes of an execution share its turn. Each poll and each list of the editor has its own. */
function callerOf(context: CallingContext): Caller {
  // A poll has no execution yet, whatever the type says.
  const execution = context.getExecutionId() as string | undefined;
  return { turn: execution ?? Symbol('turn'), urgent: 'getCurrentNodeParameter' in context };
}

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

/** Sends through n8n's own helper: it brings n8n's proxy, certificates, protections and cancellation. */
function nodeTransport(context: CallingContext, changed?: ICredentialDataDecryptedObject): Transport {
  const more = changed && {
    credentialsDecrypted: { id: '', name: '', type: CREDENTIAL_NAME, data: changed },
  };
  return async (request) => {
    const options: IHttpRequestOptions = {
      method: request.method,
      url: request.url,
      body: request.body,
      timeout: request.timeoutMs,
      ...(request.signal !== undefined && { abortSignal: request.signal }),
      // A redirect to another host would send the key there.
      disableFollowRedirect: true,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      ...(request.stream === true && { encoding: 'stream' as const }),
    };
    try {
      const { helpers } = context;
      return toServiceResponse(
        (await helpers.httpRequestWithAuthentication.call(
          context,
          CREDENTIAL_NAME,
          options,
          more,
        )) as IN8nHttpFullResponse,
      );
    } catch (error) {
      throw toConnectionError(error);
    }
  };
}

/** n8n's full response as a {@link ServiceResponse}. */
export function toServiceResponse(
  response: Pick<IN8nHttpFullResponse, 'statusCode' | 'headers' | 'body'>,
): ServiceResponse {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers))
    headers[name.toLowerCase()] = readText(Array.isArray(value) ? value[0] : value);
  return { status: response.statusCode, headers, body: response.body };
}
