import { inTurn, memoryGrowth, milliseconds, ratio } from '../support/measure';
import { runOurs, withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

const PAGE = 5000;
const LARGE = { __rl: true, mode: 'identifier', value: 'large' };

/** Get Many of 100,000 records of 20 parts. */
export const getMany: Case = {
  name: 'getMany',
  run: async () => await withSetup({ records: 100_000 }, async (setup) => [await readItems(setup, 100_000)]),
};

/** Export of 1,000,000 records to a file. */
export const exporting: Case = {
  name: 'export',
  run: async () =>
    await withSetup({ records: 1_000_000 }, async (setup) => [await exportFile(setup, 1_000_000)]),
};

async function readItems(setup: Setup, count: number): Promise<Row> {
  const parameters = {
    resource: 'record',
    operation: 'getAll',
    application: LARGE,
    returnAll: true,
    options: {},
  };
  const ours = async () => await runOurs(setup.engine, parameters);
  const limit = async () => await readDirectly(setup, count);
  await ours();
  const times = await inTurn({ ours, limit }, 3);
  const items: unknown[] = [];
  const memory = await memoryGrowth(async () => items.push(await ours()));
  const held = await heldBy(async () => (await runOurs(setup.engine, parameters)).items);
  const toLimit = ratio(times.ours, times.limit);
  return {
    name: `Get Many, ${count} records of 20 parts`,
    ours: `${milliseconds(times.ours)}, ${memory.toFixed(0)} MB`,
    limit: `${milliseconds(times.limit)}, items alone ${held.toFixed(0)} MB`,
    ratios: { 'ours/limit': toLimit, 'memory/items': memory / held },
    goal: 'ours/limit <= 1.5, memory/items <= 1.5',
    met: toLimit <= 1.5 && memory / held <= 1.5,
  };
}

async function exportFile(setup: Setup, count: number): Promise<Row> {
  const parameters = {
    resource: 'record',
    operation: 'export',
    application: LARGE,
    format: 'csv',
    binaryPropertyName: 'data',
    options: {},
  };
  const ours = async () => await runOurs(setup.engine, parameters);
  const limit = async () => await readDirectly(setup, count);
  const times = await inTurn({ limit, ours }, 3);
  const memory = await memoryGrowth(ours);
  const toLimit = ratio(times.ours, times.limit);
  return {
    name: `Export, ${count} records to CSV`,
    ours: `${milliseconds(times.ours)}, ${memory.toFixed(0)} MB`,
    limit: milliseconds(times.limit),
    ratios: { 'ours/limit': toLimit },
    goal: 'ours/limit <= 1.3, memory growth <= 200 MB',
    met: toLimit <= 1.3 && memory <= 200,
  };
}

/** undici reading the same pages one after the other, the next one on its way while one is parsed. */
async function readDirectly({ direct, sandbox }: Setup, count: number): Promise<void> {
  const ids = await sandbox.partIds('large');
  const names = [...Object.keys(ids), 'revision'].map((name) => ({ field_name: name }));
  const page = async (offset: number) =>
    await direct.call({
      action: 'list_data',
      app_id: '@large',
      fields: JSON.stringify(names),
      sort_field_id: '1',
      sort_order: 'asc',
      offset: String(offset),
      limit: String(PAGE),
    });
  let next: Promise<unknown> = page(0);
  for (let offset = PAGE; offset < count; offset += PAGE) {
    const current = next;
    next = page(offset);
    await current;
  }
  await next;
}

/** What a result takes in memory, in MB, after a collection. */
async function heldBy(make: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const result = await make();
  globalThis.gc?.();
  const held = (process.memoryUsage().heapUsed - before) / 1e6;
  return result === undefined ? NaN : held;
}
