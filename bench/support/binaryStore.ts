import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';

/** Runs a comparison with n8n's filesystem store in a separate folder. It is n8n's only store that streams. */
export async function withFilesystemStore<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const config = Container.get(BinaryDataConfig);
    config.mode = 'filesystem';
    config.localStoragePath = join(folder, 'store');
    await Container.get(BinaryDataService).init();
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
