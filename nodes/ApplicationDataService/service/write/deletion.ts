import { readInteger } from '../../parts/values/decimal';
import { settle } from '../../util/concurrently';
import { fetchApplication } from '../application/definition';
import type { ApplicationSession } from '../application/session';
import { asClause, isInDoubt, isRefusal, ServiceError, toServiceError, whatElse } from '../http/errors';
import { findExisting } from '../read/notThere';
import { deleteForm } from './form';

/** IDs in one request: how many the service takes is not documented, and a refusal concerns all of them. */
const MAX_IDS = 200;

/** What happened to the IDs that were to be deleted. Those in neither were not begun. */
export interface Deletion {
  readonly deleted: ReadonlySet<string>;
  /** Why the others were not deleted, or, `inDoubt`, perhaps were. */
  readonly failed: ReadonlyMap<string, ServiceError>;
}

/** Asked before each request: which of the IDs are still to be deleted. These are sent at once. */
type StillMeant = (ids: readonly string[]) => Promise<readonly string[]> | readonly string[];

/**
 * Deletes records in few requests (interface.md, "delete_data"). Of a refused request, what is left is tried in halves
 * until the culprit is alone; of a lost one, what is left is sent once more.
 * @param stillMeant of the IDs, which exist; what it throws ends the deletion.
 * @param lost those that an earlier try has asked for without an answer.
 */
export async function deleteRecords(
  app: ApplicationSession,
  existing: readonly string[],
  stillMeant: StillMeant,
  lost: ReadonlySet<string>,
): Promise<Deletion> {
  const deletions = new Deletions(app, stillMeant, new Set(lost));
  for (const ids of chunks(existing, MAX_IDS)) await deletions.delete(ids, false);
  return deletions;
}

/** A request that did not delete all that it named: the service counted fewer, or it failed. */
type Shortfall = 'fewer' | ServiceError;

class Deletions implements Deletion {
  readonly deleted = new Set<string>();
  readonly failed = new Map<string, ServiceError>();
  /** A failure after which the next request would fare no better. */
  private end: ServiceError | null = null;

  constructor(
    private readonly app: ApplicationSession,
    private readonly stillMeant: StillMeant,
    /** Those that were asked for without an answer: that may be carried out later. */
    private readonly lost: Set<string>,
  ) {}

  /** @param isSecond whether a request for these was lost, and they were seen to be still there. */
  async delete(named: readonly string[], isSecond: boolean): Promise<void> {
    if (this.end !== null) return this.fail(named, this.end, true);
    const meant = await settle(async () => await this.stillMeant(named));
    if ('error' in meant) return this.stop(named, toServiceError(meant.error));
    const ids = meant.value;
    const answer = ids.length === 0 ? null : await this.send(ids);
    if (answer === null) ids.forEach((id) => this.deleted.add(id));
    else if (answer === 'fewer' || isInDoubt(answer) || isRefusal(answer))
      await this.readLeft(ids, answer, isSecond);
    else await this.failOrStop(ids, answer);
  }

  /** A refused key may be a web filter's doing, about this request: the next one is sent if the service is there. */
  private async failOrStop(ids: readonly string[], failure: ServiceError): Promise<void> {
    if (failure.kind !== 'unauthorized') return this.stop(ids, failure);
    this.fail(ids, failure, true);
    await this.askWhetherThere();
  }

  private async askWhetherThere(): Promise<void> {
    const { client, reference } = this.app;
    const answer = await settle(async () => await fetchApplication(client, reference));
    if ('error' in answer && !isRefusal(answer.error)) this.end = toServiceError(answer.error);
  }

  private stop(ids: readonly string[], failure: ServiceError): void {
    this.end = failure;
    this.fail(ids, failure, true);
  }

  /** Sends one request; `null` if the service deleted all that it names. */
  private async send(ids: readonly string[]): Promise<Shortfall | null> {
    const { action, fields } = deleteForm(this.app, ids);
    const answer = await settle(async () => await this.app.client.call(action, fields));
    if ('error' in answer) return toServiceError(answer.error);
    return readInteger(answer.value.delete_count) === ids.length ? null : 'fewer';
  }

  /** Only the records tell what became of them: a service may delete some and then refuse. */
  private async readLeft(ids: readonly string[], answer: Shortfall, isSecond: boolean): Promise<void> {
    if (isInDoubt(answer)) ids.forEach((id) => this.lost.add(id));
    const existing = await settle(async () => await findExisting(this.app, ids));
    const left = ids.filter((id) => 'error' in existing || existing.value.has(id));
    for (const id of ids) if (!left.includes(id)) this.deleted.add(id);
    if ('value' in existing && isInDoubt(answer) && !isSecond && left.length > 0)
      await this.delete(left, true);
    else if ('value' in existing && isRefusal(answer) && ids.length > 1)
      for (const half of chunks(left, Math.ceil(left.length / 2))) await this.delete(half, isSecond);
    else this.fail(left, answer, 'value' in existing);
    // Neither the request nor the look was answered.
    if ('error' in existing && isInDoubt(answer)) await this.askWhetherThere();
  }

  private fail(ids: readonly string[], answer: Shortfall, isThere: boolean): void {
    for (const id of ids) {
      // The service answered well, but deleted fewer than asked (interface.md, "delete_data").
      const error =
        answer === 'fewer'
          ? new ServiceError(
              'refused',
              `The service did not delete the record ${id}`,
              'You may have no right to delete it, or it is locked in the application.',
            )
          : answer;
      const isUnknown = !isThere || this.lost.has(id);
      this.failed.set(id, isUnknown ? doubtOf(error, isThere) : error);
    }
  }
}

/** What to report of the IDs that were asked for; `null` if all were deleted. */
export function deletionError(ids: readonly string[], { deleted, failed }: Deletion): ServiceError | null {
  const failures = ids.flatMap((id) => failed.get(id) ?? []);
  const cause = failures.find(isInDoubt) ?? failures[0];
  if (cause === undefined) return null;
  const unknown = ids.filter((id) => isInDoubt(failed.get(id)));
  const kept = ids.filter((id) => failed.has(id) && !unknown.includes(id));
  const gone = ids.filter((id) => deleted.has(id));
  const tell = (what: string, of: readonly string[]): string =>
    of.length === 0 ? '' : `${what}: ${of.join(', ')}. `;
  // An item of Continue On Fail holds the message only.
  const message =
    tell('Perhaps deleted', unknown) + tell('Not deleted', kept) + tell('Deleted were', gone) + cause.message;
  const details = { ...cause.details, ids: [...unknown, ...kept] };
  return new ServiceError(cause.kind, message, cause.description, details);
}

/** @param isThere whether it was still there afterwards. */
function doubtOf(failure: ServiceError, isThere: boolean): ServiceError {
  const cause = failure.cause instanceof ServiceError ? failure.cause : failure;
  const seen = isThere
    ? 'The records were still there afterwards, but the service may carry out a request that it has not answered.'
    : 'The records could not be read afterwards either.';
  return new ServiceError(
    'inDoubt',
    `The deletion was not confirmed (outcome unknown): ${asClause(cause.message)}`,
    `${whatElse(cause)}${seen} Look in the application which of them are still there before you run this again.`,
    { ...failure.details, action: 'delete_data' },
  );
}

function chunks(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  );
}
