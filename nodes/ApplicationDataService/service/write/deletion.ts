import { readInteger } from '../../parts/values/decimal';
import { settle } from '../../util/concurrently';
import { isIndeterminate, isRefusal, ServiceError, toServiceError } from '../http/errors';
import { findExisting } from '../read/existing';
import type { ApplicationSession } from '../application/session';
import { deleteForm } from './form';

/** Ids in one request: how many the service takes is not documented, and a refusal concerns all of them. */
const IDS_PER_REQUEST = 200;

/** What happened to the ids that were to be deleted. Those in neither were not begun. */
export interface Deletion {
  readonly deleted: ReadonlySet<string>;
  /** Why the others were not deleted; indeterminate where that is not known. */
  readonly failed: ReadonlyMap<string, ServiceError>;
}

/** Ids to delete in one request. */
interface Chunk {
  readonly ids: readonly string[];
  /** A request for them was lost, and they were seen to be still there. */
  readonly wasLost: boolean;
}

/** What is asked before each request. */
interface DeletionTerms {
  readonly goOn?: () => boolean;
  /** Which of the ids are still to be deleted. These are sent at once. */
  readonly stillMeant?: (ids: readonly string[]) => Promise<readonly string[]> | readonly string[];
}

type Fate = 'deleted' | 'there' | 'unknown';

/**
 * What became of a record that a request named which did not delete all it was asked: refused, answered with a smaller
 * count, or lost. Only the record tells: a service may delete and then refuse, and a lost request may be carried out
 * later.
 * @param isThere as it is now; `null` if that cannot be found out.
 * @param isLost whether this request, or one before it, got no answer.
 */
export function fateOf(isThere: boolean | null, isLost: boolean): Fate {
  if (isThere === false) return 'deleted';
  return isThere === null || isLost ? 'unknown' : 'there';
}

/**
 * Deletes records in few requests (interface.md, "delete_data"). A refused request is halved until the culprit is
 * alone, a lost one is sent once more for what remains.
 * @param existing ids that were found to exist.
 */
export async function deleteRecords(
  app: ApplicationSession,
  existing: readonly string[],
  { goOn = () => true, stillMeant = (ids) => ids }: DeletionTerms = {},
): Promise<Deletion> {
  const deleted = new Set<string>();
  const failed = new Map<string, ServiceError>();
  const queue = chunks(existing, IDS_PER_REQUEST).map((ids): Chunk => ({ ids, wasLost: false }));
  for (let next = queue.shift(); next !== undefined && goOn(); next = queue.shift()) {
    const { wasLost } = next;
    const ids = await stillMeant(next.ids);
    const answer = ids.length === 0 ? 'all' : await send(app, ids);
    if (answer === 'all') {
      ids.forEach((id) => deleted.add(id));
      continue;
    }
    const { gone, again, reasons } = await judge(app, { ids, wasLost }, answer);
    gone.forEach((id) => deleted.add(id));
    queue.unshift(...again);
    reasons.forEach((reason, id) => failed.set(id, reason));
    if (isAboutRecords(answer)) continue;
    // The next request would fare no better.
    for (const chunk of queue.splice(0))
      reasonsFor(chunk, answer, true).forEach((why, id) => failed.set(id, why));
  }
  return { deleted, failed };
}

/** A request that did not delete all that it named: the service counted fewer, or it failed. */
type Shortfall = 'fewer' | ServiceError;

/** What such a request came to. */
interface Aftermath {
  readonly gone: readonly string[];
  /** What to send for those that remain. */
  readonly again: readonly Chunk[];
  /** Why those remain for which there is nothing more to try. */
  readonly reasons: ReadonlyMap<string, ServiceError>;
}

/**
 * Whether a request may have deleted some, or another one may delete them. Any other failure says that nothing was
 * done.
 */
function isAboutRecords(answer: Shortfall): boolean {
  return answer === 'fewer' || isIndeterminate(answer) || isRefusal(answer);
}

