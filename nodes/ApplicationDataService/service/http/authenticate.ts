import type { ICredentialDataDecryptedObject, IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { assertOwnOrigin, parseBaseUrl } from './address';
import { readCredential } from './credentials';

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
