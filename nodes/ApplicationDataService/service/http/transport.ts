import { isObject, readText } from '../../parts/values/shapes';
import { cancelled, ServiceError, toServiceError, type ConnectionFailure, type FailureKind } from './errors';

export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly body?: URLSearchParams | FormData | undefined;
  /** Whether to return the body of the answer as a stream (attachments). */
  readonly stream?: boolean;
  readonly timeoutMs: number;
  /** Aborts the request. In an execution, n8n replaces it with the execution's signal. */
  readonly signal?: AbortSignal | undefined;
}

/** The answer, whatever its HTTP status. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; a string if the body is not JSON; a readable stream if one was requested. */
  readonly body: unknown;
}

/**
 * Sends one request with the access key, without following redirects. Resolves for every HTTP status.
 * @throws ConnectionError if no complete answer arrived; nothing else.
 */
export type Transport = (request: ServiceRequest) => Promise<ServiceResponse>;

const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Node.js' error codes (X509) for a certificate that it did not accept. Nothing was sent then. */
const CERTIFICATE =
  /CERT|CRL|^HOSTNAME_MISMATCH$|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^UNABLE_TO_(DECODE|VERIFY)/;

/**
 * OpenSSL's messages if the other side does not speak TLS. The error code alone is also used for other broken
 * connections.
 */
const NO_TLS = /SSL routines:[^:]*:(wrong version number|http request|packet length too long)/;

/**
 * No complete answer. Made only from the failure's code: the errors of HTTP libraries contain the request with its
 * headers, and therefore the access key.
 */
export class ConnectionError extends Error implements ConnectionFailure {
  readonly reason: ConnectionFailure['reason'];

  readonly maybeSent: boolean;

  constructor(
    /** Node.js' error code, e.g. `ECONNREFUSED`; empty if there was none. */
    readonly code: string,
    connecting: boolean,
    /** n8n's own message if it refused to send the request (its SSRF protection). */
    readonly refusal = '',
  ) {
    super(refusal !== '' ? refusal : `No answer (${code === '' ? 'connection lost' : code})`);
    this.reason = refusal !== '' ? 'blocked' : reasonOf(code, connecting);
    this.maybeSent = !(
      connecting ||
      NOT_CONNECTED.has(code) ||
      ['certificate', 'blocked'].includes(this.reason)
    );
  }
}

function reasonOf(code: string, connecting: boolean): ConnectionFailure['reason'] {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknownHost';
  if (CERTIFICATE.test(code)) return 'certificate';
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'noTls';
  if (code === 'ERR_CANCELED' || code === 'ABORT_ERR') return 'cancelled';
  if (code === 'ETIMEDOUT' || code === 'ECONNABORTED') return 'timeout';
  return connecting || NOT_CONNECTED.has(code) ? 'refused' : 'dropped';
}

/**
 * The failure behind the error of a request helper: that of the credential, which authenticates each request anew; else
 * follows `cause` to the failure's code and drops the rest.
 */
export function toConnectionError(thrown: unknown): ConnectionError | ServiceError {
  let code = '';
  let connecting = false;
  let refusal = '';
  for (
    let error = thrown, depth = 0;
    isObject(error) && depth < 5;
    error = error.cause ?? error.error, depth++
  ) {
    if (error instanceof ServiceError) return error;
    if (typeof error.code === 'string' && error.code !== '') code = error.code;
    // n8n 1.x replaces the failure with its own error, which has the code under another name.
    else if (typeof error.httpCode === 'string' && /^[A-Z]/.test(error.httpCode)) code = error.httpCode;
    if (NO_TLS.test(readText(error.message))) code = 'ERR_SSL_WRONG_VERSION_NUMBER';
    if (failedToConnect(error)) connecting = true;
    if (/^Ssrf\w*Error$/.test(error.constructor.name)) refusal = readText(error.message);
  }
  return new ConnectionError(code, connecting, refusal);
}

/** Whether no connection was made: of a host with several addresses, to none of them. */
function failedToConnect({ syscall, errors }: Record<string, unknown>): boolean {
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  const each = Array.isArray(errors) ? (errors as unknown[]) : [];
  return each.length > 0 && each.every((error) => isObject(error) && failedToConnect(error));
}

/** How servers answer an unencrypted request on an encrypted port: nginx, Go, Apache, Tomcat. */
const WANTS_TLS =
  /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|plain HTTP to an SSL-enabled|port requires TLS/i;

/** Whether an encrypted port answered an unencrypted request. Many servers just close the connection. */
export function wantsTls({ status, body }: ServiceResponse): boolean {
  return status === 400 && WANTS_TLS.test(readText(body));
}

/** The sentence for an `http://` address that only speaks https. */
export function speaksHttps(base: URL, status?: number): ServiceError {
  return new ServiceError(
    'wrongAddress',
    `This address speaks https; try ${base.href.replace(/^http:/, 'https:')}`,
    'Start the base URL in the credential with https:// instead of http://.',
    { status },
  );
}

/** Why a call failed, with the sentence for a connection that failed. */
export function failureOf(thrown: unknown, base: URL): ServiceError {
  return thrown instanceof ConnectionError ? connectionFailure(thrown, base) : toServiceError(thrown);
}

function connectionFailure(connection: ConnectionError, base: URL): ServiceError {
  const { reason, code, refusal, maybeSent } = connection;
  const { origin } = base;
  const failure = (kind: FailureKind, message: string, advice: string): ServiceError => {
    const details = { connection: { reason, maybeSent }, ...(reason === 'timeout' && { isSlow: true }) };
    return new ServiceError(kind, message, advice, details, connection);
  };
  switch (reason) {
    case 'unknownHost':
      return failure(
        'unreachable',
        `The host of ${origin} is not known`,
        'Check the spelling of the base URL, and whether n8n can resolve this name.',
      );
    case 'refused':
      return failure(
        'unreachable',
        `Nothing answers at ${origin}`,
        'Check host and port of the base URL, whether the service is running, and whether a firewall blocks the connection.',
      );
    case 'certificate':
      return failure(
        'unreachable',
        `The certificate of ${origin} is not trusted (${code})`,
        'Have the certificate renewed or its authority added to n8n (NODE_EXTRA_CA_CERTS). Only for a service you trust: turn on "Ignore SSL Issues" in the credential.',
      );
    case 'noTls':
      return failure(
        'wrongAddress',
        `This address does not speak https; try ${base.href.replace(/^https:/, 'http:')}`,
        'Change the base URL in the credential, or ask the administrator of the service for its https address.',
      );
    case 'blocked':
      return failure(
        'unreachable',
        `n8n did not send the request: ${refusal}`,
        'Ask the administrator of n8n to allow this address.',
      );
    case 'cancelled':
      return cancelled({ connection: { reason, maybeSent } });
    case 'timeout':
      return failure(
        maybeSent ? 'lost' : 'unreachable',
        `${origin} did not answer in time`,
        'Try again later, or request less at once.',
      );
    case 'dropped':
      return failure(
        'lost',
        `The connection to ${origin} was lost before an answer came`,
        origin.startsWith('http:')
          ? 'Try again later. If this happens again, the address may speak https only: start the base URL with https://.'
          : 'Try again later.',
      );
  }
}
