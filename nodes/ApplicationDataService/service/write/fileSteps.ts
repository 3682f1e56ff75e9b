import type { EncodedPart } from '../../parts/encode';
import type { RowWrite } from '../../parts/model/part';
import { namePart } from '../../parts/model/errors';
import { placeRows, storedRows } from '../../parts/placeRows';
import { readText } from '../../parts/values/shapes';
import { settle } from '../../util/concurrently';
import { asUserError, type UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { isIndeterminate, ServiceError } from '../http/errors';
import { valueOf } from '../../parts/types/entries';
import { type CurrentRecord, readCurrent } from '../read/records';
import type { Checkpoint, Done } from './checkpoint';
import { type FileChange, fileChanges, filesOf, nameFiles, type Split } from './files';
import type { Contents, WriteTarget } from './form';
import { settleUpdate } from './settle';
import type { Update } from './update';

/** A simplified record. */
type Simplified = Readonly<Record<string, unknown>>;

/** A first request with files, and what follows it. */
export interface Sent extends Split {
  readonly contents: Contents;
  /** The record before it, empty if it is new; `null` if that is no longer known, in a further try. */
  readonly before: Simplified | null;
}

/** The same, and where it went. */
interface SentTo extends Sent {
  readonly app: ApplicationSession;
  readonly target: WriteTarget;
}

/** Whether anything follows a first request. */
export function hasSteps({ first, later }: Split): boolean {
  return later.length > 0 || severalIn(first).length > 0;
}

/** The places to which the first request sent several files. */
function severalIn(first: readonly EncodedPart[]): FileChange[] {
  return fileChanges(first).filter(({ value }) => value.add.length > 1);
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
  progress: Done,
  checkpoint: Checkpoint,
): Promise<Done> {
  const { steps = 0, doubt, ...done } = progress;
  const to: SentTo = { ...sent, app, target };
  const several = severalIn(sent.first);
  const counts = several.length > 0 ? 1 : 0;
  if (counts > steps) {
    const now = await readAfter(to);
    const rowIds = newRowIds(to, now);
    const lacking = several.flatMap((change) => lackingAt(to, change, now, rowIds));
    for (const [index, change] of lacking.entries()) await sendStep(to, change, index === 0 ? now : null);
  }
  const adds = sent.later.filter(({ value }) => value.add.length > 0);
  for (const [index, change] of adds.entries()) {
    const reached = { ...done, steps: counts + index };
    if (reached.steps < steps) continue;
    checkpoint.recordProgress(reached);
    const before = reached.steps === steps && doubt !== undefined ? asDoubt(doubt) : null;
    const step = await settle(async () => await sendStep(to, change, null, before));
    if ('value' in step) continue;
    if (isIndeterminate(step.error)) checkpoint.recordProgress({ ...reached, doubt: doubtOf(step.error) });
    throw step.error;
  }
  const removals = sent.later.filter(({ value }) => value.remove.length > 0);
  if (removals.length > 0) checkpoint.recordProgress({ ...done, steps: counts + adds.length });
  for (const change of removals) await sendStep(to, change, null);
  checkpoint.recordProgress(done);
  return done;
}

function doubtOf({ message, description, details }: ServiceError): NonNullable<Done['doubt']> {
  return { message, description, revision: details.sent?.revision ?? 0 };
}

function asDoubt({ message, description, revision }: NonNullable<Done['doubt']>): ServiceError {
  const details = { action: 'update_data', sent: { revision } };
  return new ServiceError('outcomeUnknown', message, description, details);
}

/**
 * The files of one place that are to follow because the service did not keep them: as many new files as were sent are
 * well, whatever their names.
 * @throws ServiceError where it is not known which ones are missing, as in a further try, which does not know what was
 * there before.
 */
function lackingAt(to: SentTo, change: FileChange, now: CurrentRecord, rowIds: RowIds): FileChange[] {
  const { contents, before } = to;
  const { add } = change.value;
  const rowId = rowIdOf(change, rowIds);
  const files = filesAt(to, change, rowId, now.record);
  if (files === undefined) throw notKept(to, change, 'The record does not show them.');
  const known = new Set(filesAt(to, change, rowId, before ?? {})?.map(({ id }) => id));
  const fresh = files.filter(({ id }) => !known.has(id));
  const kept = new Set(fresh.map(({ name }) => name));
  const missing = add.filter((name) => !kept.has(contents.get(name)!.fileName));
  if (before === null && missing.length > 0) throw notKept(to, change, 'Not all of them are there.');
  const count = add.length - fresh.length;
  if (count <= 0 || missing.length === 0) return [];
  if (missing.length !== count)
    throw notKept(to, change, `The service kept ${fresh.length} of them under other names.`);
  return missing.map((name) => ({ ...change, value: { kind: 'files', add: [name], remove: [] } }));
}

/** The files of one place in a record; `undefined` if it does not show them. */
function filesAt(
  { target: { context } }: SentTo,
  { part, row }: FileChange,
  rowId: string | undefined,
  record: Simplified,
): ReturnType<typeof filesOf> {
  if (row === undefined) return filesOf(valueOf(record, part, context));
  const rows = storedRows(valueOf(record, row.table, context)) ?? [];
  const own = rows.find(({ id }) => rowId !== undefined && readText(id) === rowId);
  return own && filesOf(valueOf(own, part, context));
}

/** IDs of the rows that a first request has added. */
type RowIds = ReadonlyMap<RowWrite, string>;

/** The new rows are found by their content among those that were not there before. */
function newRowIds({ target: { context }, first, before }: SentTo, now: CurrentRecord): RowIds {
  const ids = new Map<RowWrite, string>();
  for (const { part, value } of before === null ? [] : first) {
    if (value.kind !== 'rows') continue;
    const known = new Set(storedRows(valueOf(before!, part, context))?.map(({ id }) => readText(id)));
    const rows = storedRows(valueOf(now.record, part, context)) ?? [];
    const fresh = rows.filter(({ id }) => !known.has(readText(id)));
    const added = value.rows.filter(({ id }) => id === undefined);
    placeRows(added, fresh, context, () => true).forEach((row, index) => {
      const id = readText(row?.id);
      if (id !== '') ids.set(added[index]!, id);
    });
  }
  return ids;
}

/** The ID of the row that a change is about. */
function rowIdOf({ row }: FileChange, rowIds: RowIds): string | undefined {
  return row && (row.row.id ?? rowIds.get(row.row));
}

/** One upload or removal, which is not announced to automatic processing again. */
async function sendStep(
  to: SentTo,
  change: FileChange,
  known: CurrentRecord | null,
  doubt: ServiceError | null = null,
): Promise<void> {
  const { part, value, row } = change;
  const { app, contents, target } = to;
  const isNewRow = row !== undefined && row.row.id === undefined;
  const now = known ?? (isNewRow ? await readAfter(to) : null);
  const rowId = rowIdOf(change, now === null ? new Map() : newRowIds(to, now));
  if (row !== undefined && !rowId) throw notKept(to, change, 'Its new row is not found.');
  const files: EncodedPart = { part, value };
  const inRow: EncodedPart | undefined = row && {
    part: row.table,
    value: { kind: 'rows', rows: [{ id: rowId!, values: [files] }] },
  };
  const step = await settle(async () => {
    const update = plainUpdate(app, target, [inRow ?? files]);
    return await settleUpdate(app, update, contents, now, doubt);
  });
  if ('error' in step) throw afterWrite(to, change, asUserError(step.error));
}

/** Values are copied by key parts only where these are sent, as they were with the write itself. */
function plainUpdate(
  { application: { parts } }: ApplicationSession,
  { id, context, uploadSource }: WriteTarget,
  values: Update['values'],
): Update {
  const options = { autoAction: false, relookupKeyParts: [] };
  const plain = {
    emptied: [],
    policy: 'overwrite',
    revision: null,
    known: {},
    skipUnchanged: false,
  } as const;
  return { id, context, uploadSource, parts, values, options, rowMode: 'merge', ...plain };
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
  return isIndeterminate(failure)
    ? failure.reworded(
        `The record ${id} was written, but it is not known whether the file ${file} was ${done} (outcome unknown)`,
        `${message}. ${description}`,
      )
    : failure.reworded(
        `The record ${id} was written, but the file ${file} was not ${done}: ${message}`,
        `Everything before that was done. ${description}`,
      );
}
