import type { WriteContext } from '../parts/codec';
import { holds } from '../parts/compare';
import { namePart } from '../parts/errors';
import { mergeRows } from '../parts/mergeRows';
import type { Part } from '../parts/part';
import type { EncodedPart } from '../parts/record';
import { isObject } from '../parts/shapes';
import { readText } from '../parts/wire';
import type { FormFile } from './client';
import { resolveConflict, type ConflictPolicy } from './conflict';
import { readCurrent, valueOf, type CurrentRecord } from './current';
import { ServiceError, toServiceError } from './errors';
import { sendUpdate, type WriteOptions } from './records';
import type { ApplicationSession } from './session';
import { buildWriteRequest, type Upload } from './writeRequest';

/** Times that a write is made anew because somebody else was quicker. */
const MAX_ROUNDS = 30;

/** Times that an update whose answer was lost, and which was seen not to be done, is sent again. */
const MAX_LOST = 3;

/** Revision that switches the service's check off (interface.md, "Limits"). */
const NO_CHECK = 0;

/** What to change of one record, and how. */
export interface Update {
  readonly id: string;
  readonly values: readonly EncodedPart[];
  readonly policy: ConflictPolicy;
  /** Revision the item goes by; `null` with the policy `overwrite`. */
  readonly revision: number | null;
  /** The item's json, for what it knows of the parts' old values. */
  readonly known: Readonly<Record<string, unknown>>;
  /** Whether rows of table parts are merged into those that are there, or replace them. */
  readonly rowMode: 'merge' | 'replace';
  /** Table parts and attachment parts to empty, whatever the row mode; `values` holds the others. */
  readonly emptied: readonly Part[];
  readonly skipUnchanged: boolean;
  readonly options: WriteOptions;
  readonly context: WriteContext;
  readonly loadFiles: (uploads: readonly Upload[]) => Promise<FormFile[]>;
}

export type UpdateOutcome = 'updated' | 'unchanged' | 'conflict';

/** What one round of an update is to send. */
export interface UpdatePlan {
  readonly outcome: UpdateOutcome;
  /** Revision for the service to check; 0 for none. */
  readonly revision: number;
  readonly values: readonly EncodedPart[];
}

/**
 * Changes one record (interface.md, "update_data"): never blindly twice, never over somebody else's rows, and told
 * apart from other failures by reading the revision.
 * @throws ConflictError as the policy says; PartError for rows that cannot be merged; ServiceError as the service or the
 * connection failed, `outcomeUnknown` where even reading the record does not tell.
 */
export async function updateRecord(app: ApplicationSession, update: Update): Promise<UpdateOutcome> {
  let current = needsCurrent(update) ? await readCurrent(app, update.id, update.context) : null;
  const doubts: ServiceError[] = [];
  for (let round = 1; ; round++) {
    const plan = planRound(update, current);
    if (plan.outcome !== 'updated') return plan.outcome;
    const failure = await send(app, update, plan);
    if (failure === null) return 'updated';
    if (failure.kind === 'outcomeUnknown') doubts.push(failure);
    current = await readAfter(doubts[0] ?? failure, app, update);
    const moved = current.revision !== plan.revision;
    // A lost update may be done late: then it is the one that moved the revision under a later round.
    if (doubts.length > 0 && isDone(plan, current, update)) return 'updated';
    const again = isNotDone(failure, plan, current, doubts.length > 0);
    if (!again || doubts.length > MAX_LOST || round >= MAX_ROUNDS)
      throw moved && doubts[0] !== undefined ? stillInDoubt(doubts[0], current) : failure;
    await app.client.pause(round * 20);
  }
}

/**
 * Settles an update that ended in doubt in an earlier try of the node: done, certainly not done and so made now, or
 * still in doubt.
 * @throws `doubt` where the record does not tell.
 */
export async function settleUpdate(
  app: ApplicationSession,
  update: Update,
  doubt: ServiceError,
): Promise<UpdateOutcome> {
  const { id, context, revision, values, emptied } = update;
  if (emptied.length > 0 || values.some(({ value }) => value.kind !== 'text')) throw doubt;
  const current = await readCurrent(app, id, context);
  const plan: UpdatePlan = { outcome: 'updated', revision: revision ?? NO_CHECK, values };
  if (isDone(plan, current, update)) return 'updated';
  if (plan.revision === current.revision) return await updateRecord(app, update);
  throw doubt;
}

/** Whether a plan can only be made with the record in hand. */
function needsCurrent({ skipUnchanged, values, rowMode, emptied }: Update): boolean {
  if (skipUnchanged || emptied.some(({ type }) => type === 'files')) return true;
  return rowMode === 'merge' && values.some(({ value }) => value.kind === 'rows');
}

/**
 * What to send, given the record as it stands (`null` while it was not read).
 * @throws ConflictError, PartError
 */
