import { isObject, readText } from '../../parts/values/shapes';
import { counted } from '../../util/counted';
import { ServiceError, type FailureKind } from './errors';
import type { OpenReport } from './pace/circuitBreaker';
import type { ServiceResponse } from './transport';

/** A successful answer: `status` = `ok` and the operation's own keys. */
export type Answer = Readonly<Record<string, unknown>>;

const CHECK_BASE_URL =
  'Check the base URL and the data module in the credential: the base URL is the address of the service as ' +
  'your browser shows it, the data module is the file name of the application-data module in that directory.';
const CHECK_KEY =
  'Check the access key and the authentication header name in the credential. An administrator can disable ' +
  'a key or limit it to certain IP addresses.';

/**
 * The operation's keys of a successful answer (interface.md, "Errors").
 * @param keyWorks a call with this key has succeeded before at this address.
 * @throws ServiceError for everything else, with one sentence for each cause.
 */
export function readAnswer(response: ServiceResponse, action: string, keyWorks = false): Answer {
  const { status, body } = response;
  if (isObject(body)) {
    if (body.status === 'ok' && status < 400) return body;
    if (body.status === 'ng' && status !== 429 && status < 500) throw refusal(body, status, keyWorks);
  }
  throw keyWorks && REFUSING.has(status) ? plainRefusal(response, action) : httpFailure(response, action);
}

/**
 * HTTP statuses by which a service may refuse a single call (interface.md leaves them open). Not among them: what is
 * about the key (401, 403) and what passes (408, 425, 429).
 */
const REFUSING: ReadonlySet<number> = new Set([400, 404, 405, 409, 410, 412, 413, 414, 415, 422, 423]);

/** A refusal without the service's usual words, at an address that has answered before. */
function plainRefusal({ status, headers }: ServiceResponse, action: string): ServiceError {
  const details = { status, retryAfterMs: readRetryAfter(headers['retry-after']) };
  return new ServiceError(
    'refused',
    `The service refused ${action} (HTTP ${status})`,
    status === 413 || status === 414
      ? 'The request is too large for the service or for a proxy in between. Send less at once, or smaller files.'
      : 'It gave no reason. What the request names may not exist, or you may have no right to it.',
    details,
  );
}

const UNAUTHORIZED: ReadonlySet<number> = new Set([401, 403]);
const NO_SERVICE: ReadonlySet<number> = new Set([404, 405, 410]);
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Judges an answer only by its HTTP status and body. Also used for attachments, because a successful download is not
 * JSON.
 */
