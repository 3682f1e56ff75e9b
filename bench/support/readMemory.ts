/**
 * Prints the memory that one reading of many records takes, as JSON, in MB. It runs in a separate process, because an
 * earlier reading would have left memory that is used again. Arguments: reader, reading, number of records.
 */
import { usedMemory } from '../../test/support/usedMemory';
import { withFilesystemStore } from './binaryStore';
import { prepareReading, type Reader, type Reading } from './reading';
import { withSetup, type Setup } from './setup';

/** Memory in MB, in addition to that of the process before. */
export interface ReadMemory {
  /** The most memory of objects and buffers in use: garbage is collected before each measurement. */
  readonly live: number;
  /** The memory of the output items. */
  readonly held: number;
}

/** Milliseconds between two measurements. A collection takes time, and the run must continue in between. */
const BETWEEN_LOOKS_MS = 400;

async function measure(setup: Setup, reader: Reader, reading: Reading): Promise<ReadMemory> {
  const read = await prepareReading(setup, reader, reading);
  const before = inUse();
  let live = 0;
  let sampler: NodeJS.Timeout;
  const look = (): void => {
    live = Math.max(live, inUse());
    sampler = setTimeout(look, BETWEEN_LOOKS_MS);
  };
  look();
  const items = await read();
  clearTimeout(sampler!);
  const held = inUse();
  if (reading !== 'poll' && items.length === 0) throw new Error('Nothing was read.');
  return { live: (Math.max(live, held) - before) / 1e6, held: (held - before) / 1e6 };
}

function inUse(): number {
  const { heap, buffers } = usedMemory();
  return heap + buffers;
}

const [reader, reading, records] = process.argv.slice(2);
withFilesystemStore(
  async () =>
    await withSetup(
      { records: Number(records) },
      async (setup) => await measure(setup, reader as Reader, reading as Reading),
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
