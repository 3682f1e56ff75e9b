import type { INode } from 'n8n-workflow';

import { CREDENTIAL_NAME, type ServiceCredential } from '../../service/http/credentials';
import { hashText } from '../state/hash';

/** The credential in use: its ID, and 16 bits of a hash of its key, which do not reveal the key. */
export function credentialNote({ credentials }: INode, { accessKey }: ServiceCredential): string {
  const id = credentials?.[CREDENTIAL_NAME]?.id ?? '';
  return `${id}:${(hashText(accessKey) & 0xffff).toString(16)}`;
}
