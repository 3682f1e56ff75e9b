import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { describeValue } from '../../parts/values/describe';
import { isTimeZone } from '../../parts/values/moment';
import { readText } from '../../parts/values/shapes';
import { assertOwnOrigin, DEFAULT_DATA_MODULE, parseBaseUrl } from './address';
import { toServiceError, unusable, type ServiceError } from './errors';

/** Name of the credential type; saved workflows hold it. */
export const CREDENTIAL_NAME = 'applicationDataServiceApi';

export interface ServiceCredential {
  readonly baseUrl: string;
  readonly accessKey: string;
  readonly authHeaderName: string;
  readonly dataModule: string;
  readonly timeZone: string;
  readonly allowUnauthorizedCerts: boolean;
  /** What every request carries (interface.md, "Authentication"; service-facts, "HTTP Basic authentication"). */
  readonly headers: Readonly<Record<string, string>>;
}

/** The fields, with defaults for what an older version left out. @throws ServiceError `settings` */
export function readCredential(data: ICredentialDataDecryptedObject): ServiceCredential {
  const accessKey = readText(data.accessKey).trim();
  const authHeaderName = readText(data.authHeaderName).trim() || 'X-Service-Auth';
  const timeZone = readText(data.timeZone).trim();
  if (accessKey === '')
    throw unusable('The access key is empty', 'Enter the access key that was issued in the service.');
  if (!/^[\x21-\x7e]+$/.test(accessKey))
    throw unusable(
      'The access key contains characters that an access key cannot have',
      'Copy it again, without spaces, line breaks or quotation marks around it.',
    );
  keepSecret(accessKey);
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(authHeaderName))
    throw unusable(
      'The authentication header name cannot be the name of an HTTP header',
      'Enter only the name, for example X-Service-Auth, without a colon and without the key.',
    );
  const basic = readBasic(readText(data.basicUser), readText(data.basicPassword));
  if (basic !== null && authHeaderName.toLowerCase() === 'authorization')
    throw unusable(
      'The access key and the password of the web server cannot both be sent in the header Authorization',
      'Enter another authentication header name, as the service expects it, or clear Web Server User and Web Server Password.',
    );
  if (timeZone !== '' && !isTimeZone(timeZone))
    throw unusable(
      `"Time Zone" of the credential must be the name of a time zone, not ${describeValue(timeZone)}`,
      'Enter a name such as Asia/Tokyo in the credential, or clear it to use the time zone of the workflow.',
    );
  return {
    baseUrl: readText(data.baseUrl),
    accessKey,
    authHeaderName,
    dataModule: readText(data.dataModule).trim() || DEFAULT_DATA_MODULE,
    timeZone,
    allowUnauthorizedCerts: data.allowUnauthorizedCerts === true,
    headers: { [authHeaderName]: accessKey, ...(basic !== null && { Authorization: basic }) },
  };
}

