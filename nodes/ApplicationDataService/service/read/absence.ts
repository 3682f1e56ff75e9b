import { partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { listedIdPart, ownIdPart } from '../../parts/types/id';
import { settle, type Settled } from '../../util/concurrently';
import { fetchApplication, isRunning } from '../application/definition';
import type { ApplicationSession } from '../application/session';
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
export async function assertOthersRead(app: ApplicationSession, known?: string): Promise<void> {
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
  for await (const page of readRecords(app, query, {
    proof: 'strict',
    ...(first !== undefined && { first }),
  })) {
    if (page.some((record) => readId(record, idKey) === null))
      throw withoutId('it is not known which records are there');
    yield page;
  }
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