export function planRound(update: Update, current: CurrentRecord | null): UpdatePlan {
  const { policy, context } = update;
  let revision = policy === 'overwrite' ? NO_CHECK : (update.revision ?? NO_CHECK);
  if (current !== null && revision !== NO_CHECK && current.revision !== revision) {
    const decision = resolveConflict({ ...update, revision, current });
    if (decision === 'conflict') return { outcome: 'conflict', revision, values: [] };
    revision = current.revision;
  }
  const merged =
    update.rowMode === 'merge'
      ? update.values.flatMap((value) => withMergedRows(value, current, context))
      : update.values;
  const holdsRows = merged.some(({ value }) => value.kind === 'rows');
  if (update.rowMode === 'merge' && holdsRows && current !== null) revision = current.revision;
  const all = [...merged, ...update.emptied.map((part) => emptiedPart(part, current, context))];
  const values = all.filter(({ value }) => value.kind !== 'keep');
  const changed =
    update.skipUnchanged && current !== null ? values.filter(differs(current, context)) : values;
  if (changed.length === 0) return { outcome: 'unchanged', revision, values: [] };
  // A key part by which the service looks up values must be sent along, changed or not.
  const sent = values.filter(
    (value) => changed.includes(value) || update.options.relookupKeyParts.includes(value.part.id),
  );
  return { outcome: 'updated', revision, values: sent };
}

/** Picks the values that a record does not hold yet, or may not hold. */
export function differs(current: CurrentRecord, context: WriteContext): (value: EncodedPart) => boolean {
  return ({ part, value }) => holds(part, value, valueOf(current.record, part, context), context) !== true;
}

/** What empties a table part or an attachment part: no rows, or the removal of each file that is there. */
function emptiedPart(part: Part, current: CurrentRecord | null, context: WriteContext): EncodedPart {
  if (part.type === 'input_list') return { part, value: { kind: 'rows', rows: [] } };
  const stored = current === null ? undefined : valueOf(current.record, part, context);
  if (!Array.isArray(stored)) throw notReadable(part, 'files');
  const remove = stored.map((file) => readText(isObject(file) ? file.id : file)).filter((id) => id !== '');
  return remove.length === 0
    ? { part, value: { kind: 'keep' } }
    : { part, value: { kind: 'files', add: [], remove } };
}

/** The rows of a table part among those that are there; nothing where none are given. */
function withMergedRows(
  encoded: EncodedPart,
  current: CurrentRecord | null,
  context: WriteContext,
): EncodedPart[] {
  const { part, value } = encoded;
  if (value.kind !== 'rows') return [encoded];
  if (value.rows.length === 0) return [];
  const stored = current === null ? undefined : valueOf(current.record, part, context);
  if (!Array.isArray(stored)) throw notReadable(part, 'rows');
  return [{ part, value: { kind: 'rows', rows: mergeRows(part, value.rows, stored, context) } }];
}

/** Sends a plan; gives the failure that reading the record may settle. */
async function send(app: ApplicationSession, update: Update, plan: UpdatePlan): Promise<ServiceError | null> {
  const request = buildWriteRequest(plan.values, update.context.keyMode);
  const files = await update.loadFiles(request.uploads);
  try {
    await sendUpdate(app, update.id, plan.revision, request.fields, files, update.options);
    return null;
  } catch (error) {
    const failure = toServiceError(error);
    const isOpen =
      failure.kind === 'outcomeUnknown' || (failure.kind === 'refused' && plan.revision !== NO_CHECK);
    if (isOpen) return failure;
    throw toServiceError(failure);
  }
}

/** The record as it stands after a failure. Where it cannot be read either, the failure stays as it is. */
async function readAfter(
  failure: ServiceError,
  app: ApplicationSession,
  { id, context }: Update,
): Promise<CurrentRecord> {
  try {
    return await readCurrent(app, id, context);
  } catch {
    throw toServiceError(failure);
  }
}

/**
 * Whether the record holds what was sent, under a revision that moved if one was checked. Without a check, rows say
 * nothing: they may have been there before.
 */
function isDone(plan: UpdatePlan, current: CurrentRecord, { context }: Update): boolean {
  if (plan.revision === current.revision) return false;
  if (plan.revision === NO_CHECK && plan.values.some(({ value }) => value.kind === 'rows')) return false;
  return !plan.values.some(differs(current, context));
}

/**
 * The service certainly did nothing, and another round is safe: a revision was checked, and it moved before the refusal
 * (not by an earlier round whose answer was lost), or did not move although the answer was lost.
 */
function isNotDone(
  failure: ServiceError,
  { revision }: UpdatePlan,
  current: CurrentRecord,
  inDoubt: boolean,
): boolean {
  if (revision === NO_CHECK) return false;
  const moved = current.revision !== revision;
  return failure.kind === 'refused' ? moved && !inDoubt : !moved;
}

/** A doubt, with what reading the record told. */
function stillInDoubt(failure: ServiceError, current: CurrentRecord): ServiceError {
  return new ServiceError(
    failure.kind,
    failure.message,
    `The record ${current.id} now has revision ${current.revision} and does not hold all the values that were sent. ${failure.description}`,
    failure.details,
  );
}

function notReadable(part: Part, what: 'rows' | 'files'): ServiceError {
  return new ServiceError(
    'refused',
    what === 'rows'
      ? `The rows of ${namePart(part)} cannot be merged: the record does not show them`
      : `The attachments of ${namePart(part)} cannot be removed: the record does not show them`,
    what === 'rows'
      ? 'Ask for the right to read this table part, or set the option "Table Row Mode" to Replace.'
      : 'Ask for the right to read this part, or leave it out of the parts to empty.',
  );
}
