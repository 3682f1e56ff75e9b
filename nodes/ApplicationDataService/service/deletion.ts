import { ownIdPart } from '../parts/lookup';
import { partKey } from '../parts/keys';
import type { KeyMode } from '../parts/part';
import { readText } from '../parts/wire';
import { ServiceError, toServiceError } from './errors';
import { MAX_PAGE_LENGTH } from './paging';
import { countRecords, readId, readRecord, readRecords } from './records';
import type { ApplicationSession } from './session';

/** Ids in one request: how many the service takes is not documented, and a refusal concerns all of them. */
const IDS_PER_REQUEST = 200;

/** What became of the ids that were to be deleted. */
export interface Deletion {
  readonly deleted: ReadonlySet<string>;
  /** Did not exist before. */
  readonly notFound: ReadonlySet<string>;
  /** Still there, with the reason. */
  readonly failed: ReadonlyMap<string, ServiceError>;
}

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

/**
 * Deletes records in few requests (interface.md, "delete_data"). A refused request is halved until the culprit is alone;
 * after a smaller count than asked, or a lost answer, the records themselves are looked at.
 * @param existing ids that were found to exist.
 * @param goOn asked before each request.
 */
export async function deleteRecords(
  app: ApplicationSession,
  existing: readonly string[],
  goOn: () => boolean = () => true,
): Promise<Omit<Deletion, 'notFound'>> {
  const deleted = new Set<string>();
  const failed = new Map<string, ServiceError>();
  const queue = chunks(existing, IDS_PER_REQUEST);
  for (let ids = queue.shift(); ids !== undefined && goOn(); ids = queue.shift()) {
    const failure = await deleteChunk(app, ids);
    if (failure === null) {
      ids.forEach((id) => deleted.add(id));
      continue;
    }
    const remaining =
      ids.length === 1 && failure.kind === 'refused' ? ids : await remainingOf(app, ids, failure);
    ids.filter((id) => !remaining.includes(id)).forEach((id) => deleted.add(id));
    if (remaining.length > 1 && failure.kind === 'refused') queue.unshift(...halves(remaining));
    else remaining.forEach((id) => failed.set(id, failure));
  }
  return { deleted, failed };
}

/** Sends one request; `null` when it deleted all that it named. */
async function deleteChunk(app: ApplicationSession, ids: readonly string[]): Promise<ServiceError | null> {
  try {
    const { delete_count: count } = await app.client.call('delete_data', [
      ['app_id', app.reference],
      ['data_id', ids.join(',')],
    ]);
    if (Number(readText(count)) === ids.length) return null;
    const one = ids.length === 1;
    return new ServiceError(
      'refused',
      one
        ? `The service did not delete the record ${ids[0] ?? ''}`
        : 'The service did not delete all records',
      'You may have no right to delete it, or it is locked in the application.',
    );
  } catch (error) {
    return toServiceError(error);
  }
}

/** The ids that still exist. Where that cannot be found out, all count as not deleted. */
async function remainingOf(
  app: ApplicationSession,
  ids: readonly string[],
  failure: ServiceError,
): Promise<string[]> {
  if (!['refused', 'outcomeUnknown'].includes(failure.kind)) return [...ids];
  try {
    const found = await findExisting(app, ids, await app.keyMode());
    return ids.filter((id) => found.has(id));
  } catch {
    return [...ids];
  }
}

function chunks(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}

function halves(ids: readonly string[]): string[][] {
  return chunks(ids, Math.ceil(ids.length / 2));
}
