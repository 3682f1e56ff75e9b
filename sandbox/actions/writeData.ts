import type { Call } from '../call/call.ts';
import { ServiceError, wrongParameter } from '../call/refusals.ts';
import { idOf } from '../parts/shapes.ts';
import type { Workbench } from '../records/workbench.ts';
import { readChanges } from '../records/write/readChanges.ts';
import { Writer } from '../records/write/writer.ts';
import type { DataRecord } from '../storage/dataRecord.ts';
import { namedRecord, runningApplication, type Answer, type Written } from './action.ts';

/** insert_data (interface.md, "insert_data (data addition)"). */
export function insertData(call: Call, workbench: Workbench): Answer {
  const { application, access } = runningApplication(call, workbench);
  if (!access.adds) {
    throw wrongParameter('app_id', 'names an application you may not add data to', 'noRightToRecord');
  }
  const changes = readChanges(call, workbench, application, undefined);
  const writer = new Writer(workbench, application, call.user);
  const record = workbench.storage.transaction(() => writer.insert(changes));
  return answerOf({ application, record, type: 'added' }, changes.automatic, workbench);
}

/** update_data (interface.md, "update_data (data change)"). */
export function updateData(call: Call, workbench: Workbench): Answer {
  const { application, access, record } = namedRecord(call, workbench);
  if (!access.writes(record)) {
    throw wrongParameter('data_id', `names data you may not change: "${record.id}"`, 'noRightToRecord');
  }
  checkRevision(call, record);
  const changes = readChanges(call, workbench, application, record);
  const writer = new Writer(workbench, application, call.user);
  workbench.storage.transaction(() => writer.update(record, changes));
  return answerOf({ application, record: record.id, type: 'updated' }, changes.automatic, workbench);
}

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

function answerOf(written: Written, isTold: boolean, { dialect }: Workbench): Answer {
  const body = { [dialect.insertKey]: idOf(written.record, dialect) };
  return isTold ? { body, written } : { body };
}
