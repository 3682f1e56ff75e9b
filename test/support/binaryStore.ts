import { rm } from 'node:fs/promises';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

/** The binary data store of n8n up to 1.1xx. */
interface OlderStore {
  init(config: { mode: string; availableModes: string[]; localStoragePath: string }): Promise<void>;
  store(
    workflowId: string,
    executionId: string,
    content: Buffer,
    binaryData: IBinaryData,
  ): Promise<IBinaryData>;
}

/** The class of the store's config. Older versions of n8n pass the config to `init` instead. */
const storeConfig = BinaryDataConfig as typeof BinaryDataConfig | undefined;

/** Makes n8n keep files in a folder. */
export async function openFileStore(folder: string): Promise<void> {
  const service = Container.get(BinaryDataService);
  if (storeConfig === undefined) {
    const older = service as unknown as OlderStore;
    return await older.init({ mode: 'filesystem', availableModes: ['filesystem'], localStoragePath: folder });
  }
  Object.assign(Container.get(storeConfig), { mode: 'filesystem', localStoragePath: folder });
  await service.init();
}

/** Makes n8n keep files as before {@link openFileStore}: it creates a new store when it next needs one. */
export function closeFileStore(): void {
  for (const service of [BinaryDataService, storeConfig])
    if (service !== undefined) Container.set<unknown>(service, undefined);
}

/** Puts a file into n8n's store. */
export async function storeFile(content: Buffer, binaryData: IBinaryData): Promise<IBinaryData> {
  const service = Container.get(BinaryDataService);
  if (storeConfig === undefined)
    return await (service as unknown as OlderStore).store('test', 'test', content, binaryData);
  return await service.store(
    { type: 'execution', workflowId: 'test', executionId: 'test' },
    content,
    binaryData,
  );
}

/** Removes a file from n8n's store, as n8n does when it prunes old executions. */
export async function removeFile({ id }: IBinaryData): Promise<void> {
  const path = Container.get(BinaryDataService).getPath(id!);
  for (const file of [path, `${path}.metadata`]) await rm(file);
}
