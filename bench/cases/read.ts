import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { withFilesystemStore } from '../support/binaryStore';
import { costsInTurn, median, milliseconds, ratio, type Costs } from '../support/measure';
import { memoryOf } from '../support/memory';
import { type Form, runHelper } from '../support/peer';
import { EXPORT, GET_MANY } from '../support/reading';
import { runOurs, withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

const RUNS = 5;
const PAGE = 5000;

/** Get Many of 100,000 records of 20 parts. */
export const getMany: Case = {
  name: 'getMany',
  run: async () => [await readItems(100_000)],
};

/**
 * Export to a file, with n8n's store that streams: 100,000 records show the cost of each, 300,000 show that memory does
 * not grow. A million would show nothing more.
 */
export const exporting: Case = {
  name: 'export',
  run: async () => [
    await withFilesystemStore(async () => await exportFile(100_000, 300_000)),
    exportAny(100_000),
  ],
};

async function readItems(count: number): Promise<Row> {
  const { ours, helper, limit } = await compare(GET_MANY, count);
  const { live, held } = memoryOf('ours', 'getMany', count);
  const ratios = { ...ratiosOf(ours, helper, limit), 'live memory/items': live / held };
  return {
    name: `Get Many, ${count} records of 20 parts`,
    ours: `${formatCosts(ours)}, ${live.toFixed(0)} MB live`,
    peer: `helper alone ${formatCosts(helper)}`,
    limit: `${formatCosts(limit)}, items alone ${held.toFixed(0)} MB`,
    ratios,
    goal: 'ours/helper <= 1.1, processor <= 1.1, live memory/items <= 1.3',
    met: isNearHelper(ratios) && ratios['live memory/items'] <= 1.3,
    figures: { unit: 'ms', ours: median(ours.wall), limit: median(limit.wall) },
  };
}

async function exportFile(count: number, inMemory: number): Promise<Row> {
  const { ours, helper, limit } = await compare(EXPORT, count);
  const { live } = memoryOf('ours', 'export', inMemory);
  const ratios = ratiosOf(ours, helper, limit);
  return {
    name: `Export, ${count} records to CSV`,
    ours: `${formatCosts(ours)}, ${live.toFixed(0)} MB live with ${inMemory} records`,
    peer: `helper alone ${formatCosts(helper)}`,
    limit: formatCosts(limit),
    ratios,
    goal: 'ours/helper <= 1.1, processor <= 1.1, at most 80 MB live',
    met: isNearHelper(ratios) && live <= 80,
    figures: { unit: 'ms', ours: median(ours.wall), limit: median(limit.wall) },
  };
}

/** Three lists, which are joined while they are read. */
function exportAny(count: number): Row {
  const { live } = memoryOf('ours', 'exportAny', count);
  return {
    name: `Export, ${count} records that meet any of three conditions`,
    ours: `${live.toFixed(0)} MB live`,
    ratios: { 'live MB': live },
    goal: 'at most 150 MB live',
    met: live <= 150,
  };
}

/** A node has to call the service by the helper, so that is the limit; undici stands beside it for information. */
function ratiosOf(ours: Costs, helper: Costs, limit: Costs) {
  return {
    'ours/helper': ratio(ours.wall, helper.wall),
    processor: ratio(ours.processor, helper.processor),
    'ours/limit': ratio(ours.wall, limit.wall),
    'helper/limit': ratio(helper.wall, limit.wall),
  };
}

function isNearHelper(ratios: ReturnType<typeof ratiosOf>): boolean {
  return ratios['ours/helper'] <= 1.1 && ratios.processor <= 1.1;
}

function formatCosts({ wall, processor }: Costs): string {
  return `${milliseconds(wall)} (${median(processor).toFixed(0)} of processor)`;
}

/**
 * Measures our node, n8n's own helper, which keeps what it has read as a node has to, and the limit in turn. One page is
 * on its way at a time: two would stand behind each other in the one queue of the service.
 */
async function compare(
  parameters: INodeParameters,
  count: number,
): Promise<Record<'ours' | 'helper' | 'limit', Costs>> {
  return await withSetup({ records: count }, async (setup) => {
    await runOurs(setup.engine, { ...parameters, operation: 'getAll', returnAll: false, limit: 5 });
    const pages = await pageForms(setup, count);
    return await costsInTurn(
      {
        ours: async () => await runOurs(setup.engine, parameters),
        helper: async () => await runHelper(setup.engine, setup.url, pages, 1),
        limit: async () => await readDirectly(setup, pages),
      },
      RUNS,
    );
  });
}

/** The requests for all pages. */
async function pageForms({ sandbox }: Setup, count: number): Promise<readonly Form[]> {
  const ids = await sandbox.partIds('large');
  const names = [...Object.keys(ids), 'revision'].map((name) => ({ field_name: name }));
  return Array.from({ length: Math.ceil(count / PAGE) }, (_, page) => ({
    action: 'list_data',
    app_id: '@large',
    fields: JSON.stringify(names),
    sort_field_id: '1',
    sort_order: 'asc',
    offset: String(page * PAGE),
    limit: String(PAGE),
  }));
}

/** undici reads the same pages, and keeps the records: what is dropped at once costs the collector nothing. */
async function readDirectly({ direct }: Setup, pages: readonly Form[]): Promise<INodeExecutionData[]> {
  const items: INodeExecutionData[] = [];
  for (const form of pages) for (const item of await direct.items(form)) items.push(item);
  return items;
}
