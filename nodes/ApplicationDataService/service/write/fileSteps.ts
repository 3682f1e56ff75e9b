import type { RowWrite } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import { ANY_FILES, placeRows, storedRows } from '../../parts/placeRows';
import { valueOf } from '../../parts/types/entries';
import { readText } from '../../parts/values/shapes';
import { settle } from '../../util/concurrently';
import { asUserError, type UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, ServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent } from '../read/records';
import type { Checkpoint, Done } from './checkpoint';
import { type FileChange, filesOf, nameFiles, severalIn, type Split } from './files';
import type { Contents, WriteTarget } from './form';
import { settleUpdate } from './settle';
import type { Update } from './update';

/** A first request with files, and what follows it. */
export interface Sent extends Split {
  readonly contents: Contents;
  /** The record before it, empty if it is new; `null` if that is no longer known, in a further try. */
  readonly before: Readonly<Record<string, unknown>> | null;
}

/** The same, and where it went. */
interface SentTo extends Sent {
  readonly app: ApplicationSession;
  readonly target: WriteTarget;
}

/**
 * Does what follows a first request, one file a request, each under the revision read before it: where a part got
 * several files, those that the service did not keep (service-facts, "More that is not shown"); then second files of
 * one name, and further removals. The steps that a further try must not repeat are counted.
 * @throws UserError that says which file is missing; the write itself stands.
 */
export async function finishFiles(
  app: ApplicationSession,
  target: WriteTarget,
  sent: Sent,
  { steps = 0, doubt, ...done }: Done,
  checkpoint: Checkpoint,
): Promise<Done> {
  const to: SentTo = { ...sent, app, target };
  const several = severalIn(sent.first);
  const adds = sent.later.filter(({ value }) => value.add.length > 0);
  const removals = sent.later.filter(({ value }) => value.remove.length > 0);
  const missing = async (): Promise<void> => await sendMissing(to, several);
  // Which of them are left is seen by the record: they are one step.
  const remove = async (): Promise<void> => {
    for (const change of removals) await sendStep(to, change);
  };
  const all = [
    ...(several.length > 0 ? [missing] : []),
    ...adds.map((change) => async (inDoubt?: Done['doubt']) => await sendStep(to, change, null, inDoubt)),
    ...(removals.length > 0 ? [remove] : []),
  ];
  for (const [index, step] of all.entries()) {
    if (index < steps) continue;
    const reached = { ...done, steps: index };
    checkpoint.recordProgress(reached);
    const stepped = await settle(async () => await step(index === steps ? doubt : undefined));
    if ('value' in stepped) continue;
    if (isIndeterminate(stepped.error)) {
      const { message, description, details } = stepped.error;
      const revision = details.sent?.revision ?? 0;
      checkpoint.recordProgress({ ...reached, doubt: { message, description, revision } });
    }
    throw stepped.error;
  }
  checkpoint.recordProgress(done);
  return done;
}

/**
 * Sends the files that the service did not keep: as many new files as were sent are well, whatever their names.
 * @throws ServiceError where it is not known which ones are missing, as in a further try, which does not know what was
 * there before.
 */
async function sendMissing(to: SentTo, several: readonly FileChange[]): Promise<void> {
  let now: CurrentRecord | null = await readAfter(to);
  const rowIds = newRowIds(to, now);
  for (const change of several.flatMap((each) => missingIn(to, each, now!, rowIds))) {
    await sendStep(to, change, now);
    now = null;
  }
}

function missingIn(to: SentTo, change: FileChange, now: CurrentRecord, rowIds: RowIds): FileChange[] {
  const { contents, before } = to;
  const { value, row } = change;
  const rowId = row && (row.row.id ?? rowIds.get(row.row));
  const files = filesAt(to, change, rowId, now.record);
  if (files === undefined) throw notKept(to, change, 'The record does not show them.');
  const known = new Set(filesAt(to, change, rowId, before ?? {})?.map(({ id }) => id));
  const fresh = files.filter(({ id }) => !known.has(id));
  const kept = new Set(fresh.map(({ name }) => name));
  const missing = value.add.filter((name) => !kept.has(contents.get(name)!.fileName));
  const count = value.add.length - fresh.length;
  if (missing.length === 0 || (before !== null && count <= 0)) return [];
  if (before === null) throw notKept(to, change, 'Not all of them are there.');
  if (missing.length !== count)
    throw notKept(to, change, `The service kept ${fresh.length} of them under other names.`);
  return missing.map((name) => ({ ...change, value: { kind: 'files', add: [name], remove: [] } }));
}

