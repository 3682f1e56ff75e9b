import { ownIdPart } from '../parts/lookup';
import { partKey } from '../parts/keys';
import type { KeyMode } from '../parts/part';
import { toServiceError } from './errors';
import { MAX_PAGE_LENGTH } from './paging';
import { countRecords, readId, readRecord, readRecords } from './records';
import type { ApplicationSession } from './session';

/**
 * Which of the ids exist. The service tells only how many it deleted, so what did not exist must be known before. Costs
 * one read per id, or one scan of the ids, whichever is fewer requests.
 * @throws ServiceError when the application itself does not answer: then nothing is known of its records.
 */
export async function findExisting(
  app: ApplicationSession,
  ids: readonly string[],
  keyMode: KeyMode | null,
): Promise<Set<string>> {
  const idPart = ownIdPart(app.application.parts);
  const idKey = idPart === null || keyMode === null ? '' : partKey(idPart, keyMode);
  const count = await countRecords(app);
  if (count === 0) return new Set();
  if (idKey === '' || keyMode === null || ids.length <= Math.ceil(count / MAX_PAGE_LENGTH)) {
    return await readEach(app, ids);
  }
  const wanted = new Set(ids);
  const found = new Set<string>();
  for await (const page of readRecords(app, { parts: [], keyMode })) {
    for (const record of page) {
      const id = readId(record, idKey);
      if (id !== null && wanted.has(id)) found.add(id);
    }
  }
  return found;
}

/** The application has answered a count before, so a refusal is about the record. */
async function readEach(app: ApplicationSession, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>();
  for (const id of ids) if (await exists(app, id)) found.add(id);
  return found;
}

async function exists(app: ApplicationSession, id: string): Promise<boolean> {
  try {
    await readRecord(app, id, false);
    return true;
  } catch (error) {
    const failure = toServiceError(error);
    if (failure.kind === 'refused') return false;
    throw toServiceError(failure);
  }
}
