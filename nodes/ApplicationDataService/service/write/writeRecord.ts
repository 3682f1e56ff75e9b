import type { IDataObject } from 'n8n-workflow';

import type { RowWrite } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import { ANY_FILES, placeRows, storedRows } from '../../parts/compare';
import { valueOf } from '../../parts/types/entries';
import { type Entry, readText } from '../../parts/values/shapes';
import { inSeries } from '../../util/concurrently';
import { asUserError, type UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, ServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent } from '../read/records';
import { type FileChange, fileChanges, filesOf, hasSteps, nameFiles, severalIn, type Split } from './files';
import type { WriteTarget } from './form';
import { settleUpdate } from './settle';
import { needsCurrent, planUpdate, type Update, type WritePlan } from './update';

/** What the service has done for a write. Plain JSON, because it outlives a try of the node. */
export interface Done extends IDataObject {
  id: string;
  outcome: 'created' | 'updated' | 'unchanged' | 'conflict';
  /** What the plan found out besides: IDs and numbers, each operation's own. */
  found?: IDataObject;
  /** How many of the steps that follow the first request are done; absent once all are. */
  steps?: number;
  /** The revision under which files of the first request were missing, as far as it is known. */
  lacking?: number;
}

/** Where a write says how far it has come. Whatever fails afterwards, a further try begins where this one ended. */
export interface Checkpoint<T extends IDataObject = Done> {
  /** The items that it is for, also where an earlier try has begun it. */
  readonly items: readonly number[];
  /** What this or an earlier try has reached; `null` for nothing. */
  readonly done: T | null;
  /** An earlier try ended without knowing the outcome: of the write, or of its next step. */
  readonly indeterminate: ServiceError | null;
  /** What is sent now differs from what the earlier try sent. */
  readonly isOther: boolean;
  /** To be called the moment the service has done it. */
  recordProgress(done: T): void;
}

/**
 * Changes one record (interface.md, "update_data") with all its files: never blindly twice, never over somebody else's
 * rows. Works on one record that read it run one after the other in this process.
 * @param known the record, where it is known already.
 * @throws as `settleUpdate` and `sendFileSteps`.
 */
export async function writeRecord(
  app: ApplicationSession,
  update: Update,
  checkpoint: Checkpoint,
  known: CurrentRecord | null = null,
): Promise<Done> {
  const { done } = checkpoint;
  if (done !== null && done.steps === undefined) return done;
  // Sync compares again what an earlier try has begun: that was announced by its first request.
  const rest = done === null ? update : { ...update, options: { ...update.options, autoAction: false } };
  const run = async (): Promise<Done> =>
    done !== null && update.stateOf === undefined
      ? await finishAgain(app, update, done, checkpoint)
      : await change(app, rest, checkpoint, known);
  return await (needsCurrent(update) ? inSeries(app.serialKey(update.id), run) : run());
}

async function change(
  app: ApplicationSession,
  update: Update,
  checkpoint: Checkpoint,
  known: CurrentRecord | null,
): Promise<Done> {
  const { plan, current } = await settleUpdate(app, update, known, checkpoint.indeterminate);
  const { removed, outcomes, otherFiles } = plan.found;
  const isTelling = removed.length + outcomes.length + otherFiles > 0;
  const outcome = checkpoint.done?.outcome ?? plan.outcome;
  const done: Done = { id: update.id, outcome, ...(isTelling && { found: plan.found }) };
  const isOpen = plan.outcome === 'updated' && hasSteps(plan);
  checkpoint.recordProgress(isOpen ? { ...done, steps: 0 } : done);
  if (!isOpen) return done;
  const written = { ...plan, target: update, before: current!.record };
  return await sendFileSteps(app, written, done, checkpoint, null);
}

/** Does the steps that an earlier try has left open. What was there before its first request is no longer known. */
async function finishAgain(
  app: ApplicationSession,
  update: Update,
  done: Done,
  checkpoint: Checkpoint,
): Promise<Done> {
  const now = await readAfter(app, update);
  const again: Update = { ...update, policy: 'overwrite', revision: null };
  const { first, later } = planUpdate(again, now, false);
  const left = fileChanges(first).map((each) => ({ ...each, value: { ...each.value, add: [] } }));
  const written = { target: update, first, later: [...later, ...left], before: null };
  return await sendFileSteps(app, written, done, checkpoint, checkpoint.indeterminate, now);
}

