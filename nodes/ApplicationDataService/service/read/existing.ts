import { partKey } from '../../parts/model/keys';
import { ownIdPart } from '../../parts/types/id';
import type { KeyMode } from '../../parts/model/part';
import { unless } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import { isRefusal } from '../http/errors';
import { MAX_LIST_LENGTH } from '../http/client';
import { assertOthersRead, assertRunning, readWholeList } from './absence';
import { countRecords, readId, readRecord } from './records';

const SECOND_LOOK_AFTER_MS = 500;

/**
 * Which of the ids exist. The service tells only how many it deleted, so what did not exist must be known before. Costs
 * one read per id (three if there is none, and the proof that the service is well), or one scan of the ids, whichever
 * is cheaper.
 * @throws ServiceError when the application does not answer well: then nothing is known of its records.
 */
export async function findExisting(
  app: ApplicationSession,
  ids: readonly string[],
  keyMode: KeyMode | null,
): Promise<Set<string>> {
  if (ids.length <= FEW_READS) return await readEach(app, ids);
  const count = await countRecords(app);
  const idPart = ownIdPart(app.application.parts);
  const idKey = idPart === null || keyMode === null ? '' : partKey(idPart, keyMode);
  if (idKey === '' || keyMode === null || ids.length < costOfScan(count)) return await readEach(app, ids);
  const wanted = new Set(ids);
  const found = new Set<string>();
  for await (const page of readWholeList(app, { parts: [], keyMode })) {
    for (const record of page) {
      const id = readId(record, idKey);
      if (id !== null && wanted.has(id)) found.add(id);
    }
    if (found.size === wanted.size) break;
  }
  return found;
}

/**
 * A refusal is about the record, or the service was in trouble for a moment: no number tells why it refuses. So who is
 * refused is asked for once more, a while later, and again after another record was read.
 */
async function readEach(app: ApplicationSession, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const lookForOthers = async (): Promise<void> => {
    for (const id of ids) if (!found.has(id) && (await exists(app, id))) found.add(id);
  };
  await lookForOthers();
  if (found.size === ids.length) return found;
  if (found.size === 0 && (await countRecords(app)) === 0) {
    await assertRunning(app);
    return found;
  }
  await app.client.wait(SECOND_LOOK_AFTER_MS);
  await lookForOthers();
  if (found.size === ids.length) return found;
  await assertOthersRead(app, [...found].at(-1));
  await lookForOthers();
  await assertRunning(app);
  return found;
}

async function exists(app: ApplicationSession, id: string): Promise<boolean> {
  return (await unless(isRefusal, async () => await readRecord(app, id, false))) !== null;
}

/** What a full page costs the service, in reads of a single record: measured. */
const FULL_PAGE = 25;

/** So few reads of single records that no count is needed to know that they are cheaper than reading all. */
export const FEW_READS = 3;

/** Records to read where a few keys were not found: all of a small application, and samples of a large one. */
export const FIRST_RECORDS = 150;

/** Records that cost as much to list as one that is read by itself. */
export const RECORDS_PER_READ = MAX_LIST_LENGTH / FULL_PAGE;

/**
 * What reading all of so many records costs the service, in reads of a single record: requests, and records besides,
 * because one queue serves everybody.
 */
export function costOfScan(count: number): number {
  return Math.max(1, Math.ceil(count / MAX_LIST_LENGTH)) + count / RECORDS_PER_READ;
}
