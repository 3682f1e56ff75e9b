import type { IDataObject } from 'n8n-workflow';

import { longestHold } from '../../test/support/longestHold';
import { TriggerEngine } from '../../test/support/triggerEngine';
import { withFilesystemStore } from '../support/binaryStore';
import { byId, goods, runOurs, withSetup, type Setup } from '../support/setup';
import type { Case, Row } from '../support/table';
import { EXPORT, GET_MANY } from '../support/reading';

/** Nothing may hold n8n's event loop for longer, in milliseconds. */
const MAX_BLOCK = 100;
/** The collector may come at any time: the least of these counts. */
const RUNS = 3;

const LARGE = 300_000;
const GET_LIMIT = 100_000;

const many = <T>(count: number, each: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => each(index));

/** The longest time for which work of many items, records or rows holds n8n's event loop. */
export const blocks: Case = {
  name: 'blocks',
  run: async () =>
    await withFilesystemStore(async () => [
      ...(await withSetup({}, async (setup) => [
        await createOrUpdate(setup),
        await syncAll(setup),
        await replaceRows(setup, 5000, 2),
        await replaceRows(setup, 1000, 50),
        await pollFiles(setup),
      ])),
      ...(await withSetup({ records: LARGE }, async ({ engine }) => [
        await rowOf(`Get Many, ${GET_LIMIT} records`, async () => {
          await runOurs(engine, { ...GET_MANY, returnAll: false, limit: GET_LIMIT });
        }),
        await rowOf(`Export, ${LARGE} records`, async () => void (await runOurs(engine, EXPORT))),
      ])),
    ]),
};

async function rowOf(name: string, run: () => Promise<void>): Promise<Row> {
  let block = Infinity;
  for (let runs = 0; runs < RUNS; runs++) block = Math.min(block, await longestHold(run));
  return {
    name: `longest block, ${name}`,
    ours: `${block.toFixed(0)} ms`,
    ratios: { block },
    goal: `at most ${MAX_BLOCK} ms`,
    met: block <= MAX_BLOCK,
  };
}

const good = (index: number) => ({
  json: { Code: `C${index}`, Name: `Good ${index}`, Price: String(index) },
});

async function createOrUpdate({ engine, sandbox }: Setup): Promise<Row> {
  const count = 20_000;
  const { id } = await goods(sandbox, count);
  const value = { Code: '={{ $json.Code }}', Name: '={{ $json.Name }}', Price: '={{ $json.Price }}' };
  const parameters = {
    ...{ resource: 'record', operation: 'upsert', application: byId(id), conflictPolicy: 'overwrite' },
    parts: { mappingMode: 'defineBelow', value, matchingColumns: ['Code'], schema: [] },
    options: {},
  };
  const input = many(count, good);
  return await rowOf(
    `Create or Update of ${count} items`,
    async () => void (await runOurs(engine, parameters, input)),
  );
}

async function syncAll({ engine, sandbox }: Setup): Promise<Row> {
  const count = 10_000;
  const { id } = await goods(sandbox, count);
  const parameters = {
    ...{ resource: 'record', operation: 'sync', application: byId(id), missing: 'delete' },
    parts: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['Code'], schema: [] },
    options: {},
  };
  const input = many(count, good);
  return await rowOf(`Sync of ${count} items`, async () => void (await runOurs(engine, parameters, input)));
}

/** Replaces all rows of one record by as many others. */
async function replaceRows({ engine, sandbox }: Setup, rows: number, columns: number): Promise<Row> {
  const children = many(columns, (column) => ({ name: `C${column}`, type: 'textbox' }));
  const rowsOf = (text: string): IDataObject[] =>
    many(rows, (row) => Object.fromEntries(children.map(({ name }) => [name, `${text} ${row} ${name}`])));
  const app = await sandbox.createApplication({
    name: 'Orders',
    identifier: `orders-${rows}`,
    parts: [{ name: 'Lines', type: 'input_list', children }],
    records: [{ Lines: rowsOf('old') }],
  });
  const parameters = {
    ...{ resource: 'record', operation: 'update', application: byId(app.id), recordId: app.records[0]! },
    parts: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
    ...{ conflictPolicy: 'overwrite', options: { tableRowMode: 'replace' } },
  };
  const inputs = many(RUNS, (run) => [{ json: { Lines: rowsOf(`new ${run}`) } }]);
  return await rowOf(`Update of ${rows} rows of ${columns} columns`, async () => {
    await runOurs(engine, parameters, inputs.pop());
  });
}

async function pollFiles({ sandbox }: Setup): Promise<Row> {
  const count = 3000;
  const app = await sandbox.createApplication({
    name: 'Archive',
    identifier: 'archive',
    parts: [{ name: 'Docs', type: 'files' }],
    records: [],
  });
  const Docs = ['a.txt', 'b.txt', 'c.txt'].map((name) => ({ name, text: name }));
  const trigger = new TriggerEngine(
    { baseUrl: sandbox.baseUrl, accessKey: sandbox.accessKey },
    { application: byId(app.id), events: ['created'], options: {} },
  );
  await trigger.activate();
  return await rowOf(`poll with ${count} new records of three files`, async () => {
    await sandbox.addRecords(
      app.id,
      many(count, () => ({ Docs })),
    );
    const items = await trigger.poll();
    if (items.length !== count) throw new Error(`The poll gave ${items.length} items.`);
  });
}
