import type { Call } from '../call/call.ts';
import { wrongParameter, type ServiceError } from '../call/refusals.ts';
import { countOf } from '../parts/shapes.ts';
import type { Workbench } from '../records/workbench.ts';
import { recordIdOf, runningApplication, type Answer } from './action.ts';

/** delete_data (interface.md, "delete_data (data deletion)"). */
export function deleteData(call: Call, workbench: Workbench): Answer {
  const { storage, dialect } = workbench;
  const { application, access } = runningApplication(call, workbench);
  const ids = readIds(call, dialect.deleteIds);
  const deletable: number[] = [];
  const refused: string[] = [];
  for (const text of ids) {
    const id = recordIdOf(text);
    const record = id === undefined ? undefined : storage.records.get(application.id, id);
    if (record && access.reads(record) && access.deletes(record)) deletable.push(record.id);
    else refused.push(text);
  }
  if (refused.length > 0 && (ids.length === 1 || dialect.multiDelete === 'none')) throw undeletable(refused);
  storage.transaction(() => {
    storage.records.delete(application.id, deletable);
    storage.files.removeOf(application.id, deletable);
  });
  if (refused.length > 0 && dialect.multiDelete === 'all') throw undeletable(refused);
  return { body: { delete_count: countOf(deletable.length, dialect) } };
}

/** Reads the IDs from a comma-separated list, from a repeated parameter, or both, without duplicates. */
function readIds(call: Call, most: number): string[] {
  call.parameters.required('data_id');
  const sent = call.parameters.all('data_id').flatMap((value) => value.split(','));
  const ids = [...new Set(sent.map((id) => id.trim()).filter((id) => id !== ''))];
  const wrong = ids.find((id) => !/^\d+$/.test(id));
  if (wrong !== undefined) {
    throw wrongParameter('data_id', `takes ids of data, not "${wrong}"`);
  }
  if (ids.length === 0) throw wrongParameter('data_id', 'is missing', 'missingParameter');
  if (most > 0 && ids.length > most) {
    throw wrongParameter('data_id', `takes at most ${most} ids, not ${ids.length}`, 'tooLarge');
  }
  return ids;
}

function undeletable(ids: readonly string[]): ServiceError {
  const shown = ids.slice(0, 5).join(', ');
  return wrongParameter('data_id', `names data that cannot be deleted: ${shown}`, 'undeletable');
}
