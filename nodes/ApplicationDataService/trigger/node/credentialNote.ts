import type { INode } from 'n8n-workflow';

import { CREDENTIAL_NAME, type ServiceCredential } from '../../service/http/credentials';
import { hashText } from '../state/hash';

/** Which credential is used: its ID, and 16 bits of a hash of its key, from which the key cannot be found. */
export function credentialNote({ credentials }: INode, { accessKey }: ServiceCredential): string {
  const id = credentials?.[CREDENTIAL_NAME]?.id ?? '';
  return `${id}:${(hashText(accessKey) & 0xffff).toString(16)}`;
}
