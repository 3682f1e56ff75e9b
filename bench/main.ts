import { attachments } from './cases/attachments';
import { create } from './cases/create';
import { deletion } from './cases/delete';
import { loading } from './cases/loading';
import { parallel } from './cases/parallel';
import { growth } from './cases/growth';
import { exporting, getMany } from './cases/read';
import { sync } from './cases/sync';
import { triggerRequests, triggerScan } from './cases/trigger';
import { triggerState } from './cases/triggerState';
import { update } from './cases/update';
import { upsert } from './cases/upsert';
import { plot } from './plot/plot';
import { readResults, saveResults, Table, type Case } from './support/table';

/**
 * Every comparison. `npm run bench` runs all; `npm run bench -- create update` those that are named; `npm run bench -- --plot`
 * runs none, and draws the charts of docs/performance.md from the figures that are saved.
 */
const CASES: readonly Case[] = [
  loading,
  create,
  update,
  deletion,
  upsert,
  sync,
  getMany,
  exporting,
  parallel,
  triggerState,
  triggerScan,
  triggerRequests,
  attachments,
  growth,
];

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => !CASES.some((each) => each.name === name));
  if (unknown !== undefined) {
    throw new Error(
      `There is no comparison "${unknown}". There are: ${CASES.map(({ name }) => name).join(', ')}`,
    );
  }
  const table = new Table();
  for (const each of CASES.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const rows = await each.run();
    for (const row of rows) table.add(row);
    saveResults(each.name, rows);
  }
  table.sumUp();
}

const names = process.argv.slice(2);
(names.includes('--plot') ? plot(readResults()) : main(names)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
