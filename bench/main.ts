import { attachments } from './cases/attachments';
import { blocks } from './cases/blocks';
import { create } from './cases/create';
import { deletion } from './cases/delete';
import { loading } from './cases/loading';
import { parallel } from './cases/parallel';
import { flows } from './cases/flows';
import { growth } from './cases/growth';
import { peers } from './cases/peers';
import { exporting, getMany } from './cases/read';
import { scale } from './cases/scale';
import { slow } from './cases/slow';
import { stored } from './cases/stored';
import { sync } from './cases/sync';
import { triggerRequests, triggerScan } from './cases/trigger';
import { triggerState } from './cases/triggerState';
import { update } from './cases/update';
import { upsert } from './cases/upsert';
import { plot } from './plot/plot';
import { whatToInstall } from './support/installed';
import { time } from './support/measure';
import { readResults, saveResults, Table, type Case, type Row } from './support/table';

/**
 * Every comparison. `npm run bench` runs all; `npm run bench -- create update` runs those that you name; `npm run bench
 * -- --plot` runs none, and draws the charts of docs/performance.md from the saved figures.
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
  peers,
  parallel,
  triggerState,
  triggerScan,
  triggerRequests,
  attachments,
  blocks,
  scale,
  slow,
  stored,
  flows,
  growth,
];

/** Why the comparisons cannot run; `null` if they can. */
function obstacle(names: readonly string[]): string | null {
  const unknown = names.find((name) => !CASES.some((each) => each.name === name));
  if (unknown === undefined) return whatToInstall();
  return `There is no comparison "${unknown}". There are: ${CASES.map(({ name }) => name).join(', ')}`;
}

async function main(names: readonly string[]): Promise<void> {
  const table = new Table();
  for (const each of CASES.filter(({ name }) => names.length === 0 || names.includes(name))) {
    let rows: readonly Row[] = [];
    const ms = await time(async () => (rows = await each.run()));
    for (const row of rows) table.add(row);
    console.log(`  ${each.name}: ${(ms / 1000).toFixed(0)} s`);
    saveResults(each.name, rows);
  }
  table.sumUp();
}

async function start(names: readonly string[]): Promise<void> {
  if (names.includes('--plot')) return plot(readResults());
  const reason = obstacle(names);
  if (reason === null) return await main(names);
  console.error(reason);
  process.exitCode = 1;
}

start(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
