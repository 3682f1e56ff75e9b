import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { describeValue } from '../../parts/values/describe';
import { isTimeZone, nearestTimeZone } from '../../parts/values/timeZone';
import { readText } from '../../parts/values/wire';
import { DEFAULT_DATA_MODULE } from './address';
import { unusable } from './errors';
import { keepSecret } from './secrets';

/** Name of the credential type; saved workflows hold it. */
export const CREDENTIAL_NAME = 'applicationDataServiceApi';

/** Fields of the credential. */
export interface ServiceCredential {
  readonly baseUrl: string;
  readonly accessKey: string;
  readonly authHeaderName: string;
  readonly dataModule: string;
  readonly allowUnauthorizedCerts: boolean;
  /** IANA name; empty for the workflow's own. */
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
  const suggestion = nearestTimeZone(text);
  const guess = suggestion === undefined ? '' : `Did you mean "${suggestion}"? `;
  throw unusable(
    `"Time Zone" of the credential must be the name of a time zone, not ${describeValue(text)}`,
    `${guess}Enter a name such as Asia/Tokyo in the credential, or clear it to use the time zone of the workflow.`,
  );
}
