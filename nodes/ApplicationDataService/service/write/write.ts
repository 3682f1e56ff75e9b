import type { WriteContext } from '../../parts/model/codec';
import { holds } from '../../parts/compare';
import type { EncodedPart } from '../../parts/record';
import type { FileContent, FormFile } from '../http/client';
import { readCurrent, valueOf, type CurrentRecord } from '../read/current';
import { ServiceError, toServiceError } from '../http/errors';
import { changesFiles } from './fileChanges';
import { sendUpdate, type WriteOptions } from '../read/records';
import type { ApplicationSession } from '../application/session';
import { inTurn } from '../../util/turns';
import { buildWriteRequest, type Upload } from './writeRequest';

/** Times that a write is made anew because somebody else was quicker. */
const MAX_ROUNDS = 60;

/** Longest wait between two rounds, in milliseconds. */
const LONGEST_PAUSE_MS = 1000;

/** Times that an update whose answer was lost, and which was seen not to be done, is sent again. */
const MAX_LOST = 3;

/** Revision that switches the service's check off (interface.md, "Limits"). */
export const NO_CHECK = 0;

/** The file to upload for a name in the values to write. */
export type UploadSource = (name: string) => Promise<FileContent>;

/** A record to write to, and with what. */
export interface WriteTarget {
  readonly id: string;
  readonly context: WriteContext;
  readonly options: WriteOptions;
  readonly uploadSource: UploadSource;
}

/** A change of one record, planned anew for each round. */
export interface RecordWrite extends WriteTarget {
  /** Whether a plan can only be made with the record in hand. */
  readonly needsCurrent: boolean;
  /** What to send, given the record as it stands (`null` while it was not read). */
  plan(current: CurrentRecord | null): WritePlan;
}

export type UpdateOutcome = 'updated' | 'unchanged' | 'conflict';

/** What one round of a write is to send. */
export interface WritePlan {
  readonly outcome: UpdateOutcome;
  /** Revision for the service to check; 0 for none. */
  readonly revision: number;
  readonly values: readonly EncodedPart[];
  /** Rows are added to those that are there. */
  readonly addsRows?: boolean;
}

/** What a write came to. */
export interface Written {
  readonly outcome: UpdateOutcome;
  /** Where attachments change: the record before the write, by which `finishFiles` verifies it and goes on. */
  readonly before?: CurrentRecord;
}

/**
 * Changes one record (interface.md, "update_data"): never blindly twice, never over somebody else's rows, and told
 * apart from other failures by reading the revision. At most one attachment is removed; the others are for `finishFiles`.
 * @throws whatever `plan` throws; ServiceError as the service or the connection failed, `outcomeUnknown` where even
 * reading the record does not tell.
 */
export async function writeRecord(app: ApplicationSession, write: RecordWrite): Promise<Written> {
  if (!write.needsCurrent) return await writeInRounds(app, write, null);
  const key = JSON.stringify([app.client.address, app.application.id, write.id]);
  return await inTurn(
    key,
    async () => await writeInRounds(app, write, await readCurrent(app, write.id, write.context)),
  );
}

async function writeInRounds(
  app: ApplicationSession,
  write: RecordWrite,
  first: CurrentRecord | null,
): Promise<Written> {
  let current = first;
  const doubts: ServiceError[] = [];
  for (let round = 1; ; round++) {
    const plan = write.plan(current);
    if (plan.outcome !== 'updated') return { outcome: plan.outcome };
    const done = written(plan, current);
    const failure = await send(app, write, plan);
    if (failure === null) return done;
    if (failure.kind === 'outcomeUnknown') doubts.push(failure);
    current = await readAfter(doubts[0] ?? failure, app, write);
    const moved = current.revision !== plan.revision;
    // A lost update may be done late: then it is the one that moved the revision under a later round.
    if (doubts.length > 0 && isDone(plan, current, write.context)) return done;
    const again = isNotDone(failure, plan, current, doubts.length > 0);
    if (!again || doubts.length > MAX_LOST || round >= MAX_ROUNDS)
      throw moved && doubts[0] !== undefined ? stillInDoubt(doubts[0], current) : failure;
    await app.client.pause(Math.min(round * 20, LONGEST_PAUSE_MS));
  }
}

function written(plan: WritePlan, before: CurrentRecord | null): Written {
  const { outcome, values } = plan;
  return before !== null && changesFiles(values) ? { outcome, before } : { outcome };
}

/** Picks the values that a record does not hold yet, or may not hold. */
export function differs(current: CurrentRecord, context: WriteContext): (value: EncodedPart) => boolean {
  return ({ part, value }) => holds(part, value, valueOf(current.record, part, context), context) !== true;
}

/** The files of a request, told apart from their content, which is read while it is sent. */
export async function loadFiles(source: UploadSource, uploads: readonly Upload[]): Promise<FormFile[]> {
  return await Promise.all(
    uploads.map(async ({ formField, binaryField }) => ({
      name: formField,
      content: await source(binaryField),
    })),
  );
}

/** Sends a plan; gives the failure that reading the record may settle. */
async function send(
  app: ApplicationSession,
  { id, context, options, uploadSource }: RecordWrite,
  plan: WritePlan,
): Promise<ServiceError | null> {
  const { fields, uploads, removals } = buildWriteRequest(plan.values, context.keyMode);
  const files = await loadFiles(uploadSource, uploads);
  try {
    await sendUpdate(app, id, plan.revision, [...fields, ...removals.slice(0, 1)], files, options);
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
  { id, context }: RecordWrite,
): Promise<CurrentRecord> {
  try {
    return await readCurrent(app, id, context);
  } catch {
    throw toServiceError(failure);
  }
}

/**
 * Whether the record holds what was sent, under a revision that moved if one was checked. Without a check, rows say
 * nothing: they may have been there before. Added rows are ours where the record holds exactly what was sent after exactly
 * one write; after several, somebody else may have added the same.
 */
export function isDone(plan: WritePlan, current: CurrentRecord, context: WriteContext): boolean {
  if (plan.revision === current.revision) return false;
  if (plan.addsRows === true && current.revision !== plan.revision + 1) return false;
  if (plan.revision === NO_CHECK && plan.values.some(({ value }) => value.kind === 'rows')) return false;
  return !plan.values.some(differs(current, context));
}

/**
 * The service certainly did nothing, and another round is safe: a revision was checked, and it moved before the refusal
 * (not by an earlier round whose answer was lost), or did not move although the answer was lost.
 */
function isNotDone(
  failure: ServiceError,
  { revision }: WritePlan,
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
    `The record ${current.id} now has revision ${current.revision} and does not hold all the values that were sent, or does not tell. ${failure.description}`,
    failure.details,
  );
}
