import { longestHold } from '../../test/support/longestHold';
import { learnedTrigger } from '../support/learnedTrigger';
import { inTurn, memoryGrowth, milliseconds, ratio } from '../support/measure';
import { withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

/** A million would show nothing more, and take as long as all comparisons together may take. */
const RECORDS = 300_000;
/** Enough to count requests; a longer list would only add pages. */
const COUNTED_RECORDS = 100_000;
const PAGE = 5000;
const OVERLAP = 50;
/** The first ones compile the code. */
const RUNS = 8;

/** A full poll of a large application, compared with undici reading the same pages. */
export const triggerScan: Case = {
  name: 'triggerScan',
  run: async () => await withSetup({ records: RECORDS }, async (setup) => [await nothingChanged(setup)]),
};

/** Requests of polls of the same application when little has changed. */
export const triggerRequests: Case = {
  name: 'triggerRequests',
  run: async () =>
    await withSetup({ records: COUNTED_RECORDS }, async (setup) => [
      await someChanged(setup, 'by a filter of IDs', {}, 6),
      await someChanged(setup, 'revision never in narrowed lists', { listRevision: 'never' }, 6),
      await someChanged(setup, 'one by one', { equals: 'misses:*' }, 110, true),
      await quick(setup, 0, 2),
      await quick(setup, 1000, 10),
    ]),
};

async function nothingChanged(setup: Setup): Promise<Row> {
  const engine = await learnedTrigger(setup);
  const ours = async (): Promise<unknown> => await engine.poll();
  const times = await inTurn({ limit: async () => await readDirectly(setup), ours }, RUNS);
  const memory = await memoryGrowth(ours);
  const block = await longestHold(ours);
  const toLimit = ratio(times.ours, times.limit);
  return {
    name: `Trigger, full poll, ${RECORDS} records, none changed`,
    ours: `${milliseconds(times.ours)}, ${memory.toFixed(0)} MB, longest block ${block.toFixed(0)} ms`,
    limit: milliseconds(times.limit),
    ratios: { 'ours/limit': toLimit },
    goal: 'ours/limit <= 1.2, memory growth <= 200 MB, block <= 100 ms',
    met: toLimit <= 1.2 && memory <= 200 && block <= 100,
  };
}

/** The distance between this many IDs if they are spread over the application. */
const apart = (changed: number): number => Math.floor(COUNTED_RECORDS / (changed + 1));

let comparisons = 0;

/** How many more requests a full poll needs when 100 records all over the application have changed. */
async function someChanged(
  setup: Setup,
  how: string,
  dialect: Readonly<Record<string, unknown>>,
  most: number,
  quietly = false,
): Promise<Row> {
  const { sandbox } = setup;
  await sandbox.resetDialect();
  await sandbox.setDialect(dialect);
  const engine = await learnedTrigger(setup);
  const before = await requestsOf(setup, async () => await engine.poll());
  // Changes other records each time, because those of an earlier comparison are still among the newest.
  const first = ++comparisons;
  for (let id = 1; id <= 100; id++)
    await sandbox.changeRecord('large', String(first + id * apart(100)), { City: 'Linz' }, { quietly });
  let items = 0;
  const after = await requestsOf(setup, async () => (items = (await engine.poll()).length));
  await sandbox.resetDialect();
  return {
    name: `Trigger, full poll, 100 changed, ${how}`,
    ours: `${items} items, ${after - before} requests more than ${before}`,
    ratios: { 'requests more': after - before },
    goal: `at most ${most} requests more`,
    met: items === 100 && after - before <= most,
  };
}

async function quick(setup: Setup, changed: number, most: number): Promise<Row> {
  const { sandbox } = setup;
  const updatedPart = Object.keys(await sandbox.partIds('large')).find((name) => /updated at/i.test(name))!;
  const engine = await learnedTrigger(setup, { updatedPart, fullScanEvery: 600 });
  await engine.poll();
  for (let id = 1; id <= changed; id++)
    await sandbox.changeRecord('large', String(id * apart(changed)), { City: 'Linz' });
  let items = 0;
  const requests = await requestsOf(setup, async () => (items = (await engine.poll()).length));
  return {
    name: `Trigger, quick poll, ${COUNTED_RECORDS} records, ${changed} changed`,
    ours: `${items} items, ${requests} requests`,
    ratios: { requests },
    goal: `at most ${most} requests`,
    met: items === changed && requests <= most,
  };
}

async function requestsOf({ sandbox }: Setup, task: () => Promise<unknown>): Promise<number> {
  await sandbox.clearStatistics();
  await task();
  return (await sandbox.statistics()).calls;
}

/** undici reads and parses the same pages, one on its way at a time. */
async function readDirectly({ direct }: Setup): Promise<void> {
  const fields = JSON.stringify([{ field_name: 'ID' }, { field_name: 'revision' }]);
  const page = async (offset: number): Promise<unknown> =>
    await direct.call({
      action: 'list_data',
      app_id: '@large',
      fields,
      sort_field_id: '1',
      sort_order: 'asc',
      offset: String(offset),
      limit: String(PAGE),
    });
  for (let offset = 0; offset < RECORDS; offset += PAGE - OVERLAP) await page(offset);
}
