import { readText } from '../../parts/values/wire';
import { ServiceError } from './errors';
import type { ConnectionError, ServiceResponse } from './transport';

/** How servers answer an unencrypted request on an encrypted port: nginx, Go, Apache, Tomcat. */
const WANTS_TLS =
  /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|plain HTTP to an SSL-enabled|port requires TLS/i;

/** Whether an encrypted port answered an unencrypted request. Many servers just close the connection. */
export function wantsTls({ status, body }: ServiceResponse): boolean {
  return status === 400 && WANTS_TLS.test(readText(body));
}

/** The sentence for an `http://` address that only speaks https. */
export function speaksHttps(origin: string, status?: number): ServiceError {
  return new ServiceError(
    'wrongAddress',
    `This address speaks https; try ${origin.replace(/^http:/, 'https:')}`,
    'Start the base URL in the credential with https:// instead of http://.',
    { status },
  );
}

/** The sentence for a connection that failed. `origin` is the scheme, host and port of the base URL. */
export function connectionFailure(error: ConnectionError, origin: string): ServiceError {
  const details = { connection: error };
  switch (error.reason) {
    case 'unknownHost':
      return new ServiceError(
        'unreachable',
        `The host of ${origin} is not known`,
        'Check the spelling of the base URL, and whether n8n can resolve this name.',
        details,
      );
    case 'refused':
      return new ServiceError(
        'unreachable',
        `Nothing answers at ${origin}`,
        'Check host and port of the base URL, whether the service is running, and whether a firewall blocks the connection.',
        details,
      );
    case 'certificate':
      return new ServiceError(
        'unreachable',
        `The certificate of ${origin} is not trusted (${error.code})`,
        'Have the certificate renewed or its authority added to n8n (NODE_EXTRA_CA_CERTS). Only for a service you trust: turn on "Ignore SSL Issues" in the credential.',
        details,
      );
    case 'noTls':
      return new ServiceError(
        'wrongAddress',
        `This address does not speak https; try ${origin.replace(/^https/, 'http')}`,
        'Change the base URL in the credential, or ask the administrator of the service for its https address.',
        details,
      );
    case 'blocked':
      return new ServiceError(
        'unreachable',
        `n8n did not send the request: ${error.refusal}`,
        'Ask the administrator of n8n to allow this address.',
        details,
      );
    case 'cancelled':
      return new ServiceError('cancelled', 'The execution was cancelled', 'Nothing more was sent.', details);
    case 'timeout':
      return new ServiceError(
        error.maybeSent ? 'lost' : 'unreachable',
        `${origin} did not answer in time`,
        'Try again later, or request less at once.',
        details,
      );
    case 'dropped':
      return new ServiceError(
        'lost',
        `The connection to ${origin} was lost before an answer came`,
        origin.startsWith('http:')
          ? 'Try again later. If this happens again, the address may speak https only: start the base URL with https://.'
          : 'Try again later.',
        details,
      );
  }
}
