import type {
  ICredentialDataDecryptedObject,
  ICredentialsDecrypted,
  ICredentialTestFunctions,
  IN8nHttpFullResponse,
  INodeCredentialTestResult,
} from 'n8n-workflow';

import { fetchApplications } from '../service/application/definition';
import { parseBaseUrl } from '../service/http/address';
import { RETRIES, ServiceClient } from '../service/http/client';
import { processLimiters, within } from '../service/http/connect';
import { authenticateRequest, mask, readCredential } from '../service/http/credentials';
import { ServiceError, toServiceError } from '../service/http/errors';
import { connectionFailure, toServiceResponse, type Transport } from '../service/http/transport';

/** Long enough for a slow service, short enough for a person who waits at a form. */
const TIMEOUT_MS = 20_000;

/** Calls the service with the credential: the smallest list there is. One sentence for each cause of failure. */
export async function applicationDataServiceApiTest(
  this: ICredentialTestFunctions,
  credential: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
  const data = credential.data ?? {};
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const { baseUrl, dataModule } = readCredential(data);
    const base = parseBaseUrl(baseUrl);
    const client = new ServiceClient({
      base,
      dataModule,
      transport: testTransport(this, data),
      limiters: processLimiters,
      caller: { turn: Symbol('test'), urgent: true },
      signal,
      retries: { ...RETRIES, tries: 1, timeoutMs: TIMEOUT_MS, sleep: async () => await Promise.resolve() },
    });
    // A person who waits at the form has not cancelled anything.
    const tooLate = () =>
      new ServiceError(
        'unreachable',
        `${base.origin} did not answer in time`,
        'Try again later: other executions may be waiting for the service as well.',
      );
    await within(signal, async () => await fetchApplications(client, { limit: 1 }), tooLate);
    return { status: 'OK', message: 'Connection successful' };
  } catch (error) {
    const { message, description } = toServiceError(error);
    return { status: 'Error', message: mask(`${message}. ${description}`) };
  }
}

/** The test's context has only n8n's older helper. What it throws contains the key: only its code is kept. */
function testTransport(context: ICredentialTestFunctions, data: ICredentialDataDecryptedObject): Transport {
  return async ({ method, url, body }) => {
    const options = authenticateRequest(data, { method, url });
    // Where this is named, n8n replaces the failure of a certificate; 1.123 and 2.0 then lose its code.
    if (options.rejectUnauthorized === true) delete options.rejectUnauthorized;
    try {
      const response = (await context.helpers.request({
        ...options,
        form: body instanceof URLSearchParams ? Object.fromEntries(body) : undefined,
        json: true,
        simple: false,
        resolveWithFullResponse: true,
        timeout: TIMEOUT_MS,
      })) as IN8nHttpFullResponse;
      return toServiceResponse(response);
    } catch (error) {
      throw connectionFailure(error, url);
    }
  };
}
