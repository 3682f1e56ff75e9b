import { ServiceError, type FailureKind } from '../../service/http/errors';
import { LateError } from './deadline';

/** Failures that may be about one record, page or file alone. */
const OF_ONE: ReadonlySet<FailureKind> = new Set(['lost', 'badAnswer', 'busy']);

/** Whether a failure is that of the service as a whole, or of what is asked of it, rather than of one record or page. */
export function concernsAll(failure: unknown): boolean {
  if (!(failure instanceof ServiceError)) return true;
  return !OF_ONE.has(failure.kind) || failure.details.status === 429;
}

/** Whether a call took longer than it may. */
export function isLate(failure: unknown): boolean {
  if (failure instanceof LateError) return true;
  return failure instanceof ServiceError && failure.details.connection?.reason === 'timeout';
}
