import type {
  IExecuteFunctions,
  IHttpRequestOptions,
  ILoadOptionsFunctions,
  IN8nHttpFullResponse,
  IPollFunctions,
  IWebhookFunctions,
} from 'n8n-workflow';

import { isObject, readText } from '../../parts/values/shapes';
import { CREDENTIAL_NAME, refusalOf } from './credentials';
import { cancelled, ServiceError } from './errors';

export type CallingContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;

export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: URLSearchParams | FormData | undefined;
  readonly stream?: boolean;
  readonly timeoutMs: number;
  /** Aborts the request. In an execution, n8n replaces it with the execution's signal. */
  readonly signal?: AbortSignal | undefined;
}

export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; a string if the body is not JSON; a readable stream if one was requested. */
  readonly body: unknown;
}

/** Sends one request with the access key, without following redirects. @throws ServiceError if no whole answer came */
export type Transport = (request: ServiceRequest) => Promise<ServiceResponse>;

/** Sends through n8n's own helper: it brings n8n's proxy, certificates, protections and cancellation. */
export function nodeTransport(context: CallingContext): Transport {
  return async ({ method, url, body, timeoutMs, signal, stream }) => {
    const options: IHttpRequestOptions = {
      method,
      url,
      body,
      timeout: timeoutMs,
      ...(signal !== undefined && { abortSignal: signal }),
      // A redirect to another host would send the key there.
      disableFollowRedirect: true,
      returnFullResponse: true,
      ignoreHttpStatusErrors: true,
      ...(stream === true && { encoding: 'stream' as const }),
    };
    try {
      const { helpers } = context;
      const request = helpers.httpRequestWithAuthentication.call(context, CREDENTIAL_NAME, options);
      return toServiceResponse((await request) as IN8nHttpFullResponse);
    } catch (error) {
      throw connectionFailure(refusalOf(options) ?? error, url);
    }
  };
}

export function toServiceResponse({ statusCode, headers, body }: IN8nHttpFullResponse): ServiceResponse {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    texts[name.toLowerCase()] = readText(Array.isArray(value) ? value[0] : value);
  return { status: statusCode, headers: texts, body };
}

const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Node.js' error codes (X509) for a certificate that it did not accept. Nothing was sent then. */
const CERTIFICATE =
  /CERT|CRL|^HOSTNAME_MISMATCH$|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^UNABLE_TO_(DECODE|VERIFY)/;

/** OpenSSL's messages if the other side does not speak TLS. Their error code also stands for other failures. */
const NO_TLS = /SSL routines:[^:]*:(wrong version number|http request|packet length too long)/;

/** Why no whole answer came. Of the errors of HTTP libraries, which hold the key, only the failure's code is kept. */
export function connectionFailure(thrown: unknown, url: string): ServiceError {
  let [code, refusal, isConnecting, error] = ['', '', false, thrown];
  for (let depth = 0; isObject(error) && depth < 5; error = error.cause ?? error.error, depth++) {
    if (error instanceof ServiceError) return error;
    code = codeOf(error) || code;
    if (failedToConnect(error)) isConnecting = true;
    if (/^Ssrf\w*Error$/.test(error.constructor.name)) refusal = readText(error.message);
  }
  isConnecting ||= NOT_CONNECTED.has(code);
  const reason = refusal === '' ? reasonOf(code, isConnecting) : 'blocked';
  if (reason === 'cancelled') return cancelled({ maybeSent: !isConnecting });
  const isLasting = ['certificate', 'blocked'].includes(reason);
  const kind = reason === 'noTls' ? 'wrongAddress' : isLasting || isConnecting ? 'unreachable' : 'lost';
  const [message, advice] = explanations(new URL('.', url), refusal || code)[reason];
  return new ServiceError(kind, message, advice, { isLasting, isSlow: reason === 'timeout' });
}

/** n8n 1.123 and 2.0 replace the failure with an error of their own, which has its code under another name. */
function codeOf({ code, httpCode, message }: Record<string, unknown>): string {
  if (NO_TLS.test(readText(message))) return 'ERR_SSL_WRONG_VERSION_NUMBER';
  if (typeof code === 'string' && code !== '') return code;
  return typeof httpCode === 'string' && /^[A-Z]/.test(httpCode) ? httpCode : '';
}

/** Whether no connection was made: of a host with several addresses, to none of them. */
function failedToConnect({ syscall, messages, errors }: Record<string, unknown>): boolean {
  // Their own error has no `syscall`, but the message of the failure, which begins with it.
  if ([syscall, ...asList(messages)].some((text) => /^(connect|getaddrinfo)\b/.test(readText(text))))
    return true;
  const each = asList(errors);
  return each.length > 0 && each.every((error) => isObject(error) && failedToConnect(error));
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function reasonOf(code: string, isConnecting: boolean): Reason | 'cancelled' {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknownHost';
  if (CERTIFICATE.test(code)) return 'certificate';
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'noTls';
  if (code === 'ERR_CANCELED' || code === 'ABORT_ERR') return 'cancelled';
  if (code === 'ETIMEDOUT' || code === 'ECONNABORTED') return 'timeout';
  return isConnecting ? 'refused' : 'dropped';
}

type Reason = 'refused' | 'unknownHost' | 'certificate' | 'noTls' | 'timeout' | 'blocked' | 'dropped';

/** @param words Node.js' error code, or n8n's own message if it refused to send the request (its SSRF protection). */
function explanations(
  { origin, protocol, href }: URL,
  words: string,
): Record<Reason, readonly [string, string]> {
  return {
    unknownHost: [
      `The host of ${origin} is not known`,
      'Check the spelling of the base URL, and whether n8n can resolve this name.',
    ],
    refused: [
      `Nothing answers at ${origin}`,
      'Check host and port of the base URL, whether the service is running, and whether a firewall blocks the connection.',
    ],
    certificate: [
      `The certificate of ${origin} is not trusted (${words})`,
      'Have the certificate renewed or its authority added to n8n (NODE_EXTRA_CA_CERTS). Only for a service you trust: turn on "Ignore SSL Issues" in the credential.',
    ],
    noTls: [
      `This address does not speak https; try ${href.replace(/^https:/, 'http:')}`,
      'Change the base URL in the credential, or ask the administrator of the service for its https address.',
    ],
    blocked: [
      `n8n did not send the request: ${words}`,
      'Ask the administrator of n8n to allow this address.',
    ],
    timeout: [`${origin} did not answer in time`, 'Try again later, or request less at once.'],
    dropped: [
      `The connection to ${origin} was lost before an answer came`,
      protocol === 'http:'
        ? 'Try again later. If this happens again, the address may speak https only: start the base URL with https://.'
        : 'Try again later.',
    ],
  };
}
