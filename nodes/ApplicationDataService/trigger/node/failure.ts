import type { INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { toNodeError } from '../../common/errors';
import { NotRunningError } from '../../service/application/definition';
import { type FailureKind, ServiceError } from '../../service/http/errors';
import { UserError } from '../../util/userError';

type Cause = NonNullable<NodeOperationError['failure']>['cause'];

/** Causes other than trouble that passes. */
const CAUSES: Partial<Record<FailureKind, Cause>> = {
  unauthorized: 'credential-invalid',
  loginPage: 'credential-invalid',
  refused: 'configuration-invalid',
  wrongAddress: 'configuration-invalid',
  redirect: 'configuration-invalid',
  settings: 'configuration-invalid',
  unexpected: 'node-defect',
};

/** Why a poll failed, in n8n's words: its engine then waits, or notifies somebody. */
function causeOf(error: unknown): Cause {
  // Errors that are meant for the user say what to do; others are bugs in this node.
  if (!(error instanceof UserError)) return 'node-defect';
  if (error instanceof NotRunningError) return 'temporarily-unavailable';
  if (!(error instanceof ServiceError) || error.details.isLasting === true) return 'configuration-invalid';
  const { kind, details } = error;
  if (details.status === 429) return 'rate-limited';
  // Regardless of the page that a server or proxy sends with it.
  if ((details.status ?? 0) >= 500 && kind !== 'refused') return 'temporarily-unavailable';
  return CAUSES[kind] ?? 'temporarily-unavailable';
}

/** Whether the service will probably answer next time. */
export function isTransient(error: unknown): boolean {
  return ['rate-limited', 'temporarily-unavailable'].includes(causeOf(error));
}

/** The error as n8n shows it, with the cause if this version of n8n uses it. */
export function toPollError(node: INode, error: unknown): NodeApiError | NodeOperationError {
  const isPause = error instanceof NotRunningError;
  const advice = 'The trigger continues when the application is running again.';
  const shown = toNodeError(node, isPause ? error.reworded(error.message, advice) : error);
  const cause = causeOf(error);
  const retryAfterMs = error instanceof ServiceError ? error.details.retryAfterMs : undefined;
  shown.failure ??= isTransient(error) && retryAfterMs !== undefined ? { cause, retryAfterMs } : { cause };
  return shown;
}
