import type { EncodedPart } from '../../parts/encode';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { inSeries, settle } from '../../util/concurrently';
import { asUserError, type UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, ServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent } from '../read/records';
import { recordBefore, type RecordWrite, sendUntilDone, type Written } from './attempts';
import {
  type Checkpoint,
  type Done,
  guarded,
  isUnverified,
  partsBefore,
  type Unverified,
} from './checkpoint';
import {
  changesFiles,
  type Contents,
  contentsOf,
  describeStep,
  type FileChange,
  fileChanges,
  fileNameOf,
  type FileStep,
  stepsOf,
} from './files';
import type { WriteTarget } from './form';
import { updateWrite } from './update';

/**
 * Changes one record (interface.md, "update_data"), then verifies its attachments: never blindly twice, never over
 * somebody else's rows. Works on one record run one after the other in this process, from reading it until its files
 * are verified.
 * @throws whatever `plan` throws; ServiceError as the service or the connection failed, `outcomeUnknown` where even
 * reading the record does not tell.
 */
export async function writeRecord(
  app: ApplicationSession,
  write: RecordWrite,
  checkpoint: Checkpoint,
): Promise<Done> {
  const { done } = checkpoint;
  return await guarded(checkpoint, async () => {
    const run = async (): Promise<Done> =>
      done === null ? await change(app, write, checkpoint) : await resume(app, write, done, checkpoint);
    const isSerial = write.needsCurrent || (done !== null && isUnverified(done));
    return isSerial ? await inSeries(app.serialKey(write.id), run) : await run();
  });
}

async function change(app: ApplicationSession, write: RecordWrite, checkpoint: Checkpoint): Promise<Done> {
  const { id, concerns, context, needsCurrent } = write;
  const { indeterminate } = checkpoint;
  const read = needsCurrent && indeterminate === null ? await readCurrent(app, id, context) : null;
  const { plan, current, isAnswered, said } = await sendUntilDone(app, write, read, indeterminate);
  const { outcome, found, values, revision } = plan;
  const done: Done = { id, outcome, ...(found && { found }), ...(said !== undefined && { said }) };
  if (current !== null && outcome === 'updated' && changesFiles(values))
    done.pending = { before: partsBefore(concerns, current, context), revision, isAnswered };
  checkpoint.recordProgress(done);
  return isUnverified(done) ? await finishFiles(app, write, values, done, checkpoint) : done;
}

/** Verifies what an earlier try has written. What it sent is planned again on what was there before. */
async function resume(
  app: ApplicationSession,
  write: RecordWrite,
  done: Done,
  checkpoint: Checkpoint,
): Promise<Done> {
  if (!isUnverified(done)) return done;
  const { before, revision } = done.pending;
  const { values } = await afterWriting(write.id, () =>
    write.plan(recordBefore(write.id, revision, before), null),
  );
  return await finishFiles(app, write, values, done, checkpoint);
}

/**
 * Verifies by reading that a write uploaded and removed what it should, and does the rest: each further file in a
 * request of its own, under the revision that was read. Whether a service keeps several files of one name, and how many
 * it removes at once, is not documented (service-facts, "More that is not shown"). The caller runs in series with all
 * others of the record.
 * @param values what was sent.
 * @returns what was done, with the names under which the service keeps the uploaded files.
 * @throws ServiceError if the service does not keep or remove a file; the write itself stands.
 */
export async function finishFiles(
  app: ApplicationSession,
  target: WriteTarget,
  values: readonly EncodedPart[],
  { pending, ...rest }: Unverified,
  checkpoint: Checkpoint,
): Promise<Done> {
  const { id, context } = target;
  const { before, revision, isAnswered } = pending;
  const contents = await afterWriting(id, async () => await contentsOf(target, values));
  let now = await afterWriting(id, async () => await readCurrent(app, id, context));
  const isAlone = isAnswered && (revision === null || now.revision === revision + 1);
  const isSure = isAlone || !isAnswered || revision === null;
  const changes = fileChanges(values, recordBefore(id, revision, before), now, context, contents, isAlone);
  assertKnown(id, changes, contents, isSure);
  const steps = changes.flatMap(stepsOf);
  let done = withFiles(rest, changes);
  // A further try finds the files of this one in the record.
  if (steps.length > 0)
    checkpoint.recordProgress({ ...rest, pending: { before, revision: null, isAnswered: false } });
  for (const step of steps) {
    const result = await settle(async () => await doStep(app, target, step, now, contents));
    if ('error' in result) throw afterWrite(id, step, contents, asUserError(result.error));
    const { said } = result.value;
    done = { ...withFiles(done, result.value.changes), ...(said !== undefined && { said }) };
    now = result.value.now;
  }
  checkpoint.recordProgress(done);
  return done;
}

