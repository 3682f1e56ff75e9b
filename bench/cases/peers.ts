import { withFilesystemStore } from '../support/binaryStore';
import { inTurn, milliseconds, ratio } from '../support/measure';
import { memoryOf } from '../support/memory';
import { prepareReading, type Reading } from '../support/reading';
import { withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

/** The first one compiles the code. */
const RUNS = 4;

const NAMES = {
  getMany: 'Get Many beside HTTP Request',
  export: 'Export beside HTTP Request',
  poll: 'Trigger beside HTTP Request',
};

/** Reading against what people build today with n8n's own nodes: at least as fast, with at most as much memory. */
export const peers: Case = {
  name: 'peers',
  run: async () =>
    await withFilesystemStore(async () => [
      await compare('getMany', 10_000),
      await compare('getMany', 100_000),
      await compare('export', 100_000),
      await compare('poll', 100_000),
    ]),
};

async function compare(reading: keyof typeof NAMES, records: number): Promise<Row> {
  const { times, requests } = await withSetup({ records }, async (setup) => await timesOf(setup, reading));
  const memory = { ours: memoryOf('ours', reading, records), peer: memoryOf('peer', reading, records) };
  const speed = ratio(times.peer, times.ours);
  const ratios = { 'peer/ours': speed, 'memory/peer': memory.ours.live / memory.peer.live };
  const figuresOf = (who: 'ours' | 'peer'): string =>
    `${milliseconds(times[who])}, ${memory[who].live.toFixed(0)} MB, ${requests[who]} requests`;
  return {
    name: `${NAMES[reading]}, ${records} records`,
    ours: figuresOf('ours'),
    peer: figuresOf('peer'),
    ratios,
    goal: 'peer/ours >= 1, memory/peer <= 1',
    met: speed >= 1 && ratios['memory/peer'] <= 1,
  };
}

async function timesOf(setup: Setup, reading: Reading) {
  const ours = await prepareReading(setup, 'ours', reading);
  const peer = await prepareReading(setup, 'peer', reading);
  const requests = { ours: await requestsOf(setup, ours), peer: await requestsOf(setup, peer) };
  return { times: await inTurn({ ours, peer }, RUNS), requests };
}

async function requestsOf({ sandbox }: Setup, task: () => Promise<unknown>): Promise<number> {
  await sandbox.clearStatistics();
  await task();
  return (await sandbox.statistics()).calls;
}
