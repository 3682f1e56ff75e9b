import { attachments } from './cases/attachments';
import { create } from './cases/create';
import { deletion } from './cases/delete';
import { loading } from './cases/loading';
import { parallel } from './cases/parallel';
import { exporting, getMany } from './cases/read';
import { triggerRequests, triggerScan } from './cases/trigger';
import { triggerState } from './cases/triggerState';
import { update } from './cases/update';
import { upsert } from './cases/upsert';
import { Table, type Case } from './support/table';

/** Every comparison. `npm run bench` runs all; `npm run bench -- create update` those that are named. */
const CASES: readonly Case[] = [
  loading,
  create,
  update,
  deletion,
  upsert,
  getMany,
  exporting,
  parallel,
  triggerState,
  triggerScan,
  triggerRequests,
  attachments,
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
    for (const row of await each.run()) table.add(row);
  }
  table.save();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
