import type { EncodedPart } from '../../parts/encode';
import { namePart } from '../../parts/model/errors';
import type { Part } from '../../parts/model/part';
import { settle } from '../../util/concurrently';
import { asUserError, type UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, ServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent, valueOf } from '../read/records';
import { type RecordWrite, sendUntilDone } from './attempts';
import {
  type Checkpoint,
  type Done,
  packValues,
  partsBefore,
  unpackValues,
  type Unverified,
} from './checkpoint';
import {
  type Arrival,
  arrivalOf,
  type Contents,
  contentsOf,
  describeStep,
  type FileChange,
  fileChanges,
  type FileStep,
  stepValue,
  type StoredUpload,
} from './files';
import type { WriteTarget } from './form';
import { mergeRows } from './mergeRows';

/**
 * Verifies by reading that a write uploaded and removed what it should, and does the rest: each further file in a
 * request of its own, under the revision that was read. Whether a service keeps several files of one name, and how many
 * it removes at once, is not documented (service-facts, "More that is not shown"). The caller runs in series with all
 * others of the record.
 * @returns what was done, with the names under which the service keeps the uploaded files.
 * @throws ServiceError if the service does not keep or remove a file; the write itself stands.
 */
export async function finishFiles(
  app: ApplicationSession,
  target: WriteTarget,
  { pending, ...rest }: Unverified,
  checkpoint: Checkpoint,
): Promise<Done> {
  const { id, context } = target;
  const values = unpackValues(pending.values, app.application.parts);
  const contents = await afterWriting(id, async () => await contentsOf(target, values));
  let now = await afterWriting(id, async () => await readCurrent(app, id, context));
  const isAlone = pending.isAnswered && (pending.revision === null || now.revision === pending.revision + 1);
  const before = { record: { ...pending.before, id, revision: null } };
  const steps: FileStep[] = [];
  const kept: StoredUpload[] = [];
  for (const change of fileChanges(values, before, now, context)) {
    const arrival = arrivalOf(change, contents, isAlone);
    if (change.fresh === undefined) throw notShown(id, change);
    assertKnown(id, change, arrival, contents, isAlone || !pending.isAnswered || pending.revision === null);
    kept.push(...arrival.kept);
    steps.push(...stepsOf(change, arrival));
  }
  let progress = withFiles(rest, kept);
  for (const [index, step] of steps.entries()) {
    checkpoint.recordProgress(withPending(progress, steps.slice(index), now, target));
    const result = await settle(async () => await doStep(app, target, step, now, contents));
    if ('error' in result) throw afterWrite(id, step, contents, asUserError(result.error));
    const { kept: more, said } = result.value;
    progress = { ...withFiles(progress, more), ...(said !== undefined && { said }) };
    now = result.value.now;
  }
  const finished = withFiles({ ...progress, files: progress.files ?? [] }, []);
  checkpoint.recordProgress(finished);
  return finished;
}

function withFiles(done: Done, kept: readonly StoredUpload[]): Done {
  const altered = [...(done.altered ?? []), ...kept.flatMap((each) => each.altered ?? [])];
  const files = [...(done.files ?? []), ...kept.map(({ name }) => name)];
  return { ...done, files, ...(altered.length > 0 && { altered }) };
}

/** What is known of a write whose last files are still to be sent. */
function withPending(
  done: Done,
  steps: readonly FileStep[],
  now: CurrentRecord,
  { context }: WriteTarget,
): Done {
  const values = steps.map((step): EncodedPart => {
    const value = stepValue(step);
    if (step.row === undefined) return value;
    const row = { ...(step.row.id !== null && { id: step.row.id }), values: [value] };
    return { part: step.row.table, value: { kind: 'rows', rows: [row] } };
  });
  const before = partsBefore(
    values.map(({ part }) => part),
    now,
    context,
  );
  const pending = { values: packValues(values), before, revision: null, isAnswered: false };
  return { ...done, pending: pending };
}

