import type { Call } from '../call/call.ts';
import { wrongParameter } from '../call/refusals.ts';
import { readChanges } from '../records/write/readChanges.ts';
import { Writer } from '../records/write/writer.ts';
import type { Workbench } from '../records/workbench.ts';
import { runningApplication, type Action, type Answer } from './action.ts';
import { writtenAnswer } from './updateData.ts';

/** insert_data (interface.md, "insert_data (data addition)"). */
export const insertData: Action = {
  name: 'insert_data',
  module: 'data',
  run(call: Call, workbench: Workbench): Answer {
    const { application, access } = runningApplication(call, workbench);
    if (!access.adds) {
      throw wrongParameter('app_id', 'names an application you may not add data to', 'noRightToRecord');
    }
    const changes = readChanges(call, workbench, application, undefined);
    const record = workbench.storage.transaction(() =>
      new Writer(workbench, application, call.user).insert(changes),
    );
    const written = changes.automatic ? { application, record, type: 'added' as const } : undefined;
    return writtenAnswer(record, workbench, written);
  },
};
