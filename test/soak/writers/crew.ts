import type { Ledger } from '../ledger/ledger';
import type { Random } from '../util/random';
import type { Shift } from '../world/shift';
import type { SoakService } from '../world/soakService';
import { addRows, deleteRows, download, updateRows, upload } from './contents';
import { Desk } from './desk';
import { Pool } from './pool';
import { create, guarded, overwrite, remove, upsert } from './records';

type Task = (desk: Desk) => Promise<void>;

/** Who works at the same time, and at which tasks. */
const CREW: Readonly<Record<string, readonly Task[]>> = {
  creator: [create],
  updater: [overwrite, overwrite, guarded],
  rival: [guarded, guarded, overwrite],
  matcher: [upsert],
  matcher2: [upsert, create],
  remover: [remove],
  rows: [addRows, updateRows, addRows, deleteRows],
  rows2: [addRows, updateRows],
  files: [upload, download],
  reader: [list, countAndExport],
};

/** Record > Get Many in its variants: filtered, sorted, all. */
async function list(desk: Desk): Promise<void> {
  const { random } = desk;
  const condition = [{ part: 'State', operator: 'equals', value: 'open', valueType: 'value' }];
  await desk.read('record getAll', {
    returnAll: random.chance(0.3),
    limit: random.integer(5, 60),
    ...(random.chance(0.5) && { filters: { condition } }),
    ...(random.chance(0.3) && { sort: { by: { part: 'Key', order: 'desc' } } }),
  });
}

/** Record > Count and Record > Export. */
async function countAndExport(desk: Desk): Promise<void> {
  await desk.read('record count', {});
  await desk.read('record export', { format: desk.random.pick(['csv', 'ndjson']) });
}

/** Lets everybody work until the shift ends and all runs are finished. @returns the number of runs. */
export async function work(
  service: SoakService,
  random: Random,
  ledger: Ledger,
  shift: Shift,
): Promise<number> {
  const pool = new Pool(service.app.records);
  const runs = await Promise.all(
    Object.entries(CREW).map(async ([name, tasks]) => {
      const desk = new Desk(name, service, pool, random.fork(name), ledger);
      let count = 0;
      for (; !shift.isOver(); count++) {
        await desk.random.pick(tasks)(desk);
        await shift.rest(desk.random.integer(0, 150));
      }
      return count;
    }),
  );
  return runs.reduce((sum, count) => sum + count, 0);
}