/** HTTP Basic authentication (RFC 7617) for a web server in front of the service; `null` if there is none. */
function readBasic(user: string, password: string): string | null {
  if (user === '' && password === '') return null;
  if (user === '' || password === '')
    throw unusable(
      "Only one of the web server's user and password is in the credential",
      'Enter both Web Server User and Web Server Password, or neither if no web server in front of the service asks for them.',
    );
  if (user.includes(':') || /\p{Cc}|\p{Surrogate}/u.test(user + password))
    throw unusable(
      "The web server's user or password contains characters that cannot be sent",
      'The user must not contain a colon, and neither of them a tab or a line break.',
    );
  keepSecret(password);
  keepSecret(`${user}:${password}`);
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** n8n's HTTP Request node passes the options of an older helper, with `uri` instead of `url`. */
type RequestOptions = IHttpRequestOptions & {
  uri?: string;
  rejectUnauthorized?: boolean;
  followRedirect?: boolean;
  followAllRedirects?: boolean;
};

/** Options of a TLS connection that do not say where it leads (n8n passes all of them on to Node.js' agent). */
const TLS_OPTIONS: readonly string[] = ['ca', 'cert', 'key', 'passphrase', 'pfx'];

/** Why a request was not sent, by its options: n8n 1.123 and 2.0 replace what `authenticate` throws. */
const refusals = new WeakMap<object, ServiceError>();

export function refusalOf(options: object): ServiceError | undefined {
  return refusals.get(options);
}

/**
 * The request with the access key. Whatever could lead it elsewhere, or let others read it, is left out: a proxy that a
 * node names, a host or socket of the agent, redirects, and certificates that the credential does not accept.
 * @throws ServiceError `settings` for a request to any other origin than the base URL's.
 */
export function authenticateRequest(
  data: ICredentialDataDecryptedObject,
  options: RequestOptions,
): RequestOptions {
  try {
    return authenticated(data, options);
  } catch (error) {
    const refusal = toServiceError(error);
    refusals.set(options, refusal);
    throw refusal;
  }
}

function authenticated(data: ICredentialDataDecryptedObject, options: RequestOptions): RequestOptions {
  const { baseUrl, headers: own, allowUnauthorizedCerts } = readCredential(data);
  const base = parseBaseUrl(baseUrl);
  for (const target of targetsOf(options)) assertOwnOrigin(base, target);

  const { agentOptions = {}, headers = {} } = options;
  const replaced = ['host', ...Object.keys(own).map((name) => name.toLowerCase())];
  const kept = Object.entries(headers).filter(([name]) => !replaced.includes(name.toLowerCase()));
  const tls = Object.entries(agentOptions).filter(([name]) => TLS_OPTIONS.includes(name));
  const request: RequestOptions = {
    ...options,
    agentOptions: Object.fromEntries(tls),
    headers: { ...Object.fromEntries(kept), ...own },
    disableFollowRedirect: true,
    maxRedirects: 0,
    followRedirect: false,
    followAllRedirects: false,
    sendCredentialsOnCrossOriginRedirect: false,
    skipSslCertificateValidation: allowUnauthorizedCerts,
    rejectUnauthorized: !allowUnauthorizedCerts,
  };
  delete request.proxy;
  delete request.auth;
  return request;
}

/** All addresses that the request could go to. Helpers join an address and a base in different ways. */
function targetsOf({ uri, url, baseURL = '' }: RequestOptions): string[] {
  const given = [url, uri].filter((target) => target !== undefined && target !== '') as string[];
  if (baseURL === '') return given.length > 0 ? given : [''];
  return [
    baseURL,
    ...given.map((target) => (URL.canParse(target, baseURL) ? new URL(target, baseURL).href : target)),
  ];
}

const MASK = '***';
/** Those of a hundred credentials: an access key, a password, and the user and password together. */
const MAX_SECRETS = 300;
/** A shorter text could be any word or number: it is not masked. */
const MIN_LENGTH = 4;
/** A shorter one is masked where it stands by itself. */
const MIN_LENGTH_WITHIN_WORDS = 8;
const kept = new Set<string>();
let pattern: RegExp | null = null;

export function keepSecret(secret: string): void {
  // Half a character can be sent nowhere.
  if (secret.length < MIN_LENGTH || /\p{Surrogate}/u.test(secret)) return;
  const isNew = !kept.delete(secret);
  kept.add(secret);
  if (!isNew) return;
  const [oldest = secret] = kept;
  if (kept.size > MAX_SECRETS) kept.delete(oldest);
  // The longest first: one secret may begin with another.
  const forms = [...new Set([...kept].flatMap(writtenForms))].sort((one, other) => other.length - one.length);
  pattern = new RegExp(forms.map(patternOf).join('|'), 'gu');
}

/** As it is, in JSON, percent-encoded in all usual ways, and in base64. */
function writtenForms(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const base64 = Buffer.from(secret).toString('base64').replaceAll('=', '');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    new URLSearchParams({ '': secret }).toString().slice(1),
    base64,
    encodeURIComponent(base64),
    Buffer.from(secret).toString('base64url'),
  ];
}

function patternOf(form: string): string {
  const literal = form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const text = literal.replaceAll(/%[0-9A-F]{2}/g, (code) => `(?:${code}|${code.toLowerCase()})`);
  return form.length < MIN_LENGTH_WITHIN_WORDS ? `(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])` : text;
}

/** A text for people, without secrets. Never for what is requested, compared, chosen from, or output as a value. */
export function mask(text: string): string {
  return pattern === null ? text : text.replaceAll(pattern, MASK);
}
