import { readInteger } from '../../parts/values/decimal';
import { isDoubt, ServiceError, toServiceError } from '../http/errors';
import { findExisting } from '../read/existing';
import type { ApplicationSession } from '../application/session';
import { deleteForm } from './form';

/** Ids in one request: how many the service takes is not documented, and a refusal concerns all of them. */
const IDS_PER_REQUEST = 200;

/** What happened to the ids that were to be deleted. */
export interface Deletion {
  readonly deleted: ReadonlySet<string>;
  /** Did not exist before. */
  readonly notFound: ReadonlySet<string>;
  /** Still there, with the reason. */
  readonly failed: ReadonlyMap<string, ServiceError>;
}

/** Ids to delete in one request. */
interface Chunk {
  readonly ids: readonly string[];
  /** These were sent before, the answer was lost, and they were seen to be still there. */
  readonly again: boolean;
}

/** Why a request did not delete all that it named. */
interface Shortfall {
  readonly error: ServiceError;
  /** The service answered well, and counted fewer than were asked. */
  readonly counted: boolean;
}

/** What is asked before each request. */
export interface DeletionTerms {
  readonly goOn?: () => boolean;
  /** Which of the ids are still to be deleted. */
  readonly stillMeant?: (ids: readonly string[]) => Promise<readonly string[]>;
}

/**
 * Deletes records in few requests (interface.md, "delete_data"). A refused request is halved until the culprit is alone;
 * after a smaller count than asked, or a lost answer, the records themselves are looked at.
 * @param existing ids that were found to exist.
 */
export async function deleteRecords(
  app: ApplicationSession,
  existing: readonly string[],
  { goOn = () => true, stillMeant = async (ids) => await Promise.resolve(ids) }: DeletionTerms = {},
): Promise<Omit<Deletion, 'notFound'>> {
  const deleted = new Set<string>();
  const failed = new Map<string, ServiceError>();
  const queue = chunks(existing, IDS_PER_REQUEST).map((ids): Chunk => ({ ids, again: false }));
  for (let waiting = queue.shift(); waiting !== undefined && goOn(); waiting = queue.shift()) {
    const chunk: Chunk = { ...waiting, ids: await stillMeant(waiting.ids) };
    if (chunk.ids.length === 0) continue;
    const shortfall = await send(app, chunk.ids);
    if (shortfall === null) {
      chunk.ids.forEach((id) => deleted.add(id));
    } else if (isAboutRecords(shortfall.error)) {
      const { gone, next, reasons } = await lookInto(app, chunk, shortfall);
      gone.forEach((id) => deleted.add(id));
      reasons.forEach((reason, id) => failed.set(id, reason));
      queue.unshift(...next);
    } else {
      // Nothing was done, and the next request would fare no better.
      for (const { ids } of [chunk, ...queue.splice(0)]) ids.forEach((id) => failed.set(id, shortfall.error));
    }
  }
  return { deleted, failed };
}

/** Sends one request; `null` when it deleted all that it named. */
async function send(app: ApplicationSession, ids: readonly string[]): Promise<Shortfall | null> {
  try {
    return (await sendDeletion(app, ids)) === ids.length ? null : { error: notDeleted(ids), counted: true };
  } catch (error) {
    return { error: toServiceError(error), counted: false };
  }
}

/**
 * Sends one request; returns how many records the service says it deleted, `null` if it does not say so.
 * @throws ServiceError
 */
export async function sendDeletion(app: ApplicationSession, ids: readonly string[]): Promise<number | null> {
  const { action, fields } = deleteForm(app, ids);
  const { delete_count: count } = await app.client.call(action, fields);
  return readInteger(count);
}

/** Refused, or perhaps done: what a request for other records says nothing about. */
function isAboutRecords(error: ServiceError): boolean {
  return error.kind === 'refused' || isDoubt(error);
}

/** What a request came to that did not do all it was asked. */
interface Aftermath {
  readonly gone: readonly string[];
  /** What to send for those that remain. */
  readonly next: readonly Chunk[];
  /** Why those remain for which there is nothing more to try. */
  readonly reasons: ReadonlyMap<string, ServiceError>;
}

async function lookInto(
  app: ApplicationSession,
  chunk: Chunk,
  { error, counted }: Shortfall,
): Promise<Aftermath> {
  const { ids, again } = chunk;
  const remaining = await remainingOf(app, ids, error);
  if (remaining === null) {
    const doubt = inDoubt(error);
    return { gone: [], next: [], reasons: new Map(ids.map((id) => [id, doubt])) };
  }
  const gone = ids.filter((id) => !remaining.includes(id));
  const next = (parts: readonly (readonly string[])[], sent: boolean): Aftermath => ({
    gone,
    next: parts.map((part) => ({ ids: part, again: sent })),
    reasons: new Map(),
  });
  if (remaining.length === 0) return next([], again);
  if (isDoubt(error) && !again) return next([remaining], true);
  // A service that deleted some has deleted all that it would.
  const isHalved = !isDoubt(error) && !counted && ids.length > 1 && gone.length === 0;
  if (isHalved) return next(chunks(ids, Math.ceil(ids.length / 2)), again);
  const reasonFor = (id: string): ServiceError => {
    if (isDoubt(error)) return stillThere(id, error);
    return counted ? notDeleted([id]) : error;
  };
  return { gone, next: [], reasons: new Map(remaining.map((id) => [id, reasonFor(id)])) };
}

/** The service answered well, but deleted fewer than asked (interface.md, "delete_data"). */
function notDeleted(ids: readonly string[]): ServiceError {
  return new ServiceError(
    'refused',
    `The service did not delete ${ids.length === 1 ? `the record ${ids[0] ?? ''}` : 'all records'}`,
    'You may have no right to delete it, or it is locked in the application.',
  );
}

function stillThere(id: string, { details }: ServiceError): ServiceError {
  return new ServiceError(
    'lost',
    `The record ${id} is still there: two requests to delete it got no answer`,
    'Try again later.',
    details,
  );
}

/** The ids that still exist; `null` if that cannot be found out. */
async function remainingOf(
  app: ApplicationSession,
  ids: readonly string[],
  failure: ServiceError,
): Promise<readonly string[] | null> {
  // A refused request for one record cannot have deleted it.
  if (ids.length === 1 && failure.kind === 'refused') return ids;
  try {
    const found = await findExisting(app, ids, await app.keyMode());
    return ids.filter((id) => found.has(id));
  } catch {
    return null;
  }
}

/** Not even looking at the records told what happened to them. */
function inDoubt({ message, details }: ServiceError): ServiceError {
  return new ServiceError(
    'outcomeUnknown',
    `It is not known which records were deleted (outcome unknown): ${message}`,
    'Look in the application which records are still there.',
    { ...details, action: 'delete_data' },
  );
}

function chunks(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}
