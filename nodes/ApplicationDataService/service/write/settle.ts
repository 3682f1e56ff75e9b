import { holds } from '../../parts/compare';
import type { WriteContext } from '../../parts/model/codec';
import { settle } from '../../util/concurrently';
import type { ApplicationSession } from '../application/session';
import type { ServiceError } from '../http/errors';
import { readCurrent, valueOf, type CurrentRecord } from '../read/current';
import { NO_CHECK } from './form';
import { differs, type RecordWrite, type WritePlan } from './plan';
import type { EncodedPart } from '../../parts/encode';

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
export function isNotDone(
  failure: ServiceError,
  { revision }: WritePlan,
  current: CurrentRecord,
  inDoubt: boolean,
): boolean {
  if (revision === NO_CHECK) return false;
  const moved = current.revision !== revision;
  return failure.kind === 'refused' ? moved && !inDoubt : !moved;
}

/**
 * Settles an update that ended in doubt in an earlier try of the node. Only plain values tell: with attachments or rows
 * among them it stays in doubt.
 * @returns the plan that was carried out; `null` if it certainly was not.
 * @throws `doubt` if the record does not tell, or cannot be read.
 */
export async function settleDoubt(
  app: ApplicationSession,
  { id, context, asked }: RecordWrite,
  doubt: Error,
): Promise<WritePlan | null> {
  if (asked === null) throw doubt;
  const read = await settle(async () => await readCurrent(app, id, context));
  if ('error' in read) throw doubt;
  if (isDone(asked, read.value, context)) return asked;
  if (asked.revision === read.value.revision) return null;
  throw doubt;
}

/**
 * Whether a record can be the one that an insert without an answer has added: nothing that it shows differs from what was
 * sent. What it does not show tells nothing, and whether files lack turns out when they are verified.
 */
export function mayBeInserted(
  { values, context }: { readonly values: readonly EncodedPart[]; readonly context: WriteContext },
  current: Pick<CurrentRecord, 'record'>,
): boolean {
  return values.every(
    ({ part, value }) => holds(part, value, valueOf(current.record, part, context), context) !== false,
  );
}

/** A doubt, with what reading the record told. */
export function stillInDoubt(doubt: ServiceError, current: CurrentRecord): ServiceError {
  return doubt.reworded(
    doubt.message,
    `The record ${current.id} now has revision ${current.revision} and does not hold all the values that were sent, or does not tell. ${doubt.description}`,
  );
}
