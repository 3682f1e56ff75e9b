import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import { withFilesystemStore } from '../support/binaryStore';
import { inTurn, milliseconds, ratio } from '../support/measure';
import type { ReadMemory } from '../support/readMemory';
import { runOurs, withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

const ROOT = join(__dirname, '..', '..');
const RUNS = 3;
const PAGE = 5000;
const LARGE = { __rl: true, mode: 'identifier', value: 'large' };

const GET_MANY = {
  resource: 'record',
  operation: 'getAll',
  application: LARGE,
  returnAll: true,
  options: {},
};

const EXPORT = {
  resource: 'record',
  operation: 'export',
  application: LARGE,
  format: 'csv',
  binaryPropertyName: 'data',
  options: {},
};

/** Get Many of 100,000 records of 20 parts. */
export const getMany: Case = {
  name: 'getMany',
  run: async () => [await readItems(100_000)],
};

/** Export of 1,000,000 records to a file, with the store of n8n that streams. */
export const exporting: Case = {
  name: 'export',
  run: async () => [await withFilesystemStore(async () => await exportFile(1_000_000))],
};

async function readItems(count: number): Promise<Row> {
  const times = await compare(GET_MANY, count);
  const { used, held } = memoryOf(GET_MANY, count);
  const toLimit = ratio(times.ours, times.limit);
  return {
    name: `Get Many, ${count} records of 20 parts`,
    ours: `${milliseconds(times.ours)}, ${used.toFixed(0)} MB`,
    limit: `${milliseconds(times.limit)}, items alone ${held.toFixed(0)} MB`,
    ratios: { 'ours/limit': toLimit, 'memory/items': used / held },
    goal: 'ours/limit <= 1.5, memory/items <= 1.5',
    met: toLimit <= 1.5 && used / held <= 1.5,
  };
}

async function exportFile(count: number): Promise<Row> {
  const times = await compare(EXPORT, count);
  const { resident } = memoryOf(EXPORT, count);
  const toLimit = ratio(times.ours, times.limit);
  return {
    name: `Export, ${count} records to CSV`,
    ours: `${milliseconds(times.ours)}, ${resident.toFixed(0)} MB`,
    limit: milliseconds(times.limit),
    ratios: { 'ours/limit': toLimit },
    goal: 'ours/limit <= 1.3, memory growth <= 200 MB',
    met: toLimit <= 1.3 && resident <= 200,
  };
}

/** Times of our node and of the limit, in turn. */
async function compare(
  parameters: INodeParameters,
  count: number,
): Promise<Record<'ours' | 'limit', number[]>> {
  return await withSetup({ records: count }, async (setup) => {
    await runOurs(setup.engine, { ...parameters, operation: 'getAll', returnAll: false, limit: 5 });
    return await inTurn(
      {
        ours: async () => await runOurs(setup.engine, parameters),
        limit: async () => await readDirectly(setup, count),
      },
      RUNS,
    );
  });
}

/** Memory of one run, in a process of its own. */
function memoryOf(parameters: INodeParameters, count: number): ReadMemory {
  const script = ['--expose-gc', '--import', './scripts/typescript.mjs', 'bench/support/readMemory.ts'];
  const output = execFileSync(process.execPath, [...script, JSON.stringify(parameters), String(count)], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return JSON.parse(output) as ReadMemory;
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
