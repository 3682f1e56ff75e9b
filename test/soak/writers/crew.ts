import type { Ledger } from '../ledger/ledger';
import type { Random } from '../util/random';
import type { Shift } from '../util/shift';
import type { SoakService } from '../world/soakService';
import { download, upload } from './attachments';
import { Desk } from './desk';
import { Pool } from './pool';
import { countAndExport, list } from './reads';
import { create, guarded, overwrite, remove, upsert } from './records';
import { addRows, deleteRows, updateRows } from './rows';

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
