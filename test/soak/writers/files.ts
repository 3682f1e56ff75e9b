import { createHash } from 'node:crypto';

import type { IBinaryKeyData } from 'n8n-workflow';

import type { SentFile } from '../ledger/line';
import type { Random } from '../util/random';

/** Files to send, by the names of their binary fields, and as the ledger records them. */
export interface NewFiles {
  readonly binary: IBinaryKeyData;
  readonly files: readonly SentFile[];
}

/** Some files of random bytes. Their names contain the token. */
export function newFiles(random: Random, token: string, count: number): NewFiles {
  const binary: IBinaryKeyData = {};
  const files: SentFile[] = [];
  for (let index = 0; index < count; index++) {
    const bytes = random.bytes(random.integer(1, random.chance(0.1) ? 200_000 : 4000));
    const fileName = `${token}.${index}.bin`;
    binary[`file${index}`] = {
      data: bytes.toString('base64'),
      mimeType: 'application/octet-stream',
      fileName,
    };
    files.push({ name: fileName, sha256: sha256(bytes) });
  }
  return { binary, files };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
