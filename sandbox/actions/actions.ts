import type { Action } from './action.ts';
import { getApp, listApplabels, listApps } from './catalogue.ts';
import { deleteData } from './deleteData.ts';
import { downloadDataFile, getData } from './getData.ts';
import { countData, listData } from './listData.ts';
import { insertData, updateData } from './writeData.ts';

/** The ten actions of the interface by name, in the modules that offer them. */
export const actions = {
  data: new Map<string, Action>([
    ['list_data', listData],
    ['count_data', countData],
    ['get_data', getData],
    ['insert_data', insertData],
    ['update_data', updateData],
    ['delete_data', deleteData],
    ['list_applabels', listApplabels],
    ['list_apps', listApps],
    ['get_app', getApp],
  ]),
  suite: new Map<string, Action>([['download_data_file', downloadDataFile]]),
} as const;
