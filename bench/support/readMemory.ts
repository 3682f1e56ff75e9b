/**
 * Prints the memory that one read of many records takes, as JSON, in MB. It runs in a separate process, because an
 * earlier read would have left memory that is used again. Arguments: parameters as JSON, number of records.
 */
import type { INodeParameters } from 'n8n-workflow';

import { withFilesystemStore } from './binaryStore';
import { runOurs, withSetup, type Setup } from './setup';

/** Memory in MB, in addition to that of the process before. */
export interface ReadMemory {
  /** The most memory of objects and buffers in use: garbage is collected before each measurement. */
  readonly live: number;
  /** The memory of the output items. */
  readonly held: number;
}

/** Milliseconds between two measurements. A collection takes time, and the run must continue in between. */
const BETWEEN_LOOKS_MS = 400;

async function measure({ engine }: Setup, parameters: INodeParameters): Promise<ReadMemory> {
  const warmUp = { ...parameters, operation: 'getAll', returnAll: false, limit: 5 };
  await runOurs(engine, warmUp);
  const before = inUse();
  let live = 0;
  let sampler: NodeJS.Timeout;
  const look = (): void => {
    live = Math.max(live, inUse());
    sampler = setTimeout(look, BETWEEN_LOOKS_MS);
  };
  look();
  const result = await runOurs(engine, parameters);
  clearTimeout(sampler!);
  const held = inUse();
  if (result.items.length === 0) throw new Error('Nothing was read.');
  return { live: (Math.max(live, held) - before) / 1e6, held: (held - before) / 1e6 };
}

/** Bytes in use after garbage is collected. */
function inUse(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
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
