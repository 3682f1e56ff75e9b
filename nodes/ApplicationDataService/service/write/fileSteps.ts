import type { RowWrite } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import { ANY_FILES, placeRows, storedRows } from '../../parts/placeRows';
import { valueOf } from '../../parts/types/entries';
import { readText } from '../../parts/values/shapes';
import { asUserError, type UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, ServiceError } from '../http/errors';
import { type CurrentRecord, readCurrent } from '../read/records';
import type { Checkpoint, Done } from './checkpoint';
import { type FileChange, filesOf, nameFiles, severalIn, type Split } from './files';
import type { WriteTarget } from './form';
import { settleUpdate } from './settle';
import type { Update } from './update';

/** A first request with files that was done, and what follows it. */
export interface Written extends Split {
  readonly app: ApplicationSession;
  readonly target: WriteTarget;
  /** The record before it, empty if it is new; `null` if that is no longer known, in a further try. */
  readonly before: Readonly<Record<string, unknown>> | null;
}

/**
 * Sends what follows a first request, one file a request, each under the revision read before it: where a part got
 * several files, those that the service did not keep (service-facts, "More that is not shown"); then second files of
 * one name, and further removals. The steps that a further try must not repeat are counted.
 * @param doubt what the next step ended in, in an earlier try.
 * @throws UserError that says which file is missing; the write itself stands.
 */
export async function sendFileSteps(
  written: Written,
  { steps = 0, ...done }: Done,
  checkpoint: Checkpoint,
  doubt: ServiceError | null,
): Promise<Done> {
  const several = severalIn(written.first);
  const adds = written.later.filter(({ value }) => value.add.length > 0);
  const removals = written.later.filter(({ value }) => value.remove.length > 0);
  const all: ((inDoubt: ServiceError | null) => Promise<void>)[] = [
    ...(several.length > 0 ? [async () => await sendMissing(written, several)] : []),
    ...adds.map(
      (change) => async (inDoubt: ServiceError | null) => await sendStep(written, change, null, inDoubt),
    ),
  ];
  // Which of them are left is seen by the record: they are one step.
  if (removals.length > 0)
    all.push(async () => {
      for (const change of removals) await sendStep(written, change);
    });
  for (const [index, step] of all.entries()) {
    if (index < steps) continue;
    checkpoint.recordProgress({ ...done, steps: index });
    await step(index === steps ? doubt : null);
  }
  checkpoint.recordProgress(done);
  return done;
}

/**
 * Sends the files that the service did not keep: as many new files as were sent are well, whatever their names.
 * @throws ServiceError where it is not known which ones are missing, as in a further try.
 */
async function sendMissing(written: Written, several: readonly FileChange[]): Promise<void> {
  let now: CurrentRecord | null = await readAfter(written.app, written.target);
  const rowIds = newRowIds(written, now);
  for (const change of several.flatMap((each) => missingIn(written, each, now!, rowIds))) {
    await sendStep(written, change, now);
    now = null;
  }
}

function missingIn(written: Written, change: FileChange, now: CurrentRecord, rowIds: RowIds): FileChange[] {
  const { before } = written;
  const { value, row } = change;
  const rowId = row && (row.row.id ?? rowIds.get(row.row));
  const files = filesAt(written, change, rowId, now.record);
  if (files === undefined) throw notKept(written, change, 'The record does not show them.');
  const known = new Set(filesAt(written, change, rowId, before ?? {})?.map(({ id }) => id));
  const fresh = files.filter(({ id }) => !known.has(id));
  const kept = new Set(fresh.map(({ name }) => name));
  const missing = value.add.filter((name) => !kept.has(written.target.contents.get(name)!.fileName));
  const count = value.add.length - fresh.length;
  if (missing.length === 0 || (before !== null && count <= 0)) return [];
  if (before === null) throw notKept(written, change, 'Not all of them are there.');
  if (missing.length !== count)
    throw notKept(written, change, `The service kept ${fresh.length} of them under other names.`);
  return missing.map((name) => ({ ...change, value: { kind: 'files', add: [name], remove: [] } }));
}

/** The files of one place in a record; `undefined` if it does not show them. */
function filesAt(
  { target: { context } }: Written,
  { part, row }: FileChange,
  rowId: string | undefined,
  record: NonNullable<Written['before']>,
): ReturnType<typeof filesOf> {
  const rows = row && storedRows(valueOf(record, row.table, context));
  const holder = row === undefined ? record : rows?.find(({ id }) => readText(id) === rowId);
  return holder && filesOf(valueOf(holder, part, context));
}

type RowIds = ReadonlyMap<RowWrite, string>;

/** IDs of the rows that a first request has added, found by their content among those that were not there before. */
function newRowIds({ target: { context }, first, before }: Written, now: CurrentRecord): RowIds {
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

/** Adds or removes one file, without looking values up by key parts again. */
async function sendStep(
  written: Written,
  change: FileChange,
  known: CurrentRecord | null = null,
  doubt: ServiceError | null = null,
): Promise<void> {
  const { app, target } = written;
  const { part, value, row } = change;
  const isNewRow = row !== undefined && row.row.id === undefined;
  const now = known ?? (isNewRow ? await readAfter(written.app, written.target) : null);
  const id = isNewRow ? newRowIds(written, now!).get(row.row) : (row?.row.id ?? '');
  if (id === undefined) throw notKept(written, change, 'Its new row is not found.');
  const rows = [{ id, values: [{ part, value }] }];
  const update: Update = {
    ...{ id: target.id, context: target.context, contents: target.contents },
    ...{ policy: 'overwrite', revision: null, rowMode: 'merge', skipUnchanged: true, emptied: [], known: {} },
    parts: app.application.parts,
    values: [row === undefined ? { part, value } : { part: row.table, value: { kind: 'rows', rows } }],
    options: { autoAction: false, relookupKeyParts: [] },
  };
  try {
    await settleUpdate(app, update, now, doubt);
  } catch (error) {
    throw afterWrite(written, change, asUserError(error));
  }
}

function afterWrite(
  { target }: Written,
  { part, value: { add, remove } }: FileChange,
  failure: UserError,
): UserError {
  const { message, description } = failure;
  const file = add.length > 0 ? nameFiles(add, target.contents) : remove.join();
  const done = `${add.length > 0 ? 'added to' : 'removed from'} ${namePart(part)}`;
  const isUnknown = isIndeterminate(failure);
  return failure.reworded(
    isUnknown
      ? `The record ${target.id} was written, but it is not known whether the file ${file} was ${done} (outcome unknown)`
      : `The record ${target.id} was written, but the file ${file} was not ${done}: ${message}`,
    `${isUnknown ? `${message}.` : 'Everything before that was done.'} ${description}`,
  );
}

/** The record after its first request, for the steps. If it cannot be read, the write itself stands. */
export async function readAfter(
  app: ApplicationSession,
  { id, context }: Pick<WriteTarget, 'id' | 'context'>,
): Promise<CurrentRecord> {
  try {
    return await readCurrent(app, id, context);
  } catch (error) {
    const { message, description } = asUserError(error);
    throw asUserError(error).reworded(
      `The record ${id} was written, but its attachments could not be verified: ${message}`,
      `Check in the application whether they are there. ${description}`,
    );
  }
}

function notKept({ target }: Written, { part, value }: FileChange, why: string): ServiceError {
  return new ServiceError(
    'badAnswer',
    `The record ${target.id} was written, but it is not known whether the service kept these files in ${namePart(part)}: ${nameFiles(value.add, target.contents)}`,
    `${why} Check in the application which of them are there, and add the others with Attachment > Upload.`,
  );
}