export function httpFailure(response: ServiceResponse, action: string): ServiceError {
  const { status, body, headers } = response;
  const said = wordsOf(body).replace(/[.。]$/, '');
  const saidFirst = said === '' ? '' : `${said}. `;
  const details = {
    status,
    retryAfterMs: readRetryAfter(headers['retry-after']),
    ...(said !== '' && { said }),
  };
  const failure = (kind: FailureKind, message: string, advice: string): ServiceError =>
    new ServiceError(kind, message, advice, details);

  if (UNAUTHORIZED.has(status))
    return failure('unauthorized', 'The service did not accept the access key', CHECK_KEY);
  if (NO_SERVICE.has(status)) {
    const message = `There is no application-data service at this address (HTTP ${status})`;
    return failure('wrongAddress', message, CHECK_BASE_URL);
  }
  if (status >= 300 && status < 400) {
    const advice = `The access key is not sent to other addresses. ${redirectAdvice(readText(headers.location))}`;
    return failure('redirect', `The service redirects to another address (HTTP ${status})`, advice);
  }
  if (BUSY.has(status))
    return failure('busy', `The service is busy (HTTP ${status})`, `${saidFirst}Try again later.`);
  if (status >= 400) {
    const advice = 'Try again later. If this happens again, ask the administrator of the service.';
    return failure('badAnswer', `The service failed (HTTP ${status}) on ${action}`, `${saidFirst}${advice}`);
  }
  // A page with a failure status is how the server fails. It does not show that the address is wrong.
  if (typeof body === 'string' && /^\s*<(!doctype|html|head|\?xml|!--)/i.test(body)) {
    return /type=["']?password|login|logon|sign.?in|ログイン/i.test(body)
      ? failure(
          'loginPage',
          'The service answered with a login page instead of data',
          `${CHECK_KEY} ${CHECK_BASE_URL}`,
        )
      : failure(
          'wrongAddress',
          'A web page answered instead of the application-data service',
          CHECK_BASE_URL,
        );
  }
  return failure(
    'badAnswer',
    `The service sent an incomplete or unreadable answer to ${action}`,
    'Try again. If this happens again, check the base URL and the data module in the credential, and any proxy in between.',
  );
}

/** Only a whole address can be entered as the base URL: what begins with a slash or a name is on the same host. */
function redirectAdvice(location: string): string {
  if (/^(https?:)?\/\//i.test(location)) return `Enter the new address as the base URL: ${location}`;
  const where = location === '' ? '' : ` to "${location}"`;
  return `It leads elsewhere on the same host${where}, as to a login page: check the access key, the base URL and the data module in the credential.`;
}

/** The error for callers that waited in vain for a service that accepts no calls. */
export function queueIsFull({ forMs, probes, restMs }: OpenReport): ServiceError {
  return new ServiceError(
    'busy',
    `The service is busy (HTTP 429): it accepted no call for ${counted(Math.round(forMs / 1000), 'second')}, even after ${counted(probes, 'more try', 'more tries')}`,
    'The calls of all workflows wait for it together. Try again later, or run fewer workflows at the same time.',
    { status: 429, retryAfterMs: restMs },
  );
}

/**
 * `{"status":"ng","errorno":-110,"errormessage":"W:text [W110]","errmsgadd":"..."}`: the service's own words come
 * first. HTTP 403 for a key that works is about the record or the application (service-facts, "Also seen").
 */
function refusal(body: Record<string, unknown>, status: number, keyWorks: boolean): ServiceError {
  const words = wordsOf(body);
  const addition = readText(body.errmsgadd).trim();
  const partKey = PART.exec(addition)?.[1] ?? PART.exec(readText(body.errormessage))?.[1];
  const number = Number(readText(body.errorno) || NaN);
  const details = {
    status,
    ...(Number.isFinite(number) && { errorNumber: number }),
    ...(partKey !== undefined && { partKey }),
  };
  if (status === 401 || (status === 403 && !keyWorks)) {
    return new ServiceError(
      'unauthorized',
      `The service did not accept the access key: ${words || 'no reason given'}`,
      CHECK_KEY,
      details,
    );
  }
  const subject = partKey === undefined || words.includes(`"${partKey}"`) ? '' : ` (part "${partKey}")`;
  const message = `The service refused: ${words || `error ${readText(body.errorno) || 'without a number'}`}${subject}`;
  return new ServiceError('refused', message, furtherWords(words, addition, details), details);
}

function furtherWords(
  words: string,
  addition: string,
  { errorNumber, partKey }: { errorNumber?: number; partKey?: string },
): string {
  const more = addition === `{{${partKey}}}` ? '' : withoutBraces(addition);
  const isSaid = errorNumber === undefined || words.includes(String(Math.abs(errorNumber)));
  const sentences = [
    words.includes(more) ? '' : more,
    partKey === undefined ? '' : `Check the value of "${partKey}".`,
    isSaid ? '' : `Error number ${errorNumber}.`,
  ];
  return (
    sentences.filter((each) => each !== '').join(' ') ||
    'If these words do not help, ask the administrator of the service.'
  );
}

/** A part's key without the service's braces, which n8n's users would read as an expression. */
const PART = /\{\{(.+?)\}\}/;

/** What the service says, without the letter for how bad it is. */
function wordsOf(body: unknown): string {
  const words = isObject(body) ? readText(body.errormessage) : '';
  return withoutBraces(words.trim().replace(/^[A-Z]:\s*/, ''));
}

function withoutBraces(text: string): string {
  return text.replaceAll(new RegExp(PART, 'g'), '"$1"').trim();
}

/** `Retry-After` in seconds or as a date, as milliseconds from now; `undefined` when there is none. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
}
