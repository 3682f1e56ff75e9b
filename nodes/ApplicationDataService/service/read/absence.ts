import { partKey } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import { listedIdPart, ownIdPart } from '../../parts/types/id';
import { settle, type Settled, unless } from '../../util/concurrently';
import { fetchApplication, isRunning } from '../application/definition';
import type { ApplicationSession } from '../application/session';
import { MAX_LIST_LENGTH } from '../http/client';
import { isRefusal, ServiceError, toServiceError } from '../http/errors';
import type { ListQuery, RawRecord } from './recordList';
import { countRecords, readId, readRecord, readRecords, withoutId } from './records';

/**
 * A missing record proves nothing unless the application is running afterwards: one under maintenance, or stopped, may
 * leave records out or refuse them.
 * @throws ServiceError if it is not.
 */
export async function assertRunning(app: ApplicationSession): Promise<void> {
  const application = await fetchApplication(app.client, app.reference);
  if (isRunning(application)) return;
  throw new ServiceError(
    'refused',
    `The application "${application.name}" is not running (${application.status}), so a record that it does not return may still exist`,
    'Run the workflow again when the application is running.',
  );
}

/**
 * Makes sure that refused reads were about the records: the others read well, and the application is running
 * afterwards.
 * @param known the id of a record that is there, if one is known.
 * @throws ServiceError if that is not so: then nothing is known of the refused records.
 */
export async function assertAnswersWell(app: ApplicationSession, known?: string): Promise<void> {
  await assertOthersRead(app, known);
  await assertRunning(app);
}

/**
 * Makes sure that another record reads well, or, if none is left, that a count says so. No number of the service tells
 * why it refuses.
 */
async function assertOthersRead(app: ApplicationSession, known?: string): Promise<void> {
  const other = known ?? (await otherRecord(app));
  if (other !== null) {
    const read = await settle(async () => await readRecord(app, other, false));
    if ('error' in read) throw refusesAll(toServiceError(read.error));
  } else if ((await countRecords(app)) > 0) {
    throw refusesAll(null);
  }
}

/** The first record of the application; `null` if there is none, or its id is not given. */
async function otherRecord(app: ApplicationSession): Promise<string | null> {
  const idPart = ownIdPart(app.application.parts);
  const keyMode = (await app.keyMode()) ?? 'name';
  if (idPart === null || partKey(idPart, keyMode) === '') return null;
  for await (const [record] of readRecords(app, { parts: [], keyMode, limit: 1 })) {
    return record === undefined ? null : readId(record, partKey(idPart, keyMode));
  }
  return null;
}

function refusesAll(cause: ServiceError | null): ServiceError {
  const reason = cause === null ? '' : ` ${cause.message}.`;
  return new ServiceError(
    'refused',
    'The service refuses to return records that may exist, and also one that does exist',
    `So nothing is known about them.${reason} Try again later.`,
  );
}

/**
 * Reads all records that a query names, page by page, each once, as a proof of what is not among them: once it has come
 * to its end, the whole list was read (the last page was empty, or a count asked afterwards is that of the records
 * read), and the application, asked after that, is running. Whoever has found what it looks for may stop before.
 * @throws UserError if the application's lists carry no record ids.
 * @throws ServiceError if it is not known that all was read, or the application is not running.
 */
export async function* readWholeList(app: ApplicationSession, query: ListQuery): AsyncGenerator<RawRecord[]> {
  yield* readToEnd(app, query);
  await assertRunning(app);
}

/**
 * The same for what is proven otherwise, or not looked for: it says nothing of the state of the application.
 * @param first records of the first page, for who may stop after it.
 */
export async function* readToEnd(
  app: ApplicationSession,
  query: ListQuery,
  first?: number,
): AsyncGenerator<RawRecord[]> {
  const idKey = partKey(listedIdPart(app.application.parts, query.keyMode), query.keyMode);
  for await (const page of readRecords(app, query, { proof: 'strict', first })) {
    if (page.some((record) => readId(record, idKey) === null))
      throw withoutId('it is not known which records are there');
    yield page;
  }
}

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
    const exists = async (id: string): Promise<boolean> =>
      (await unless(isRefusal, async () => await readRecord(app, id, false))) !== null;
    for (const id of ids) if (!found.has(id) && (await exists(id))) found.add(id);
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

/**
 * A refusal in words for a person: a part by its name, and, if it is about a record that cannot be read while the
 * application answers well otherwise, that there is no such record. No number of the service tells that, so it is
 * looked up; anything that is not known stays as the service says it.
 */
export async function explainRefusal(app: ApplicationSession, failure: unknown): Promise<unknown> {
  if (!isRefusal(failure)) return failure;
  const { partKey, recordId } = failure.details;
  if (partKey !== undefined) return withName(failure, partKey, app.application.parts);
  return recordId === undefined ? failure : await aboutRecord(app, failure, recordId);
}

async function aboutRecord(
  app: ApplicationSession,
  failure: ServiceError,
  recordId: string,
): Promise<ServiceError> {
  const { name } = app.application;
  const look = await lookOnce(app);
  if ('error' in look) return failure;
  if (look.value !== '') {
    return failure.reworded(
      `The application "${name}" is not running (${look.value})`,
      'Run the workflow again when the application is running.',
      failure.message,
    );
  }
  const read = await settle(async () => await readRecord(app, recordId, false));
  if ('value' in read || !isRefusal(read.error)) return failure;
  return failure.reworded(`There is no record ${recordId} in ${name}`, advice(recordId), failure.message);
}

/** As far as is known, IDs are numbers; the interface does not say so. */
function advice(recordId: string): string {
  return /^\d+$/.test(recordId)
    ? 'Check the ID. The record may have been deleted, or you have no right to see it.'
    : 'Check the ID: it is usually a number, which Get Many returns as "id". To find a record by something else, select it from the list, or use Get Many with a filter.';
}

/** The status of an application that is not running; empty if it is, and gives its records. One look serves a run. */
async function lookOnce(app: ApplicationSession): Promise<Settled<string>> {
  const look = async (): Promise<string> => {
    const application = await fetchApplication(app.client, app.reference);
    if (!isRunning(application)) return application.status;
    await assertAnswersWell(app);
    return '';
  };
  return await app.memo.get('status', async () => await settle(look));
}

/** The service names a part by its key, which may be an identifier that nobody sees. */
function withName(failure: ServiceError, key: string, parts: readonly Part[]): ServiceError {
  const part = parts
    .flatMap((each) => [each, ...each.children])
    .find(({ name, identifier }) => name === key || identifier === key);
  if (part === undefined || part.name === key) return failure;
  const named = (text: string): string => text.replaceAll(`"${key}"`, `"${part.name}"`);
  return failure.reworded(named(failure.message), named(failure.description));
}