/** What a write would send first, and the record that this was planned on. Nothing is written. */
export async function planRecord(
  app: ApplicationSession,
  update: Update,
  known: CurrentRecord | null = null,
): Promise<{ readonly plan: WritePlan; readonly current: CurrentRecord }> {
  const current = known ?? (await readCurrent(app, update.id, update.context));
  return { plan: planUpdate(update, current), current };
}

/** A first request with files that was done, and what follows it. */
interface Written extends Split {
  readonly target: WriteTarget;
  /** The record before it, empty if it is new; `null` if that is no longer known, in a further try. */
  readonly before: Entry | null;
}

/**
 * Sends what follows a first request, one file a request, each under the revision read before it: where a part got
 * several files, those that the service did not keep (service-facts, "More that is not shown"); then second files of
 * one name, and further removals. The steps that a further try must not repeat are counted.
 * @param doubt what the next step ended in, in an earlier try.
 * @param known the record after the first request, if it was read.
 * @throws UserError that says which file is missing; the write itself stands.
 */
export async function sendFileSteps(
  app: ApplicationSession,
  written: Written,
  { steps = 0, lacking, ...done }: Done,
  checkpoint: Checkpoint,
  doubt: ServiceError | null,
  known: CurrentRecord | null = null,
): Promise<Done> {
  const { target, first, later } = written;
  const now = known ?? (await readAfter(app, target));
  const rowIds = newRowIds(written, now);
  const located = ({ row, ...change }: FileChange): FileChange =>
    row === undefined
      ? change
      : { ...change, row: { ...row, row: { ...row.row, id: row.row.id ?? rowIds.get(row.row) } } };
  const changes = later.map(located);
  const adds = changes.filter(({ value }) => value.add.length > 0);
  const removals = changes.filter(({ value }) => value.remove.length > 0);
  const missing = (): FileChange[] =>
    severalIn(first).flatMap((each) => missingFiles(written, located(each), now, lacking === now.revision));
  // Which of several files are missing, or still to be removed, is seen by the record: they are one step.
  const all = [
    { kind: 'missing', changesOf: missing },
    ...adds.map((each) => ({ kind: 'add', changesOf: () => [each] })),
    { kind: 'remove', changesOf: () => removals },
  ];
  let unused: CurrentRecord | null = now;
  for (const [index, { kind, changesOf }] of all.entries()) {
    if (index < steps) continue;
    const progress = { ...done, steps: index, ...(lacking !== undefined && { lacking }) };
    checkpoint.recordProgress(progress);
    const open = kind === 'add' && index === steps ? doubt : null;
    for (const [sent, change] of changesOf().entries()) {
      // Each step makes a revision.
      if (kind === 'missing') checkpoint.recordProgress({ ...progress, lacking: now.revision + sent });
      const update = updateOf(target, change);
      const current = unused;
      unused = null;
      await settleUpdate(app, update, current, open).catch((error: unknown) => {
        throw afterWrite(target, change, asUserError(error));
      });
    }
  }
  checkpoint.recordProgress(done);
  return done;
}

/** IDs of the rows that a first request has added, found by their content among those that were not there before. */
function newRowIds(
  { target: { context }, first, before }: Written,
  now: CurrentRecord,
): ReadonlyMap<RowWrite, string> {
  const ids = new Map<RowWrite, string>();
  for (const { part, value } of before === null ? [] : first) {
    if (value.kind !== 'rows') continue;
    const known = new Set(storedRows(valueOf(before!, part, context))?.map(({ id }) => readText(id)));
    const rows = storedRows(valueOf(now.record, part, context)) ?? [];
    const fresh = rows.filter(({ id }) => !known.has(readText(id)));
    const added = value.rows.filter(({ id }) => id === undefined);
    for (const [index, row] of placeRows(added, fresh, context, ANY_FILES).entries())
      if (row !== null) ids.set(added[index]!, readText(row.id));
  }
  return ids;
}

