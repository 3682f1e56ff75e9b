import { isObject, readText } from '../../parts/values/shapes';
import { ENTER_BASE_URL } from './address';
import { ServiceError, type FailureKind } from './errors';
import { mask } from './credentials';
import type { ServiceResponse } from './transport';

export type Answer = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly action: string;
  readonly address: string;
  /** A call with this key has succeeded before at this address. */
  readonly keyWorks: boolean;
}

const CHECK_KEY =
  'Check the access key and the authentication header name in the credential. An administrator can disable ' +
  'a key or limit it to certain IP addresses, and keys of the login interface last three days.';

const CHECK_ADDRESS = `Check the base URL and the data module in the credential. ${ENTER_BASE_URL}`;

/** A successful answer (interface.md, "Errors"). @throws ServiceError for everything else */
export function readAnswer(response: ServiceResponse, asked: Asked): Answer {
  const { status, body } = response;
  if (isObject(body) && body.status === 'ok' && status < 300) return body;
  throw failureIn(response, asked);
}

/** What an answer says that is no success, or stands in the place of a file. */
export function failureIn(response: ServiceResponse, asked: Asked): ServiceError {
  const { status, body, headers } = response;
  const isOwn = status < 300 || (status >= 400 && status < 500 && status !== 407 && !asksForBasic(response));
  if (isObject(body) && body.status === 'ng' && isOwn) return refusal(body, status, asked);
  // The service's own words are kept where the message says it in others.
  const said = errorMessageIn(body).replace(/[.。]$/, '') || undefined;
  const details = { status, retryAfterMs: readRetryAfter(headers['retry-after']), said };
  const failure: Failure = (kind, message, advice) =>
    new ServiceError(kind, message, said === undefined ? advice : `${said}. ${advice}`, details);
  if (status < 300) return pageFailure(response, asked, failure);
  return accessFailure(response, asked.keyWorks, failure) ?? statusFailure(response, asked, failure);
}

type Failure = (kind: FailureKind, message: string, advice: string) => ServiceError;

/** How servers answer an unencrypted request on an encrypted port: nginx, Go, Apache, Tomcat. */
const WANTS_TLS =
  /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|plain HTTP to an SSL-enabled|port requires TLS/i;

/** Who refuses access: the web server, a filter, the service or a proxy; `null` if that is not what the answer says. */
function accessFailure(response: ServiceResponse, keyWorks: boolean, failure: Failure): ServiceError | null {
  const { status, body } = response;
  if (asksForBasic(response))
    return failure(
      'unauthorized',
      'The web server in front of the service asks for a user name and a password of its own (HTTP 401)',
      'Check Web Server User and Web Server Password in the credential. The access key is not at fault.',
    );
  if (status === 403 && keyWorks && isPage(body))
    return failure(
      'unauthorized',
      'A web page answered instead of the service (HTTP 403), although the access key has worked before: a web filter or firewall has refused this request, or the key is no longer accepted',
      `If other requests work, ask the administrator of the web server what a filter finds in this one. If none works: ${CHECK_KEY}`,
    );
  if (status === 401 || status === 403) return failure('unauthorized', keyRefused(keyWorks), CHECK_KEY);
  if (status === 407)
    return failure(
      'unreachable',
      'A proxy between n8n and the service asks for a user name and a password (HTTP 407)',
      "Enter them in n8n's own proxy setting, such as HTTPS_PROXY=http://user:password@proxy:3128, or have the proxy let n8n through. The access key is not at fault.",
    ).with({ isLasting: true });
  return null;
}

function statusFailure(
  response: ServiceResponse,
  { action, address, keyWorks }: Asked,
  failure: Failure,
): ServiceError {
  const { status, headers, body } = response;
  if (status === 400 && WANTS_TLS.test(readText(body))) {
    const base = new URL('.', address).href.replace(/^http:/, 'https:');
    const advice = 'Start the base URL in the credential with https:// instead of http://.';
    return failure('wrongAddress', `This address speaks https; try ${base}`, advice);
  }
  if ([404, 405, 410].includes(status) && !keyWorks) {
    const message = `There is no application-data service at ${address} (HTTP ${status})`;
    return failure('wrongAddress', message, CHECK_ADDRESS);
  }
  if (status < 400) {
    const message = `The service redirects to another address (HTTP ${status})`;
    return failure('redirect', message, redirectAdvice(wordsIn(headers.location)));
  }
  if (status >= 502 && status <= 504)
    return failure('busy', `The service is busy (HTTP ${status})`, 'Try again later.');
  if (status >= 500)
    return failure('badAnswer', `The service failed (HTTP ${status}) on ${action}`, TRY_LATER);
  const advice =
    status === 413 || status === 414
      ? 'The request is too large for the service or for a proxy in between. Send less at once, or smaller files.'
      : 'What the request names may not exist, or you may have no right to it.';
  return failure('refused', `The service refused ${action} (HTTP ${status})`, advice);
}

