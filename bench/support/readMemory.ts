/**
 * Prints what one read of many records takes in memory, as JSON, in MB. A process of its own: what was read before would
 * have left room that is used again. Arguments: parameters as JSON, number of records.
 */
import type { INodeParameters } from 'n8n-workflow';

import { withFilesystemStore } from './binaryStore';
import { runOurs, withSetup, type Setup } from './setup';

/** Memory in MB, beyond what the process had before. */
export interface ReadMemory {
  /** Most in use by objects and buffers that were needed: garbage is collected before each look. */
  readonly live: number;
  /** What the items given out keep in use. */
  readonly held: number;
}

/** Milliseconds from one look to the next: a collection takes its time, too, and the run must go on in between. */
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

/** Bytes in use once garbage is collected. */
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
