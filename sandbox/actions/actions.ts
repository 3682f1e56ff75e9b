import type { Action } from './action.ts';
import { countData } from './countData.ts';
import { deleteData } from './deleteData.ts';
import { downloadDataFile } from './downloadDataFile.ts';
import { getApp } from './getApp.ts';
import { getData } from './getData.ts';
import { insertData } from './insertData.ts';
import { listApplabels } from './listApplabels.ts';
import { listApps } from './listApps.ts';
import { listData } from './listData.ts';
import { updateData } from './updateData.ts';

const all: readonly Action[] = [
  listData,
  countData,
  getData,
  downloadDataFile,
  insertData,
  updateData,
  deleteData,
  listApplabels,
  listApps,
  getApp,
];

/** The ten actions of the interface, by name. */
export const actions: ReadonlyMap<string, Action> = new Map(all.map((action) => [action.name, action]));
