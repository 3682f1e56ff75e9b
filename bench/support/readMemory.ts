/**
 * Prints what one read of many records takes in memory, as JSON, in MB. A process of its own: what was read before would
 * have left room that is used again. Arguments: parameters as JSON, number of records.
 */
import type { INodeParameters } from 'n8n-workflow';

import { withFilesystemStore } from './binaryStore';
import { runOurs, withSetup, type Setup } from './setup';

/** Memory in MB, beyond what the process had before. */
export interface ReadMemory {
  /** Most in use by objects and buffers, garbage not yet collected included. */
  readonly used: number;
  /** Largest growth of the process as the system sees it. */
  readonly resident: number;
  /** What the items given out keep in use. */
  readonly held: number;
}

const SAMPLE_EVERY_MS = 5;

async function measure({ engine }: Setup, parameters: INodeParameters): Promise<ReadMemory> {
  const warmUp = { ...parameters, operation: 'getAll', returnAll: false, limit: 5 };
  await runOurs(engine, warmUp);
  const before = now();
  let [used, resident] = [0, 0];
  const sample = (): void => {
    const memory = process.memoryUsage();
    used = Math.max(used, memory.heapUsed + memory.external);
    resident = Math.max(resident, memory.rss);
  };
  const sampler = setInterval(sample, SAMPLE_EVERY_MS);
  const result = await runOurs(engine, parameters);
  clearInterval(sampler);
  sample();
  const held = now().used - before.used;
  if (result.items.length === 0) throw new Error('Nothing was read.');
  return {
    used: (used - before.used) / 1e6,
    resident: (resident - before.resident) / 1e6,
    held: held / 1e6,
  };
}

function now(): { used: number; resident: number } {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { used: heapUsed + external, resident: rss };
}

const [parameters = '', records = ''] = process.argv.slice(2);
withFilesystemStore(
  async () =>
    await withSetup(
      { records: Number(records) },
      async (setup) => await measure(setup, JSON.parse(parameters) as INodeParameters),
    ),
).then(
  (memory) => {
    console.log(JSON.stringify(memory));
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