async function judge(
  app: ApplicationSession,
  { ids, wasLost }: Chunk,
  answer: Shortfall,
): Promise<Aftermath> {
  const there = isAboutRecords(answer) ? await remainingOf(app, ids) : new Set(ids);
  const isLost = wasLost || isIndeterminate(answer);
  const fate = (id: string): Fate => fateOf(there === null ? null : there.has(id), isLost);
  const gone = ids.filter((id) => fate(id) === 'deleted');
  const left = ids.filter((id) => fate(id) !== 'deleted');
  const ended = {
    gone,
    again: [],
    reasons: reasonsFor({ ids: left, wasLost: isLost }, answer, there !== null),
  };
  if (there === null || left.length === 0) return ended;
  const next = (size: number): Aftermath => ({
    gone,
    again: chunks(left, size).map((some) => ({ ids: some, wasLost: isLost })),
    reasons: new Map(),
  });
  if (isIndeterminate(answer)) return wasLost ? ended : next(left.length);
  // A service that deleted some has deleted all that it would.
  const isHalved = isRefusal(answer) && ids.length > 1 && gone.length === 0;
  return isHalved ? next(Math.ceil(ids.length / 2)) : ended;
}

/** @param isThere whether the records are known to be still there. */
function reasonsFor({ ids, wasLost }: Chunk, answer: Shortfall, isThere: boolean): Map<string, ServiceError> {
  return new Map(
    ids.map((id) => {
      const error = answer === 'fewer' ? notDeleted(id) : answer;
      return [
        id,
        fateOf(isThere || null, wasLost) === 'unknown' ? indeterminateError(error, isThere) : error,
      ];
    }),
  );
}

/** Sends one request; whether it deleted all that it named, fewer, or failed. */
async function send(
  app: ApplicationSession,
  ids: readonly string[],
): Promise<'all' | 'fewer' | ServiceError> {
  const sent = await settle(async () => await sendDeletion(app, ids));
  if ('error' in sent) return toServiceError(sent.error);
  return sent.value === ids.length ? 'all' : 'fewer';
}

/**
 * Sends one request; returns how many records the service says it deleted, `null` if it does not say so.
 * @throws ServiceError
 */
async function sendDeletion(app: ApplicationSession, ids: readonly string[]): Promise<number | null> {
  const { action, fields } = deleteForm(app, ids);
  const { delete_count: count } = await app.client.call(action, fields);
  return readInteger(count);
}

/** Those of the ids that still exist; `null` if that cannot be found out. */
async function remainingOf(
  app: ApplicationSession,
  ids: readonly string[],
): Promise<ReadonlySet<string> | null> {
  const found = await settle(async () => await findExisting(app, ids, await app.keyMode()));
  return 'value' in found ? found.value : null;
}

/**
 * What to report where not all records were deleted; `null` if all were.
 * @param ids those that were asked for.
 */
export function deletionError(ids: readonly string[], { deleted, failed }: Deletion): ServiceError | null {
  const failures = ids.flatMap((id) => failed.get(id) ?? []);
  const cause = failures.find(isIndeterminate) ?? failures[0];
  if (cause === undefined) return null;
  const unknown = ids.filter((id) => isIndeterminate(failed.get(id)));
  const kept = ids.filter((id) => failed.has(id) && !unknown.includes(id));
  const gone = ids.filter((id) => deleted.has(id));
  const told = [
    gone.length > 0 ? `Deleted were: ${gone.join(', ')}.` : '',
    unknown.length > 0 && kept.length > 0 ? `Not deleted were: ${kept.join(', ')}.` : '',
    cause.message,
  ];
  const why = told.filter((each) => each !== '').join(' ');
  const { kind, description, details } = cause;
  return new ServiceError(
    kind,
    // An item of Continue On Fail holds the message only.
    unknown.length > 0
      ? `Perhaps deleted: ${unknown.join(', ')}. ${why}`
      : `Not deleted: ${kept.join(', ')}. ${why}`,
    description,
    { ...details, ids: [...unknown, ...kept] },
  );
}

/** The service answered well, but deleted fewer than asked (interface.md, "delete_data"). */
function notDeleted(id: string): ServiceError {
  return new ServiceError(
    'refused',
    `The service did not delete the record ${id}`,
    'You may have no right to delete it, or it is locked in the application.',
  );
}

/** @param isThere whether it was still there afterwards. */
function indeterminateError({ message, description, details }: ServiceError, isThere: boolean): ServiceError {
  const cause = message.replace(/^.*\(outcome unknown\): /, '');
  const seen = isThere
    ? 'They were still there afterwards, but the service may carry out a request that it has not answered.'
    : 'They could not be read afterwards either.';
  return new ServiceError(
    'outcomeUnknown',
    `The deletion was not confirmed (outcome unknown): ${cause.charAt(0).toLowerCase()}${cause.slice(1)}`,
    `${seen} Look in the application which of them are still there before you run this again. ${description}`.trim(),
    { ...details, action: 'delete_data' },
  );
}

function chunks(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}