const TRY_LATER = 'Try again later. If this happens again, ask the administrator of the service.';

/** A page with a failure status is how a server fails; one that claims success shows a wrong address or key. */
function pageFailure({ body }: ServiceResponse, { action, address }: Asked, failure: Failure): ServiceError {
  if (!isPage(body))
    return failure(
      'badAnswer',
      `The service sent an incomplete or unreadable answer to ${action}`,
      'Try again. If this happens again, check the base URL and the data module in the credential, and any proxy in between.',
    );
  if (/type=["']?password|login|logon|sign.?in|ログイン/i.test(body)) {
    const message = 'The service answered with a login page instead of data';
    return failure('loginPage', message, `${CHECK_KEY} ${CHECK_ADDRESS}`);
  }
  const message = `A web page answered at ${address} instead of the application-data service`;
  return failure('wrongAddress', message, CHECK_ADDRESS);
}

function isPage(body: unknown): body is string {
  return typeof body === 'string' && /^\s*<(!doctype|html|head|\?xml|!--)/i.test(body);
}

/** HTTP 401 with a challenge for HTTP Basic is the web server's (service-facts). */
function asksForBasic({ status, headers }: ServiceResponse): boolean {
  return status === 401 && /(?:^|,\s*)basic\b/i.test(headers['www-authenticate'] ?? '');
}

function keyRefused(keyWorks: boolean): string {
  return keyWorks
    ? 'The service no longer accepts the access key: it has worked before and may have expired'
    : 'The service did not accept the access key';
}

/** Only a whole address can be entered as the base URL: what begins with a slash or a name is on the same host. */
function redirectAdvice(location: string): string {
  if (/^(https?:)?\/\//i.test(location)) return `Enter the new address as the base URL: ${location}`;
  const where = location === '' ? '' : ` to "${location}"`;
  return `It leads elsewhere on the same host${where}, as to a login page: check the access key, the base URL and the data module in the credential.`;
}

/** An `ng` answer (service-facts). HTTP 403 for a key that works is about the record or the application. */
function refusal(body: Record<string, unknown>, status: number, { keyWorks }: Asked): ServiceError {
  const words = errorMessageIn(body);
  const addition = withoutBraces(wordsIn(body.errmsgadd));
  const [partKey] = [body.errmsgadd, body.errormessage].flatMap(
    (text) => PART.exec(cut(readText(text)))?.[1] ?? [],
  );
  const number = Number(cut(readText(body.errorno)) || NaN);
  const details = { status, partKey, errorNumber: Number.isFinite(number) ? number : undefined };
  if (status === 401 || (status === 403 && !keyWorks)) {
    const message = `${keyRefused(keyWorks)}: ${words || 'no reason given'}`;
    return new ServiceError('unauthorized', message, CHECK_KEY, details);
  }
  const subject = partKey === undefined || words.includes(`"${partKey}"`) ? '' : ` (part "${partKey}")`;
  const reason = words || (Number.isFinite(number) ? `error ${number}` : 'it gave no reason');
  const isSaid = addition === `"${partKey}"` || words.includes(addition);
  const check = partKey === undefined ? ASK_WHY : `Check the value of "${partKey}".`;
  const advice = `${isSaid ? check : asSentence(addition)}${numberUnlessIn(reason, number)}`;
  return new ServiceError('refused', `The service refused: ${reason}${subject}`, advice, details);
}

function asSentence(sentence: string): string {
  return /[.!?。]$/.test(sentence) ? sentence : `${sentence}.`;
}

function numberUnlessIn(words: string, number: number): string {
  const isSaid = !Number.isFinite(number) || words.includes(String(Math.abs(number)));
  return isSaid ? '' : ` Error number ${number}.`;
}

const ASK_WHY = 'If these words do not help, ask the administrator of the service.';
/** More of the service's words says nothing to a reader, and costs time wherever they are looked at. */
const MAX_CHARACTERS_SAID = 1000;

function cut(text: string): string {
  return text.slice(0, MAX_CHARACTERS_SAID);
}

/** Cut only after it was masked: the beginning of a key would stay. */
function wordsIn(value: unknown): string {
  return cut(mask(readText(value).slice(0, 2 * MAX_CHARACTERS_SAID))).trim();
}

/** A part's key without the service's braces, which n8n's users would read as an expression. */
const PART = /\{\{([^{}]+)\}\}/;

/** What the service says, without the letter for how bad it is. */
function errorMessageIn(body: unknown): string {
  const words = isObject(body) ? wordsIn(body.errormessage) : '';
  return withoutBraces(words.replace(/^[A-Z]:\s*/, ''));
}

function withoutBraces(text: string): string {
  return text.replaceAll(new RegExp(PART, 'g'), '"$1"').trim();
}

/** `Retry-After` in seconds or as a date, as milliseconds from now; `undefined` when there is none. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const waitMs = /^\s*\d/.test(header) ? Number.parseFloat(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
}
