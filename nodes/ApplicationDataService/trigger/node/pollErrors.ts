import type { INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { UserError } from '../../util/userError';
import { toNodeError } from '../../common/errors';
import { isLasting, ServiceError, type FailureKind } from '../../service/http/errors';

type Failure = NonNullable<NodeOperationError['failure']>;

const CAUSES: Readonly<Record<FailureKind, Failure['cause']>> = {
  busy: 'temporarily-unavailable',
  lost: 'temporarily-unavailable',
  badAnswer: 'temporarily-unavailable',
  unreachable: 'temporarily-unavailable',
  unreadableFile: 'temporarily-unavailable',
  cancelled: 'temporarily-unavailable',
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
export function pollFailureOf(error: unknown): Failure {
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
  return status >= 500 && kind !== 'refused' ? 'temporarily-unavailable' : CAUSES[kind];
}

function isTimed(cause: Failure['cause']): cause is 'rate-limited' | 'temporarily-unavailable' {
  return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}

/** Whether the service will probably answer next time. */
export function isTransient(error: unknown): boolean {
  return isTimed(pollFailureOf(error).cause);
}

/** The error as n8n shows it, with the cause if this version of n8n uses it. */
export function toPollError(node: INode, error: unknown): NodeApiError | NodeOperationError {
  const shown = toNodeError(node, error);
  shown.failure ??= pollFailureOf(error);
  return shown;
}