/** The files of one place in a record; `undefined` if it does not show them. */
function filesAt(
  { target: { context } }: SentTo,
  { part, row }: FileChange,
  rowId: string | undefined,
  record: NonNullable<Sent['before']>,
): ReturnType<typeof filesOf> {
  const rows = row && storedRows(valueOf(record, row.table, context));
  const holder = row === undefined ? record : rows?.find(({ id }) => readText(id) === rowId);
  return holder && filesOf(valueOf(holder, part, context));
}

/** IDs of the rows that a first request has added. */
type RowIds = ReadonlyMap<RowWrite, string>;

/** They are found by their content among the rows that were not there before. */
function newRowIds({ target: { context }, first, before }: SentTo, now: CurrentRecord): RowIds {
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
 * Adds or removes one file, without looking values up by key parts again.
 * @param known the record, where it was just read.
 * @param doubt what an earlier try ended in.
 */
async function sendStep(
  to: SentTo,
  change: FileChange,
  known: CurrentRecord | null = null,
  doubt?: Done['doubt'],
): Promise<void> {
  const { app, target, contents } = to;
  const { part, value, row } = change;
  const isNewRow = row !== undefined && row.row.id === undefined;
  const now = known ?? (isNewRow ? await readAfter(to) : null);
  const id = isNewRow ? newRowIds(to, now!).get(row.row) : (row?.row.id ?? '');
  if (id === undefined) throw notKept(to, change, 'Its new row is not found.');
  const rows = [{ id, values: [{ part, value }] }];
  const update: Update = {
    ...{ id: target.id, context: target.context, uploadSource: target.uploadSource },
    ...{ policy: 'overwrite', revision: null, rowMode: 'merge', skipUnchanged: true, emptied: [], known: {} },
    parts: app.application.parts,
    values: [row === undefined ? { part, value } : { part: row.table, value: { kind: 'rows', rows } }],
    options: { autoAction: false, relookupKeyParts: [] },
  };
  const details = { action: 'update_data', sent: { revision: doubt?.revision ?? 0 } };
  const open = doubt && new ServiceError('outcomeUnknown', doubt.message, doubt.description, details);
  const step = await settle(async () => await settleUpdate(app, update, contents, now, open ?? null));
  if ('error' in step) throw afterWrite(to, change, asUserError(step.error));
}

async function readAfter({ app, target: { id, context } }: SentTo): Promise<CurrentRecord> {
  return await afterWriting(id, async () => await readCurrent(app, id, context));
}

/** Finds out what the steps need. If that fails, the write itself stands. */
export async function afterWriting<T>(id: string, find: () => Promise<T>): Promise<T> {
  const found = await settle(find);
  if ('value' in found) return found.value;
  const failure = asUserError(found.error);
  throw failure.reworded(
    `The record ${id} was written, but its attachments could not be verified: ${failure.message}`,
    `Check in the application whether they are there. ${failure.description}`,
  );
}

function notKept({ target, contents }: SentTo, { part, value }: FileChange, why: string): ServiceError {
  return new ServiceError(
    'badAnswer',
    `The record ${target.id} was written, but it is not known whether the service kept these files in ${namePart(part)}: ${nameFiles(value.add, contents)}`,
    `${why} Check in the application which of them are there, and add the others with Attachment > Upload.`,
  );
}

function afterWrite(
  { target: { id }, contents }: SentTo,
  { part, value }: FileChange,
  failure: UserError,
): UserError {
  const { message, description } = failure;
  const isAdd = value.add.length > 0;
  const file = isAdd ? nameFiles(value.add, contents) : value.remove.join();
  const done = isAdd ? `added to ${namePart(part)}` : `removed from ${namePart(part)}`;
  const isUnknown = isIndeterminate(failure);
  return failure.reworded(
    isUnknown
      ? `The record ${id} was written, but it is not known whether the file ${file} was ${done} (outcome unknown)`
      : `The record ${id} was written, but the file ${file} was not ${done}: ${message}`,
    `${isUnknown ? `${message}.` : 'Everything before that was done.'} ${description}`,
  );
}
