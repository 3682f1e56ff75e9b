import { readText } from '../../parts/values/wire';

/** One HTTP request to the service. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute address, on the credential's origin. */
  readonly url: string;
  readonly body?: URLSearchParams | FormData;
  /** The body of the answer is wanted as a stream (attachments). */
  readonly stream?: boolean;
  readonly timeoutMs: number;
}

/** The answer, whatever its HTTP status. */
export interface ServiceResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; a string where the body is none; a readable stream when one was asked for. */
  readonly body: unknown;
}

/**
 * Sends one request with the access key, without following redirects. Resolves for every HTTP status.
 * @throws ConnectionError when no complete answer came; nothing else.
 */
export type Transport = (request: ServiceRequest) => Promise<ServiceResponse>;

/** Errors of a connection that was never made: nothing can have reached the service. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ERR_INVALID_URL',
]);

/** How OpenSSL and Node.js name a certificate that is not trusted, out of date or for another host. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ALTNAME|SSL|EPROTO/;

/**
 * No complete answer. Made of the failure's code alone: what HTTP libraries throw holds the request with its
 * headers, and so the access key.
 */
export class ConnectionError extends Error {
  readonly reason:
    'refused' | 'unknownHost' | 'certificate' | 'timeout' | 'cancelled' | 'blocked' | 'dropped';

  /** Whether the request may have reached the service. */
  readonly maybeSent: boolean;

  constructor(
    /** Code of the failure as Node.js names it, e.g. `ECONNREFUSED`; empty when there was none. */
    readonly code: string,
    connecting: boolean,
    /** n8n's own words where it refused to send the request at all (its protection against server-side forgery). */
    readonly refusal = '',
  ) {
    super(refusal !== '' ? refusal : `No answer (${code === '' ? 'connection lost' : code})`);
    this.reason = refusal !== '' ? 'blocked' : reasonOf(code);
    this.maybeSent = !(
      connecting ||
      NOT_CONNECTED.has(code) ||
      ['certificate', 'blocked'].includes(this.reason)
    );
  }
}

function reasonOf(code: string): ConnectionError['reason'] {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unknownHost';
  if (NOT_CONNECTED.has(code)) return 'refused';
  if (CERTIFICATE.test(code)) return 'certificate';
  if (code === 'ERR_CANCELED' || code === 'ABORT_ERR') return 'cancelled';
  return code === 'ETIMEDOUT' || code === 'ECONNABORTED' ? 'timeout' : 'dropped';
}

/**
 * The connection error behind whatever a request helper threw: follows `cause` to the failure's code and forgets
 * the rest.
 */
export function toConnectionError(thrown: unknown): ConnectionError {
  let code = '';
  let connecting = false;
  let refusal = '';
  for (
    let error = thrown, depth = 0;
    isRecord(error) && depth < 5;
    error = error.cause ?? error.error, depth++
  ) {
    if (typeof error.code === 'string' && error.code !== '') code = error.code;
    // n8n 1.x gives an error of its own in place of the failure, with its code under another name.
    else if (typeof error.httpCode === 'string' && /^[A-Z]/.test(error.httpCode)) code = error.httpCode;
    if (error.syscall === 'connect' || error.syscall === 'getaddrinfo') connecting = true;
    if (/^(Ssrf\w*Error|SettingsError)$/.test(error.constructor.name)) refusal = readText(error.message);
  }
  return new ConnectionError(code, connecting, refusal);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
