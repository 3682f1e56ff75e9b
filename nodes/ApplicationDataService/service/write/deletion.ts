import { readInteger } from '../../parts/values/decimal';
import { settle } from '../../util/concurrently';
import { isIndeterminate, isRefusal, ServiceError, toServiceError } from '../http/errors';
import { findExisting } from '../read/notThere';
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

/** Asked before each request: which of the ids are still to be deleted. These are sent at once. */
type StillMeant = (ids: readonly string[]) => Promise<readonly string[]> | readonly string[];

/**
 * Deletes records in few requests (interface.md, "delete_data"). A refused request is halved until the culprit is
 * alone, a lost one is sent once more for what remains.
 * @param existing ids that were found to exist.
 * @param stillMeant all of them, unless it says otherwise; none ends it.
 */
export async function deleteRecords(
  app: ApplicationSession,
  existing: readonly string[],
  stillMeant: StillMeant = (ids) => ids,
): Promise<Deletion> {
  const deletions = new Deletions(app, stillMeant);
  for (const ids of chunks(existing, IDS_PER_REQUEST)) await deletions.delete(ids, false);
  return deletions;
}

class Deletions implements Deletion {
  readonly deleted = new Set<string>();

  readonly failed = new Map<string, ServiceError>();

  /** A failure after which the next request would fare no better. */
  private end: ServiceError | null = null;

  constructor(
    private readonly app: ApplicationSession,
    private readonly stillMeant: StillMeant,
  ) {}

  /** @param wasLost whether a request for these was lost, and they were seen to be still there. */
  async delete(named: readonly string[], wasLost: boolean): Promise<void> {
    if (this.end !== null) return this.fail(named, this.end, true, wasLost);
    const ids = await this.stillMeant(named);
    const answer = ids.length === 0 ? null : await send(this.app, ids);
    if (answer === null) ids.forEach((id) => this.deleted.add(id));
    else await this.judge(ids, answer, wasLost);
  }

  private async judge(ids: readonly string[], answer: Shortfall, wasLost: boolean): Promise<void> {
    const isLost = isIndeterminate(answer);
    // Any other failure says that nothing was done.
    const isAboutRecords = answer === 'fewer' || isLost || isRefusal(answer);
    if (!isAboutRecords) this.end = answer;
    const look = async (): Promise<Set<string>> =>
      isAboutRecords ? await findExisting(this.app, ids) : new Set(ids);
    const found = await settle(look);
    // Those of them that still exist; `null` if that cannot be found out.
    const there = 'value' in found ? found.value : null;
    const isGone = (id: string): boolean => there?.has(id) === false;
    ids.filter(isGone).forEach((id) => this.deleted.add(id));
    const left = ids.filter((id) => !isGone(id));
    if (there !== null && left.length > 0) {
      if (isLost && !wasLost) return await this.delete(left, true);
      // A service that deleted some has deleted all that it would.
      if (isRefusal(answer) && ids.length > 1 && left.length === ids.length) {
        for (const half of chunks(left, Math.ceil(left.length / 2))) await this.delete(half, wasLost);
        return;
      }
    }
    this.fail(left, answer, there !== null, wasLost || isLost);
  }

  /**
   * What is reported of records that were not seen to be gone. Only the record tells what became of it: a service may
   * delete and then refuse, and a lost request may be carried out later.
   * @param isThere whether they were seen to be there.
   * @param wasLost whether a request for them got no answer.
   */
  private fail(ids: readonly string[], answer: Shortfall, isThere: boolean, wasLost: boolean): void {
    for (const id of ids) {
      const error = answer === 'fewer' ? notDeleted(id) : answer;
      this.failed.set(id, isThere && !wasLost ? error : indeterminateError(error, isThere));
    }
  }
}

/** A request that did not delete all that it named: the service counted fewer, or it failed. */
type Shortfall = 'fewer' | ServiceError;

/** Sends one request; `null` if the service deleted all that it names. */
async function send(app: ApplicationSession, ids: readonly string[]): Promise<Shortfall | null> {
  const { action, fields } = deleteForm(app, ids);
  const answer = await settle(async () => await app.client.call(action, fields));
  if ('error' in answer) return toServiceError(answer.error);
  return readInteger(answer.value.delete_count) === ids.length ? null : 'fewer';
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
function indeterminateError(failure: ServiceError, isThere: boolean): ServiceError {
  const { description, details } = failure;
  const cause = failure.cause?.message ?? failure.message;
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
