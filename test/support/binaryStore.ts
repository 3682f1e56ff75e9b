import { rm } from 'node:fs/promises';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

/** How n8n up to 1.1xx opens its store, and files are put into it. */
interface OlderStore {
  init(config: { mode: string; availableModes: string[]; localStoragePath: string }): Promise<void>;
  store(
    workflowId: string,
    executionId: string,
    content: Buffer,
    binaryData: IBinaryData,
  ): Promise<IBinaryData>;
}

/** The config of the store, where it is not given to `init`. */
const storeConfig = BinaryDataConfig as typeof BinaryDataConfig | undefined;

/** Makes n8n keep files in a folder. */
export async function openFileStore(folder: string): Promise<void> {
  const service = Container.get(BinaryDataService);
  if (storeConfig === undefined) {
    const older = service as unknown as OlderStore;
    return await older.init({
      mode: 'filesystem',
      availableModes: ['filesystem'],
      localStoragePath: folder,
    });
  }
  Object.assign(Container.get(storeConfig), { mode: 'filesystem', localStoragePath: folder });
  await service.init();
}

/** Makes n8n keep files as it did before {@link openFileStore}: it makes its store anew when it next needs one. */
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

/** Takes a file out of n8n's store, as n8n does when it tidies up. */
export async function removeFile({ id }: IBinaryData): Promise<void> {
  const path = Container.get(BinaryDataService).getPath(id!);
  for (const file of [path, `${path}.metadata`]) await rm(file);
}
