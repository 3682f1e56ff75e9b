import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readText } from '../../parts/values/wire';
import { DEFAULT_DATA_MODULE } from './address';
import { ServiceError } from './errors';

/** Name of the credential type; saved workflows hold it. */
export const CREDENTIAL_NAME = 'applicationDataServiceApi';

/** Fields of the credential. */
export interface ServiceCredential {
  readonly baseUrl: string;
  readonly accessKey: string;
  readonly authHeaderName: string;
  readonly dataModule: string;
  readonly allowUnauthorizedCerts: boolean;
}

/**
 * The credential's fields, with defaults for those that an expression or an older version left out.
 * @throws UserError if the header cannot be sent.
 */
export function readCredential(data: ICredentialDataDecryptedObject): ServiceCredential {
  const accessKey = readText(data.accessKey).trim();
  const authHeaderName = readText(data.authHeaderName).trim() || 'X-Service-Auth';
  if (accessKey === '') {
    throw new ServiceError(
      'settings',
      'The access key is empty',
      'Enter the access key that was issued in the service.',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(accessKey)) {
    throw new ServiceError(
      'settings',
      'The access key contains characters that an access key cannot have',
      'Copy it again, without spaces, line breaks or quotation marks around it.',
    );
  }
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(authHeaderName)) {
    throw new ServiceError(
      'settings',
      `"${authHeaderName}" cannot be the name of an HTTP header`,
      'Enter only the name, for example X-Service-Auth, without a colon and without the key.',
    );
  }
  return {
    baseUrl: readText(data.baseUrl),
    accessKey,
    authHeaderName,
    dataModule: readText(data.dataModule).trim() || DEFAULT_DATA_MODULE,
    allowUnauthorizedCerts: data.allowUnauthorizedCerts === true,
  };
}
