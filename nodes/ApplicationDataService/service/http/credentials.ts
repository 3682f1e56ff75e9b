import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { describeValue } from '../../parts/values/describe';
import { isTimeZone } from '../../parts/values/moment';
import { readText } from '../../parts/values/shapes';
import { assertOwnOrigin, DEFAULT_DATA_MODULE, parseBaseUrl } from './address';
import { unusable } from './errors';
import { keepSecret } from './secrets';

/** Name of the credential type; saved workflows hold it. */
export const CREDENTIAL_NAME = 'applicationDataServiceApi';

export interface ServiceCredential {
  readonly baseUrl: string;
  readonly accessKey: string;
  readonly authHeaderName: string;
  readonly dataModule: string;
  readonly allowUnauthorizedCerts: boolean;
  readonly timeZone: string;
}

/**
 * The credential's fields, with defaults for those that an expression or an older version left out.
 * @throws ServiceError if the header cannot be sent, or the time zone does not exist.
 */
export function readCredential(data: ICredentialDataDecryptedObject): ServiceCredential {
  const accessKey = readText(data.accessKey).trim();
  const authHeaderName = readText(data.authHeaderName).trim() || 'X-Service-Auth';
  keepSecret(accessKey);
  if (accessKey === '') {
    throw unusable('The access key is empty', 'Enter the access key that was issued in the service.');
  }
  if (!/^[\x21-\x7e]+$/.test(accessKey)) {
    throw unusable(
      'The access key contains characters that an access key cannot have',
      'Copy it again, without spaces, line breaks or quotation marks around it.',
    );
  }
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(authHeaderName)) {
    throw unusable(
      'The authentication header name cannot be the name of an HTTP header',
      'Enter only the name, for example X-Service-Auth, without a colon and without the key.',
    );
  }
  return {
    baseUrl: readText(data.baseUrl),
    accessKey,
    authHeaderName,
    dataModule: readText(data.dataModule).trim() || DEFAULT_DATA_MODULE,
    allowUnauthorizedCerts: data.allowUnauthorizedCerts === true,
    timeZone: readTimeZone(data.timeZone),
  };
}

/** A name that is not known would only be noticed once a value must be converted. */
function readTimeZone(saved: unknown): string {
  const text = readText(saved).trim();
  if (text === '' || isTimeZone(text)) return text;
  throw unusable(
    `"Time Zone" of the credential must be the name of a time zone, not ${describeValue(text)}`,
    'Enter a name such as Asia/Tokyo in the credential, or clear it to use the time zone of the workflow.',
  );
}

/** n8n's HTTP Request node passes the options of an older helper, with `uri` instead of `url`. */
type RequestOptions = IHttpRequestOptions & {
  uri?: string;
  rejectUnauthorized?: boolean;
  followRedirect?: boolean;
  followAllRedirects?: boolean;
};

/**
 * The request with the access key in its header (interface.md, "Authentication").
 * @throws UserError for a request to any other origin than the base URL's, so that the key goes nowhere else.
 */
export function authenticateRequest(
  data: ICredentialDataDecryptedObject,
  options: RequestOptions,
): IHttpRequestOptions {
  const credential = readCredential(data);
  const base = parseBaseUrl(credential.baseUrl);
  for (const target of targetsOf(options)) assertOwnOrigin(base, target);

  const headers: IDataObject = { ...options.headers, [credential.authHeaderName]: credential.accessKey };
  const authenticated: RequestOptions = {
    ...options,
    headers,
    // If redirects were followed, the header would go to any host that they name.
    disableFollowRedirect: true,
    maxRedirects: 0,
    followRedirect: false,
    followAllRedirects: false,
  };
  if (credential.allowUnauthorizedCerts) {
    authenticated.skipSslCertificateValidation = true;
    authenticated.rejectUnauthorized = false;
  }
  return authenticated;
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