/** What is still to be done in a place. */
function stepsOf({ part, row, left }: FileChange, { missing }: Arrival): FileStep[] {
  const place = { part, ...(row !== undefined && { row }) };
  return [...left.map((remove) => ({ ...place, remove })), ...missing.map((add) => ({ ...place, add }))];
}

/** Does one step, and verifies it. */
async function doStep(
  app: ApplicationSession,
  target: WriteTarget,
  step: FileStep,
  current: CurrentRecord,
  contents: Contents,
): Promise<{ readonly now: CurrentRecord; readonly kept: readonly StoredUpload[]; readonly said?: string }> {
  const { id, context } = target;
  const start = { current, before: null };
  const written = await sendUntilDone(app, stepWrite(target, step), start);
  const { plan, current: before, isAnswered, said } = written;
  const now = await readCurrent(app, id, context);
  const isAlone = isAnswered && now.revision === plan.revision + 1;
  const kept: StoredUpload[] = [];
  for (const change of fileChanges(plan.values, before ?? now, now, context)) {
    if (change.value.add.length + change.value.remove.length === 0) continue;
    const arrival = arrivalOf(change, contents, isAlone);
    assertKnown(id, change, arrival, contents, isAlone);
    if (arrival.missing.length + change.left.length > 0) throw notTaken(id, step, contents);
    kept.push(...arrival.kept);
  }
  return { now, kept, ...(said !== undefined && { said }) };
}

/** One upload or removal; in a row, among all rows that are there. */
function stepWrite(target: WriteTarget, step: FileStep): RecordWrite {
  const { row, remove } = step;
  const { context } = target;
  const value = stepValue(step);
  return {
    ...target,
    // Values are copied by key parts only where these are sent, as they were with the write itself.
    options: { ...target.options, relookupKeyParts: [] },
    needsCurrent: true,
    concerns: [row?.table ?? step.part],
    comparesAgain: false,
    plan: (current) => {
      if (current === null) throw new Error('The record was not read');
      const { revision } = current;
      const stored = row === undefined ? undefined : valueOf(current.record, row.table, context);
      const rows = Array.isArray(stored) ? (stored as unknown[]) : [];
      const given = { ...(typeof row?.id === 'string' && { id: row.id }), values: [value] };
      const values: EncodedPart[] =
        row === undefined
          ? [value]
          : [
              {
                part: row.table,
                value: { kind: 'rows', rows: mergeRows(row.table, [given], rows, context) },
              },
            ];
      const [place] = fileChanges(values, current, current, context);
      const isGone = remove !== undefined && place?.left.includes(remove) !== true;
      if (isGone) return { outcome: 'unchanged', guard: 'node', revision, values: [] };
      return { outcome: 'updated', guard: 'node', revision, values };
    },
  };
}

/**
 * Where the revision moved by more than the write, a file that is missing may have been altered, or removed by somebody
 * else.
 * @param isSure whether what is missing was certainly not kept, unless a new file may be it.
 */
function assertKnown(
  id: string,
  change: FileChange,
  { missing, others }: Arrival,
  contents: Contents,
  isSure: boolean,
): void {
  const [name] = missing;
  if (name === undefined || (isSure && others.length === 0)) return;
  throw notKnown(
    id,
    change,
    contents.get(name)?.fileName ?? name,
    'The record was changed again before the file could be verified, or has a new file that may be the same. Check in the application whether it is there.',
  );
}

/** Reads what verifying needs. If that fails, the write itself stands. */
async function afterWriting<T>(id: string, read: () => Promise<T>): Promise<T> {
  const found = await settle(read);
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

/** It is not known whether a file was added. */
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
  if (isIndeterminate(failure) && step.add !== undefined)
    return notKnown(id, step, contents.get(step.add)?.fileName ?? step.add, `${message}. ${description}`);
  return failure.reworded(
    `The record ${id} was written, but ${describeStep(step, contents)}: ${message}`,
    `Everything before that was done. ${description}`,
  );
}