function withFiles(done: Done, changes: readonly FileChange[]): Done {
  const kept = changes.flatMap((each) => each.kept);
  const altered = [...(done.altered ?? []), ...kept.flatMap((each) => each.altered ?? [])];
  const files = [...(done.files ?? []), ...kept.map(({ name }) => name)];
  return { ...done, files, ...(altered.length > 0 && { altered }) };
}

/**
 * Makes sure that it is known of each file whether it is there.
 * @param isSure whether what is missing was certainly not kept, unless a new file may be it.
 * @throws ServiceError `outcomeUnknown` where a missing file may have been altered, or removed by somebody else.
 */
function assertKnown(id: string, changes: readonly FileChange[], contents: Contents, isSure: boolean): void {
  for (const change of changes) {
    if (change.fresh === undefined) throw notShown(id, change);
    const [name] = change.missing;
    if (name === undefined || (isSure && change.others.length === 0)) continue;
    throw notKnown(
      id,
      change,
      fileNameOf(name, contents),
      'The record was changed again before the file could be verified, or has a new file that may be the same. Check in the application whether it is there.',
    );
  }
}

async function doStep(
  app: ApplicationSession,
  target: WriteTarget,
  step: FileStep,
  current: CurrentRecord,
  contents: Contents,
): Promise<Pick<Written, 'said'> & { readonly now: CurrentRecord; readonly changes: FileChange[] }> {
  const { id, context } = target;
  const { plan, isAnswered, said, ...sent } = await sendUntilDone(app, stepWrite(app, target, step), current);
  const now = await readCurrent(app, id, context);
  const isAlone = isAnswered && now.revision === plan.revision + 1;
  const changes = fileChanges(plan.values, sent.current ?? now, now, context, contents, isAlone);
  assertKnown(id, changes, contents, isAlone);
  if (changes.flatMap(stepsOf).length > 0) throw notTaken(id, step, contents);
  return { now, changes, said };
}

/** One upload or removal; in a row, among all rows that are there. */
function stepWrite(
  app: ApplicationSession,
  target: WriteTarget,
  { part, row, value }: FileStep,
): RecordWrite {
  const rows = [{ id: row?.id ?? undefined, values: [{ part, value }] }];
  return {
    ...updateWrite({
      ...target,
      // Values are copied by key parts only where these are sent, as they were with the write itself.
      options: { ...target.options, relookupKeyParts: [] },
      values: [row === undefined ? { part, value } : { part: row.table, value: { kind: 'rows', rows } }],
      emptied: [],
      policy: 'overwrite',
      revision: null,
      known: {},
      rowMode: 'merge',
      skipUnchanged: false,
      parts: app.application.parts,
    }),
    comparesAgain: false,
  };
}

/** Finds out what verifying needs. If that fails, the write itself stands. */
async function afterWriting<T>(id: string, read: () => T | Promise<T>): Promise<T> {
  const found = await settle(async () => await read());
  if ('value' in found) return found.value;
  const failure = asUserError(found.error);
  throw failure.reworded(
    `The record ${id} was written, but its attachments could not be verified: ${failure.message}`,
    `Check in the application whether they are there. ${failure.description}`,
  );
}

function notTaken(id: string, step: FileStep, contents: Contents): ServiceError {
  return new ServiceError(
    'badAnswer',
    `The record ${id} was written, but ${describeStep(step, contents)}, although the service said so`,
    'The part may hold one file only, or the service may change files itself. Look at the record in the application.',
  );
}

function notShown(id: string, { part }: FileChange): ServiceError {
  return new ServiceError(
    'outcomeUnknown',
    `The record ${id} was written, with attachments of ${namePart(part)}, but does not show them`,
    'Ask for the right to read this part, and check in the application whether the files are there.',
  );
}

function notKnown(id: string, { part }: { readonly part: Part }, file: string, advice: string): ServiceError {
  return new ServiceError(
    'outcomeUnknown',
    `The record ${id} was written, but it is not known whether the file "${file}" was added to ${namePart(part)} (outcome unknown)`,
    advice,
    { action: 'update_data' },
  );
}

function afterWrite(id: string, step: FileStep, contents: Contents, failure: UserError): UserError {
  const { message, description } = failure;
  if (message.startsWith(`The record ${id} was written`)) return failure;
  const [name] = step.value.add;
  if (isIndeterminate(failure) && name !== undefined)
    return notKnown(id, step, fileNameOf(name, contents), `${message}. ${description}`);
  return failure.reworded(
    `The record ${id} was written, but ${describeStep(step, contents)}: ${message}`,
    `Everything before that was done. ${description}`,
  );
}
