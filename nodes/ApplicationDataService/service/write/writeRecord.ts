import type { EncodedPart } from '../../parts/encode';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { describeValues } from '../../parts/values/describe';
import type { Entry } from '../../parts/values/shapes';
import { inSeries, settle } from '../../util/concurrently';
import { groupBy } from '../../util/groupBy';
import { asUserError, messageOf } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isInDoubt, ServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent, type ShownRecord } from '../read/records';
import type { Checkpoint, ItemOutcome, Progress } from './checkpoint';
import { fileChanges, storedFiles } from './files';
import type { WriteTarget } from './form';
import { removalsOf } from './removals';
import { reconcileRecord } from './reconcile';
import { allChanges, planUpdate, removalUpdate, type WritePlan } from './plan';
import { needsCurrent, type Removal, type Update } from './update';

/**
 * Changes one record (interface.md, "update_data") with all its files: never blindly twice, never over somebody else's
 * rows. What it adds travels in the first request; files to be removed follow, one a request. Works on one record that
 * read it run one after the other in this process.
 * @param shown the record, where it was read already.
 * @throws as `reconcileRecord`; ServiceError which says that the write stands, but not all of its files.
 */
export async function writeRecord(
  app: ApplicationSession,
  update: Update,
  checkpoint: Checkpoint,
  shown: ShownRecord | null = null,
): Promise<Progress> {
  const run = async (): Promise<Progress> =>
    checkpoint.progress === null
      ? await writeFirst(app, update, checkpoint, shown)
      : await removeLeft(app, update, checkpoint.progress, checkpoint);
  return await (needsCurrent(update) ? inSeries(app.serialKey(update.id), run) : run());
}

async function writeFirst(
  app: ApplicationSession,
  update: Update,
  checkpoint: Checkpoint,
  shown: ShownRecord | null,
): Promise<Progress> {
  const { plan, current } = await reconcileRecord(app, update, shown, checkpoint.doubt);
  const { items, removals, request } = plan;
  const files = removals.map(({ id }) => id);
  const progress: Progress = { id: update.id, items, ...(files.length > 0 && { open: files }) };
  // What needed no request is planned anew by a further try.
  if (request.length > 0 || files.length > 0 || checkpoint.doubt !== null)
    checkpoint.recordProgress(progress);
  const before: Entry = current?.record ?? {};
  const after = await assertFilesKept(app, update, { values: request, before, progress }, checkpoint);
  return await removeFiles(app, update, { progress, removals }, checkpoint, after);
}

/** Removes what an earlier try has left: of the files to be removed, those that the record still holds. */
async function removeLeft(
  app: ApplicationSession,
  update: Update,
  progress: Progress,
  checkpoint: Checkpoint,
): Promise<Progress> {
  assertNoFault(progress);
  if (progress.open === undefined) return progress;
  const now = await readCurrent(app, update.id, update.context).catch((error: unknown) => {
    const failure = asUserError(error);
    throw failure.reworded(
      `The record ${update.id} was written, but it is not known which files are still to be removed: ${failure.message}`,
      `Check in the application. ${failure.description}`,
    );
  });
  const removals = removalsOf(update, now.record).filter(({ id }) => progress.open!.includes(id));
  return await removeFiles(app, update, { progress, removals }, checkpoint, now);
}

/** The first request has announced the change to automatic processing: what follows does not. */
async function removeFiles(
  app: ApplicationSession,
  update: Update,
  { progress, removals }: { readonly progress: Progress; readonly removals: readonly Removal[] },
  checkpoint: Checkpoint,
  now: CurrentRecord | null,
): Promise<Progress> {
  let current = now;
  for (const removal of removals) {
    const quiet = { ...update, options: { ...update.options, autoAction: false } };
    await reconcileRecord(app, removalUpdate(quiet, removal), current, null).catch((error: unknown) => {
      throw notRemoved(update.id, removal, error);
    });
    current = null;
  }
  if (progress.open === undefined) return progress;
  const ended: Progress = { id: progress.id, items: progress.items };
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

/** A request that was done. */
interface Sent {
  readonly values: readonly EncodedPart[];
  /** The record before it, empty if it is new. */
  readonly before: Entry;
  readonly progress: Progress;
}

/** A part that got several files: in a table part, in all its rows together. */
interface Several {
  readonly part: Part;
  readonly table: Part | undefined;
  readonly count: number;
}

/**
 * Counts the files of a request where a part got several: whether a service keeps all of several is not documented
 * (service-facts, "More that is not shown"). Where there are fewer new ones, the item fails, in each further try, too.
 * @returns the record as it was read for that; `null` if no part got several.
 * @throws ServiceError: the write itself stands.
 */
export async function assertFilesKept(
  app: ApplicationSession,
  { id, context }: Pick<WriteTarget, 'id' | 'context'>,
  { values, before, progress }: Sent,
  checkpoint: Checkpoint,
): Promise<CurrentRecord | null> {
  const several = severalIn(values);
  if (several.length === 0) return null;
  const fail = (message: string, description: string): never => {
    const fault = { message, description };
    checkpoint.recordProgress({ ...progress, fault });
    throw faultOf({ ...progress, fault });
  };
  const parts = several.map(({ part }) => namePart(part)).join(' and ');
  const unknown = `The record ${id} was written, but it is not known whether the service kept all files in ${parts}`;
  const advice =
    'Check in the application which of them are there, and add the others with Attachment > Upload.';
  const read = await settle(async () => await readCurrent(app, id, context));
  if ('error' in read) return fail(`${unknown}: ${messageOf(read.error)}`, advice);
  for (const { part, table, count } of several) {
    const files = storedFiles(read.value.record, part, table, context);
    if (files === undefined) return fail(unknown, `The record does not show them. ${advice}`);
    const earlier = new Set(storedFiles(before, part, table, context)?.map((file) => file.id));
    const kept = files.filter((file) => !earlier.has(file.id));
    if (kept.length >= count) continue;
    const names = kept.map(({ name }) => name);
    const there =
      names.length === 0 ? 'None of them is there.' : `These are there: ${describeValues(names)}.`;
    return fail(
      `The record ${id} was written, but the service kept ${kept.length} of ${count} files in ${namePart(part)}`,
      `${there} Add the others one at a time with Attachment > Upload.`,
    );
  }
  return read.value;
}

/** @throws ServiceError what has become of the files of a write that stands */
export function assertNoFault(progress: Progress): void {
  if (progress.fault !== undefined) throw faultOf(progress);
}

function faultOf({ id, fault }: Progress): ServiceError {
  return new ServiceError('badAnswer', fault!.message, fault!.description, { ids: [id] });
}

function severalIn(values: readonly EncodedPart[]): Several[] {
  const adding = fileChanges(values).filter(({ value }) => value.add.length > 0);
  return groupBy(adding, ({ part, row }) => JSON.stringify([row?.table.id, part.id])).flatMap((changes) => {
    const [{ part, row }] = changes;
    const count = changes.reduce((sum, { value }) => sum + value.add.length, 0);
    return count > 1 ? [{ part, table: row?.table, count }] : [];
  });
}
