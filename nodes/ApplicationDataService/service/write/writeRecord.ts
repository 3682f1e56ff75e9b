import type { EncodedPart } from '../../parts/encode';
import { namePart } from '../../parts/model/errors';
import type { Entry } from '../../parts/values/shapes';
import { inSeries } from '../../util/concurrently';
import { asUserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isInDoubt } from '../http/errors';
import { type CurrentRecord, readCurrent, type ShownRecord } from '../read/records';
import type { Checkpoint, Done, ItemOutcome } from './checkpoint';
import { assertFilesKept, assertNoFault } from './keptFiles';
import { removalsOf } from './removals';
import { settleUpdate } from './settle';
import { allChanges, planUpdate, removalUpdate, type WritePlan } from './plan';
import { needsCurrent, type Removal, type Update } from './update';

/**
 * Changes one record (interface.md, "update_data") with all its files: never blindly twice, never over somebody else's
 * rows. What it adds travels in the first request; files to be removed follow, one a request. Works on one record that
 * read it run one after the other in this process.
 * @param shown the record, where it was read already.
 * @throws as `settleUpdate`; ServiceError which says that the write stands, but not all of its files.
 */
export async function writeRecord(
  app: ApplicationSession,
  update: Update,
  checkpoint: Checkpoint,
  shown: ShownRecord | null = null,
): Promise<Done> {
  const run = async (): Promise<Done> =>
    checkpoint.done === null
      ? await writeFirst(app, update, checkpoint, shown)
      : await removeLeft(app, update, checkpoint.done, checkpoint);
  return await (needsCurrent(update) ? inSeries(app.serialKey(update.id), run) : run());
}

async function writeFirst(
  app: ApplicationSession,
  update: Update,
  checkpoint: Checkpoint,
  shown: ShownRecord | null,
): Promise<Done> {
  const { plan, current } = await settleUpdate(app, update, shown, checkpoint.doubt);
  const { items, removals, request } = plan;
  const files = removals.map(({ id }) => id);
  const done: Done = { id: update.id, items, ...(files.length > 0 && { isOpen: true, files }) };
  // What needed no request is planned anew by a further try.
  if (request.length > 0 || files.length > 0 || checkpoint.doubt !== null) checkpoint.recordProgress(done);
  const before: Entry = current?.record ?? {};
  const after = await assertFilesKept(app, update, { values: request, before, done }, checkpoint);
  return await removeFiles(app, update, { done, removals }, checkpoint, after);
}

/** Removes what an earlier try has left: of the files to be removed, those that the record still holds. */
async function removeLeft(
  app: ApplicationSession,
  update: Update,
  done: Done,
  checkpoint: Checkpoint,
): Promise<Done> {
  assertNoFault(done);
  if (done.isOpen !== true) return done;
  const now = await readCurrent(app, update.id, update.context).catch((error: unknown) => {
    const failure = asUserError(error);
    throw failure.reworded(
      `The record ${update.id} was written, but it is not known which files are still to be removed: ${failure.message}`,
      `Check in the application. ${failure.description}`,
    );
  });
  const removals = removalsOf(update, now.record).filter(({ id }) => done.files?.includes(id));
  return await removeFiles(app, update, { done, removals }, checkpoint, now);
}

/** The first request has announced the change to automatic processing: what follows does not. */
async function removeFiles(
  app: ApplicationSession,
  update: Update,
  { done, removals }: { readonly done: Done; readonly removals: readonly Removal[] },
  checkpoint: Checkpoint,
  now: CurrentRecord | null,
): Promise<Done> {
  let current = now;
  for (const removal of removals) {
    const quiet = { ...update, options: { ...update.options, autoAction: false } };
    await settleUpdate(app, removalUpdate(quiet, removal), current, null).catch((error: unknown) => {
      throw notRemoved(update.id, removal, error);
    });
    current = null;
  }
  if (done.isOpen !== true) return done;
  const ended: Done = { id: done.id, items: done.items };
  checkpoint.recordProgress(ended);
  return ended;
}

function notRemoved(record: string, { part, id }: Removal, error: unknown): unknown {
  const failure = asUserError(error);
  const { message, description, cause } = failure;
  return isInDoubt(failure)
    ? failure.reworded(
        `The record ${record} was written, but it is not known whether the file ${id} was removed from ${namePart(part)} (outcome unknown)`,
        cause === undefined ? description : `${description} ${cause.message}.`,
      )
    : failure.reworded(
        `The record ${record} was written, but the file ${id} was not removed from ${namePart(part)}: ${message}`,
        `Everything before that was done. ${description}`,
      );
}

/** What a write would send first, all values that it would change, and the record that this was planned on. */
interface PlannedWrite extends Pick<WritePlan, 'request' | 'items'> {
  /** That of the first item. */
  readonly outcome: ItemOutcome['outcome'];
  readonly revision: number;
  readonly values: readonly EncodedPart[];
  readonly current: ShownRecord;
}

/** Plans a write. Nothing is written. */
export async function planRecord(
  app: ApplicationSession,
  update: Update,
  shown: ShownRecord | null = null,
): Promise<PlannedWrite> {
  const current = shown ?? (await readCurrent(app, update.id, update.context));
  const { request, items, revision } = planUpdate(update, current);
  // A list may show none: it is read first.
  if (revision === null) return await planRecord(app, update);
  const values = request.length === 0 ? [] : allChanges(update, current);
  return { request, items, outcome: items[0]!.outcome, revision, values, current };
}
