import type { WriteContext } from '../parts/codec';
import { holds } from '../parts/compare';
import { mergeRows } from '../parts/mergeRows';
import type { Part } from '../parts/part';
import type { EncodedPart } from '../parts/record';
import type { FormFile } from './client';
import { resolveConflict, type ConflictPolicy } from './conflict';
import { readCurrent, valueOf, type CurrentRecord } from './current';
import { ServiceError, toServiceError } from './errors';
import { sendUpdate, type WriteOptions } from './records';
import type { ApplicationSession } from './session';
import { buildWriteRequest, type Upload } from './writeRequest';

/** Times that a write is made anew because somebody else was quicker. */
const MAX_ROUNDS = 30;

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
  for (let round = 1; ; round++) {
    const plan = planUpdate(update, current);
    if (plan.outcome !== 'updated') return plan.outcome;
    const failure = await send(app, update, plan);
    if (failure === null) return 'updated';
    current = await readAfter(failure, app, update);
    if (isDone(failure, plan, current, update)) return 'updated';
    if (!isNotDone(failure, plan, current) || round >= MAX_ROUNDS) throw asSettled(failure, current);
    await app.client.pause(round * 20);
  }
}

/** Whether a plan can only be made with the record in hand. */
function needsCurrent({ skipUnchanged, values, rowMode }: Update): boolean {
  return skipUnchanged || (rowMode === 'merge' && values.some(({ value }) => value.kind === 'rows'));
}

/**
 * What to send, given the record as it stands (`null` while it was not read).
 * @throws ConflictError, PartError
 */
export function planUpdate(update: Update, current: CurrentRecord | null): UpdatePlan {
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
  const values = merged.filter(({ part, value }) => {
    if (value.kind === 'keep') return false;
    if (!update.skipUnchanged || current === null) return true;
    return holds(part, value, valueOf(current.record, part, context), context) !== true;
  });
  return { outcome: values.length === 0 ? 'unchanged' : 'updated', revision, values };
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
  if (!Array.isArray(stored)) throw notReadable(part);
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

/** The answer was lost, but the record holds what was sent, under a revision that moved if one was checked. */
function isDone(
  failure: ServiceError,
  plan: UpdatePlan,
  current: CurrentRecord,
  { context }: Update,
): boolean {
  if (failure.kind !== 'outcomeUnknown' || plan.revision === current.revision) return false;
  return plan.values.every(
    ({ part, value }) => holds(part, value, valueOf(current.record, part, context), context) === true,
  );
}

/**
 * The service certainly did nothing, and another round is safe: a revision was checked, and it moved before the
 * refusal, or did not move although the answer was lost.
 */
function isNotDone(failure: ServiceError, { revision }: UpdatePlan, current: CurrentRecord): boolean {
  if (revision === NO_CHECK) return false;
  return failure.kind === 'refused' ? current.revision !== revision : current.revision === revision;
}

/** The failure, with what reading the record told. */
function asSettled(failure: ServiceError, current: CurrentRecord): ServiceError {
  if (failure.kind !== 'outcomeUnknown') return failure;
  return new ServiceError(
    failure.kind,
    failure.message,
    `The record ${current.id} now has revision ${current.revision} and does not hold all the values that were sent. ${failure.description}`,
    failure.details,
  );
}

function notReadable(part: Part): ServiceError {
  return new ServiceError(
    'refused',
    `The rows of "${part.name}" cannot be merged: the record does not show them`,
    'Ask for the right to read this table part, or set the option "Table Row Mode" to Replace.',
  );
}
