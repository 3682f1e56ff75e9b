import type { Call } from '../call/call.ts';
import { ServiceError, wrongParameter } from '../call/refusals.ts';
import { idOf } from '../parts/shapes.ts';
import { readChanges } from '../records/write/readChanges.ts';
import { Writer } from '../records/write/writer.ts';
import type { DataRecord } from '../storage/dataRecord.ts';
import type { Workbench } from '../records/workbench.ts';
import { namedRecord, runningApplication, type Action, type Answer, type Written } from './action.ts';

/** update_data (interface.md, "update_data (data change)"). */
export const updateData: Action = {
  name: 'update_data',
  module: 'data',
  run(call: Call, workbench: Workbench): Answer {
    const { application, access } = runningApplication(call, workbench);
    const record = namedRecord(call, workbench, application, access);
    if (!access.writes(record)) {
      throw wrongParameter('data_id', `names data you may not change: "${record.id}"`, 'noRightToRecord');
    }
    checkRevision(call, record);
    const changes = readChanges(call, workbench, application, record);
    workbench.storage.transaction(() =>
      new Writer(workbench, application, call.user).update(record, changes),
    );
    const { id } = record;
    const written = changes.automatic ? { application, record: id, type: 'updated' as const } : undefined;
    return writtenAnswer(id, workbench, written);
  },
};

/** 0 skips the check (interface.md, "Limits"). */
function checkRevision(call: Call, record: DataRecord): void {
  const text = call.parameters.required('{{revision}}');
  if (!/^\d{1,15}$/.test(text)) {
    throw wrongParameter('{{revision}}', `must be an integer, 0 or more, not "${text}"`);
  }
  const revision = Number(text);
  if (revision === 0 || revision === record.revision) return;
  throw new ServiceError(
    'revisionConflict',
    `The parameter {{revision}} is ${revision}, but the data has been changed to revision ${record.revision}`,
    'revision',
  );
}

/** The answer of insert_data and update_data. */
export function writtenAnswer(id: number, { dialect }: Workbench, written: Written | undefined): Answer {
  const body = { [dialect.insertKey]: idOf(id, dialect) };
  return written === undefined ? { body } : { body, written };
}
