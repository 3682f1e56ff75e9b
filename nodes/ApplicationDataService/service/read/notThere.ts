import { partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { listedIdPart, ownIdPart } from '../../parts/types/id';
import { nullIf } from '../../util/concurrently';
import { assertRunning, NotRunningError } from '../application/definition';
import type { ApplicationSession } from '../application/session';
import { MAX_LIST_LENGTH } from '../http/client';
import { type FailureKind, isRefusal, ServiceError, toServiceError } from '../http/errors';
import { countRecords, listParts, readId, readPages } from './recordList';
import { readRecord } from './records';

/**
 * Which of the records that were just refused are not there: no number tells. It means that only after another record
 * was read, they were refused again after that, and the application is running. One look serves all.
 * @param other the ID of a record that should be there, if one is known.
 * @throws UserError, ServiceError where nothing is known.
 */
export async function findMissing(
  app: ApplicationSession,
  refused: readonly string[],
  other?: string,
): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  if (refused.length === 0) return missing;
  await assertOthersRead(app, other).catch(async (error: unknown) => {
    if (!isRefusal(error)) throw error;
    // These are better reasons: an application that is not running, and lists without IDs.
    await assertRunning(app.client, app.reference);
    listedIdPart(app.application.parts, await app.readListMode());
    throw error;
  });
  for (const id of refused) if (!(await readsNow(app, id))) missing.add(id);
  if (missing.size > 0) await assertRunning(app.client, app.reference);
  return missing;
}

async function readsNow(app: ApplicationSession, id: string): Promise<boolean> {
  return (await nullIf(isRefusal, readRecord(app, id, false))) !== null;
}

/** How many of the newest records are tried, and of the oldest. Some may be hidden or broken by themselves. */
const MAX_TRIED = 5;

const PERHAPS_OF_ONE: readonly FailureKind[] = ['refused', 'lost', 'badAnswer', 'busy'];

/** Whether a failure may be about one record or file alone; any other is about the service, or what is asked of it. */
export function isAboutOneRecord(failure: unknown): boolean {
  if (!(failure instanceof ServiceError) || failure instanceof NotRunningError) return false;
  if (failure.details.status === 429) return false;
  return PERHAPS_OF_ONE.includes(failure.kind);
}

/**
 * Reads a record that should be there, or one of the newest or oldest; or a count says that none is left.
 * @param failed one that has just failed, and how: it is not read again.
 * @throws ServiceError
 */
export async function assertOthersRead(
  app: ApplicationSession,
  other?: string,
  failed?: { readonly id: string; readonly failure: Error },
): Promise<void> {
  let refusal: ServiceError | undefined;
  const tried = new Set<string>();
  const isRead = async (id: string): Promise<boolean> => {
    if (tried.has(id) || id === failed?.id) return false;
    tried.add(id);
    const isItsOwn = (error: unknown): boolean =>
      isAboutOneRecord((refusal = toServiceError(error))) && refusal.kind !== 'busy';
    return (await nullIf(isItsOwn, readRecord(app, id, false))) !== null;
  };
  if (other !== undefined && (await isRead(other))) return;
  for (const id of await readSomeIds(app, 'desc')) if (await isRead(id)) return;
  // Where that one is gone, too, the right to read may be: then a count says 0 as well.
  if (tried.size === 0 && (await countRecords(app)) === 0) return;
  for (const id of await readSomeIds(app, 'asc')) if (await isRead(id)) return;
  if (failed !== undefined && tried.size === 0) throw failed.failure;
  throw new ServiceError(
    'refused',
    'The service returns none of its records now, although there are some',
    `So it is not known which are there.${refusal === undefined ? '' : ` ${refusal.message}.`} Try again later.`,
    {},
    refusal,
  );
}

async function readSomeIds(app: ApplicationSession, order: 'asc' | 'desc'): Promise<string[]> {
  const { part, idKey, keyMode } = await readIdPart(app);
  if (part === null || idKey === '') return [];
  const query = { parts: [], keyMode, sort: { part, order } };
  const records = await listParts(app, query, { offset: 0, limit: MAX_TRIED });
  return records.flatMap((record) => readId(record, idKey) ?? []);
}

async function readIdPart(app: ApplicationSession) {
  const keyMode = await app.readListMode();
  const part = ownIdPart(app.application.parts);
  return { part, idKey: part === null ? '' : partKey(part, keyMode), keyMode };
}

/** Which IDs exist: by a read for each, or by one scan if that is cheaper. @throws as `findMissing` */
export async function findExisting(app: ApplicationSession, ids: readonly string[]): Promise<Set<string>> {
  const list = ids.length <= FEW_READS ? null : await readIdPart(app);
  const existing = new Set<string>();
  if (list === null || list.idKey === '' || ids.length < costOfScan(await countRecords(app))) {
    for (const id of ids) if (await readsNow(app, id)) existing.add(id);
    const refused = ids.filter((id) => !existing.has(id));
    const missing = await findMissing(app, refused, [...existing].at(-1));
    return new Set(ids.filter((id) => !missing.has(id)));
  }
  const { idKey, keyMode } = list;
  const wanted = new Set(ids);
  for await (const page of readPages(app, { parts: [], keyMode, isProof: true })) {
    for (const record of page) {
      const id = readId(record, idKey);
      if (id !== null && wanted.has(id)) existing.add(id);
    }
    if (existing.size === wanted.size) break;
  }
  return existing;
}

const FULL_PAGE = 25;
/** So few reads of single records that no count is needed to know that they are cheaper than reading all. */
export const FEW_READS = 3;

/** What reading all of so many records costs the one queue, in reads of a single record. */
export function costOfScan(count: number): number {
  return Math.max(1, Math.ceil(count / MAX_LIST_LENGTH)) + (FULL_PAGE * count) / MAX_LIST_LENGTH;
}

/** Refusals, each about one record, in words for a person where it is not there, or the application is not running. */
export async function askWhyRefused(
  app: ApplicationSession,
  refusals: readonly ServiceError[],
): Promise<ServiceError[]> {
  const idOf = ({ details }: ServiceError): string => details.explain ?? '';
  const missing = await findMissing(app, [...new Set(refusals.map(idOf))]).catch((error: unknown) => error);
  return refusals.map((refusal) => {
    if (missing instanceof NotRunningError)
      return refusal.reworded(missing.message, missing.description, refusal.message);
    const id = idOf(refusal);
    if (!(missing instanceof Set) || !missing.has(id)) return refusal;
    const advice = 'Check the ID. The record may have been deleted, or you have no right to see it.';
    return refusal.reworded(`There is no record ${id} in ${app.application.name}`, advice, refusal.message);
  });
}

/** A refusal that names a part by its name: the service does so by its key, an identifier that nobody sees. */
export function namingPart(refusal: ServiceError, parts: readonly Part[]): ServiceError {
  const key = refusal.details.partKey;
  const part = parts
    .flatMap((each) => [each, ...each.children])
    .find(({ name, identifier }) => name === key || identifier === key);
  if (part === undefined || part.name === key) return refusal;
  const named = (text: string): string => text.replaceAll(`"${key}"`, `"${part.name}"`);
  return refusal.with({ partKey: part.name }).reworded(named(refusal.message), named(refusal.description));
}
