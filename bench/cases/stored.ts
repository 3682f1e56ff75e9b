import { stringify } from 'flatted';
import type { INodeParameters } from 'n8n-workflow';

import { byId, goods, runOurs, withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

const ITEMS = 1000;
/** Bytes for each item. */
const MOST = { dry: 400, done: 150 };

const AUTO = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Code'], schema: [] };

/** What n8n's database keeps of a write of 1,000 items, and of its dry run. */
export const stored: Case = {
  name: 'stored',
  run: async () =>
    await withSetup({}, async (setup) => [
      await rowOf(setup, 'Create', { operation: 'create', parts: AUTO }),
      await rowOf(setup, 'Update', { operation: 'update', recordId: '={{ $json.id }}', parts: AUTO }),
      await rowOf(setup, 'Create or Update', { operation: 'upsert', parts: AUTO }),
      await rowOf(setup, 'Sync', { operation: 'sync', missing: 'keep', parts: AUTO }),
      await rowOf(setup, 'Delete', { operation: 'delete', recordId: '={{ $json.id }}' }),
    ]),
};

async function rowOf(setup: Setup, name: string, parameters: INodeParameters): Promise<Row> {
  const dry = await bytesPerItem(setup, name === 'Create', { ...parameters, options: { dryRun: true } });
  const done = await bytesPerItem(setup, name === 'Create', { ...parameters, options: {} });
  return {
    name: `Stored, ${name} of ${ITEMS} items`,
    ours: `${done.toFixed(0)} bytes an item; dry run ${dry.toFixed(0)}`,
    ratios: {},
    goal: `at most ${MOST.done} bytes an item, dry run ${MOST.dry}`,
    met: done <= MOST.done && dry <= MOST.dry,
  };
}

/** The node's part of a saved execution. */
async function bytesPerItem(
  { engine, sandbox }: Setup,
  isNew: boolean,
  parameters: INodeParameters,
): Promise<number> {
  const { id: application, records } = await goods(sandbox, ITEMS);
  const input = records.map((id, index) => ({
    json: {
      ...(!isNew && { id }),
      ...{ Code: `${isNew ? 'N' : 'C'}${index}`, Name: `Changed ${index}`, Price: String(index) },
    },
  }));
  const common = { resource: 'record', application: byId(application) };
  const { run } = await runOurs(engine, { ...common, ...parameters }, input);
  return bytesOf(run.data.resultData.runData['Application Data Service']) / ITEMS;
}

/** As n8n writes it into its database. */
function bytesOf(data: unknown): number {
  return Buffer.byteLength(stringify(data));
}
