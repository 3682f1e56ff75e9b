import { join } from 'node:path';
import { Readable } from 'node:stream';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

import type { EngineResult } from '../../test/support/engine';
import { withFilesystemStore } from '../support/binaryStore';
import { memoryGrowth, time } from '../support/measure';
import { byId, withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

const SIZE = 1_000_000_000;
const MAX_MEMORY_MB = 150;

/** Uploads and downloads a file of 1 GB, with n8n's filesystem store. */
export const attachments: Case = {
  name: 'attachments',
  run: async () =>
    await withFilesystemStore(
      async (folder) => await withSetup({ data: join(folder, 'service.sqlite') }, upAndDown),
    ),
};

async function upAndDown({ sandbox, engine }: Setup): Promise<Row[]> {
  const app = await sandbox.createApplication({
    name: 'Archive',
    identifier: 'archive',
    parts: [{ name: 'Docs', type: 'files' }],
    records: [{}],
  });
  const parameters = {
    resource: 'attachment',
    application: byId(app.id),
    recordId: app.records[0] ?? '',
    attachmentPart: 'Docs',
    binaryPropertyName: 'data',
  };
  const data = await storedFile();
  const rows: Row[] = [];
  const measure = async (name: string, run: () => Promise<EngineResult>): Promise<void> => {
    let result: EngineResult | undefined;
    let took = 0;
    const memory = await memoryGrowth(async () => {
      took = await time(async () => (result = await run()));
    });
    if (result?.error !== undefined) throw result.error;
    assertWhole(result);
    rows.push(rowOf(name, took, memory));
  };
  await measure(
    'upload',
    async () =>
      await engine.run({ ...parameters, operation: 'upload' }, { input: [{ json: {}, binary: { data } }] }),
  );
  await measure(
    'download',
    async () => await engine.run({ ...parameters, operation: 'download', attachmentIds: '' }),
  );
  return rows;
}

/** Puts a file into n8n's store. */
async function storedFile(): Promise<IBinaryData> {
  const chunk = Buffer.alloc(1_000_000, 'n8n ');
  const content = Readable.from(
    (function* () {
      for (let length = 0; length < SIZE; length += chunk.length) yield chunk;
    })(),
  );
  return await Container.get(BinaryDataService).store(
    { type: 'execution', workflowId: 'bench', executionId: 'bench' },
    content,
    { mimeType: 'application/octet-stream', fileName: 'large.bin', data: '' },
  );
}

function assertWhole(result: EngineResult | undefined): void {
  const size = result?.items[0]?.binary?.data?.bytes;
  if (size !== undefined && size !== SIZE) throw new Error(`${size} bytes came instead of ${SIZE}`);
}

function rowOf(name: string, took: number, memory: number): Row {
  return {
    name: `Attachment ${name}, 1 GB`,
    ours: `${(took / 1000).toFixed(1)} s, ${memory.toFixed(0)} MB`,
    ratios: { 'memory/150 MB': memory / MAX_MEMORY_MB },
    goal: `memory growth <= ${MAX_MEMORY_MB} MB`,
    met: memory <= MAX_MEMORY_MB,
  };
}
