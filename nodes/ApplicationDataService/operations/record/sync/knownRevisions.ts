import { storedKey } from '../../../parts/compare';
import { simplifyRecord } from '../../../parts/record';
import { readRecord } from '../../../service/read/records';
import { concurrently } from '../../../util/concurrently';
import type { MissingRecord } from './recordScan';
import type { SyncWork } from './syncWork';
import { keyText } from '../../../service/read/keyedRecords';
import { CALLS_AT_ONCE } from '../../../service/application/session';

/** No record has this revision, so a record known under it counts as changed. */
const NO_REVISION = -1;

/**
 * The records with their revisions. If lists contain none, each record is read, and must still be the one that was listed.
 * @throws ServiceError of the first that cannot be read.
 */
export async function withRevisions(
  work: SyncWork,
  missing: readonly MissingRecord[],
): Promise<readonly MissingRecord[]> {
  const { item } = work;
  const tasks = missing.map((record) => async () => await withRevision(work, record));
  const signal = item.run.context.getExecutionCancelSignal();
  const flow = { limit: CALLS_AT_ONCE, stopOnError: true, ...(signal && { signal }) };
  const read = await concurrently(tasks, flow);
  return missing.map((record, index) => {
    const result = read[index];
    if (result !== undefined && 'error' in result) throw result.error;
    return result?.value ?? record;
  });
}

async function withRevision(
  { app, context, parts, removal }: SyncWork,
  missing: MissingRecord,
): Promise<MissingRecord> {
  if (missing.revision !== null) return missing;
  const raw = await readRecord(app, missing.id, false);
  const record = simplifyRecord(raw, app.application.parts, { keyMode: context.keyMode });
  const isSame = keyText(storedKey(parts, record, context)) === keyText(missing.key);
  return { ...missing, revision: isSame && removal.scope.meets(raw) ? record.revision : NO_REVISION };
}
