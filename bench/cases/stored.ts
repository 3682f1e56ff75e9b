import { stringify } from 'flatted';
import type { INodeParameters } from 'n8n-workflow';

import { byId, goods, runOurs, withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';

const ITEMS = 1000;
/** Bytes for each item. */
const MOST = { dry: 400, done: 150 };

const AUTO = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Code'], schema: [] };

/** What n8n's database keeps of writes of 1,000 items, and of their dry runs. */
export const stored: Case = {
  name: 'stored',
  run: async () =>
    await withSetup({}, async (setup) => {
      const rows: Row[] = [];
      for (const isDry of [true, false]) {
        rows.push(await rowOf(setup, 'Create', isDry, { operation: 'create', parts: AUTO }));
        rows.push(
          await rowOf(setup, 'Update', isDry, {
            operation: 'update',
            recordId: '={{ $json.id }}',
            parts: AUTO,
          }),
        );
        rows.push(await rowOf(setup, 'Create or Update', isDry, { operation: 'upsert', parts: AUTO }));
        rows.push(await rowOf(setup, 'Sync', isDry, { operation: 'sync', missing: 'keep', parts: AUTO }));
        rows.push(await rowOf(setup, 'Delete', isDry, { operation: 'delete', recordId: '={{ $json.id }}' }));
      }
      return rows;
    }),
};

async function rowOf(
  { engine, sandbox }: Setup,
  name: string,
  isDry: boolean,
  parameters: INodeParameters,
): Promise<Row> {
  const { id: application, records } = await goods(sandbox, ITEMS);
  const isNew = name === 'Create';
  const input = records.map((id, index) => ({
    json: {
      ...(!isNew && { id }),
      Code: `${isNew ? 'N' : 'C'}${index}`,
      Name: `Changed ${index}`,
      Price: String(index),
    },
  }));
  const common = {
    resource: 'record',
    application: byId(application),
    options: isDry ? { dryRun: true } : {},
  };
  const { run } = await runOurs(engine, { ...common, ...parameters }, input);
  const result = bytesOf(run.data.resultData.runData['Application Data Service']);
  const perItem = result / ITEMS;
  const most = isDry ? MOST.dry : MOST.done;
  return {
    name: `Stored, ${name} of ${ITEMS} items${isDry ? ', dry run' : ''}`,
    ours: `${kilobytes(result)} of the node, ${kilobytes(bytesOf(run.data))} in all`,
    ratios: { 'bytes/item': perItem },
    goal: `at most ${most} bytes an item`,
    met: perItem <= most,
  };
}

/** As n8n writes it into its database. */
function bytesOf(data: unknown): number {
  return Buffer.byteLength(stringify(data));
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0)} kB`;
}
