import type { INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../../common/errors';
import { NotRunningError } from '../../service/application/definition';
import { type FailureKind, isLasting, ServiceError } from '../../service/http/errors';
import { UserError } from '../../util/userError';

type Failure = NonNullable<NodeOperationError['failure']>;

/** Causes other than trouble that passes. */
const CAUSES: Partial<Record<FailureKind, Failure['cause']>> = {
  unauthorized: 'credential-invalid',
  loginPage: 'credential-invalid',
  refused: 'configuration-invalid',
  wrongAddress: 'configuration-invalid',
  redirect: 'configuration-invalid',
  settings: 'configuration-invalid',
  unexpected: 'node-defect',
  outcomeUnknown: 'node-defect',
};

/** Why a poll failed, in the form that n8n expects (its engine then waits, or notifies somebody). */
function pollFailureOf(error: unknown): Failure {
  if (!(error instanceof ServiceError)) {
    // Errors that are meant for the user say what to do; others are bugs in this node.
    return { cause: error instanceof UserError ? 'configuration-invalid' : 'node-defect' };
  }
  const { status, retryAfterMs } = error.details;
  const cause = isLasting(error) ? 'configuration-invalid' : causeOf(error.kind, status);
  return retryAfterMs === undefined || !isTimed(cause) ? { cause } : { cause, retryAfterMs };
}

function causeOf(kind: FailureKind, status = 0): Failure['cause'] {
  if (status === 429) return 'rate-limited';
  // Regardless of the page that a server or proxy sends with it.
  if (status >= 500 && kind !== 'refused') return 'temporarily-unavailable';
  return CAUSES[kind] ?? 'temporarily-unavailable';
}

function isTimed(cause: Failure['cause']): cause is 'rate-limited' | 'temporarily-unavailable' {
  return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}

/** Whether the service will probably answer next time. */
export function isTransient(error: unknown): boolean {
  return isTimed(pollFailureOf(error).cause);
}

/** An application that is not running will run again: nothing has to be changed. */
export function asPollFailure(error: unknown): unknown {
  if (!(error instanceof NotRunningError)) return error;
  return new ServiceError(
    'busy',
    error.message,
    'The trigger continues when the application is running again. Nothing is lost.',
    error.details,
    error,
  );
}

/** The error as n8n shows it, with the cause if this version of n8n uses it. */
export function toPollError(node: INode, error: unknown): NodeApiError | NodeOperationError {
  const shown = toNodeError(node, error);
  shown.failure ??= pollFailureOf(error);
  return shown;
}