/**
 * The files that the service did not keep: as many new files as were sent are well, whatever their names.
 * @param isLacking an earlier try has found files missing, and nothing was changed since.
 * @throws ServiceError where it is not known which ones are missing, as in a further try.
 */
function missingFiles(
  { target, before }: Written,
  change: FileChange,
  now: CurrentRecord,
  isLacking: boolean,
): FileChange[] {
  const { add } = change.value;
  const files = filesAt(target, change, now.record);
  if (files === undefined) throw notKept(target, change, 'The record does not show them.');
  const known = new Set(filesAt(target, change, before ?? {})?.map(({ id }) => id));
  const fresh = files.filter(({ id }) => !known.has(id));
  const kept = new Set(fresh.map(({ name }) => name));
  const missing = add.filter((name) => !kept.has(target.contents.get(name)!.fileName));
  const count = add.length - fresh.length;
  if (before === null && (isLacking || missing.length > 0))
    throw notKept(target, change, 'Not all of them are there.');
  if (missing.length === 0 || count <= 0) return [];
  if (missing.length !== count)
    throw notKept(target, change, `The service kept ${fresh.length} of them under other names.`);
  return missing.map((name) => ({ ...change, value: { kind: 'files', add: [name], remove: [] } }));
}

/** The files of one place in a record; `undefined` if it does not show them. */
function filesAt(
  { context }: WriteTarget,
  { part, row }: FileChange,
  record: Entry,
): ReturnType<typeof filesOf> {
  const rows = row && storedRows(valueOf(record, row.table, context));
  const holder = row === undefined ? record : rows?.find(({ id }) => readText(id) === row.row.id);
  return holder && filesOf(valueOf(holder, part, context));
}

/** A step as an update, which does not look values up by key parts again. */
function updateOf(target: WriteTarget, change: FileChange): Update {
  const { id, context, contents } = target;
  const { part, value, row } = change;
  if (row !== undefined && row.row.id === undefined)
    throw notKept(target, change, 'Its new row is not found.');
  const rows = [{ id: row?.row.id ?? '', values: [{ part, value }] }];
  return {
    ...{ id, context, contents, policy: 'overwrite', revision: null, rowMode: 'merge', skipUnchanged: true },
    ...{ known: {}, parts: [], options: { autoAction: false, relookupKeyParts: [] } },
    values: [row === undefined ? { part, value } : { part: row.table, value: { kind: 'rows', rows } }],
  };
}

function afterWrite(
  { id, contents }: WriteTarget,
  { part, value: { add, remove } }: FileChange,
  failure: UserError,
): UserError {
  const { message, description, cause } = failure;
  const file = add.length > 0 ? nameFiles(add, contents) : remove.join();
  const done = `${add.length > 0 ? 'added to' : 'removed from'} ${namePart(part)}`;
  return isIndeterminate(failure)
    ? failure.reworded(
        `The record ${id} was written, but it is not known whether the file ${file} was ${done} (outcome unknown)`,
        cause === undefined ? description : `${description} ${cause.message}.`,
      )
    : failure.reworded(
        `The record ${id} was written, but the file ${file} was not ${done}: ${message}`,
        `Everything before that was done. ${description}`,
      );
}

/** The record after its first request, for the steps. If it cannot be read, the write itself stands. */
async function readAfter(app: ApplicationSession, { id, context }: WriteTarget): Promise<CurrentRecord> {
  return await readCurrent(app, id, context).catch((error: unknown) => {
    const failure = asUserError(error);
    throw failure.reworded(
      `The record ${id} was written, but its attachments could not be verified: ${failure.message}`,
      `Check in the application whether they are there. ${failure.description}`,
    );
  });
}

function notKept({ id, contents }: WriteTarget, { part, value }: FileChange, why: string): ServiceError {
  return new ServiceError(
    'badAnswer',
    `The record ${id} was written, but it is not known whether the service kept these files in ${namePart(part)}: ${nameFiles(value.add, contents)}`,
    `${why} Check in the application which of them are there, and add the others with Attachment > Upload.`,
  );
}
