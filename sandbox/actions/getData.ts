import type { Call } from '../call/call.ts';
import { wrongParameter } from '../call/refusals.ts';
import { findPart } from '../records/read/keys.ts';
import type { Workbench } from '../records/workbench.ts';
import { namedRecord, runningApplication, type Answer } from './action.ts';

/** get_data (interface.md, "get_data (data reference)"). */
export function getData(call: Call, workbench: Workbench): Answer {
  const relatedLists = call.parameters.oneOf('load_rel_list', ['on', 'off'], 'on') === 'on';
  const { application, record } = namedRecord(call, workbench);
  const reading = { parts: application.parts, revision: true, permissions: true, relatedLists };
  return { members: `"record":${workbench.reader(call, application, reading).write(record)}` };
}

/** download_data_file (interface.md, "download_data_file (attachment download)"). */
export function downloadDataFile(call: Call, workbench: Workbench): Answer {
  const { application, access } = runningApplication(call, workbench);
  const fieldId = call.parameters.required('field_id');
  const part = /^\d+$/.test(fieldId) ? findPart(application, Number(fieldId)) : undefined;
  if (part?.type !== 'files') {
    throw wrongParameter('field_id', `names no attachment part: "${fieldId}"`, 'unknownPart');
  }
  const id = call.parameters.required('id');
  const file = /^\d{1,15}$/.test(id)
    ? workbench.storage.files.find(application.id, part.id, workbench.fileId(Number(id)))
    : undefined;
  const record = file && workbench.storage.records.get(application.id, file.record);
  if (!file || !record) throw wrongParameter('id', `names no file: "${id}"`, 'unknownFile');
  if (!access.reads(record) || access.part(part) === 'none') {
    throw wrongParameter('id', `names a file you have no right to: "${id}"`, 'noRightToRecord');
  }
  return { file };
}
