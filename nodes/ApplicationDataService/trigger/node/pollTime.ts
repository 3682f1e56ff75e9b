import type { IPollFunctions } from 'n8n-workflow';

import type { Budget } from '../poll/settings';

/** n8n gives a trigger up for good whose first poll lasts over 84 s; people wait for an activation. */
const FIRST_POLL_MS = 18_000;
/** What n8n allows where it does not say. */
const USUAL_BUDGET_MS = 300_000;
/** n8n's durable engine allows less, and does not give triggers up. */
const DURABLE_BUDGET_MS = 60_000;

/** How long a poll may take. */
export interface PollTime extends Budget {
  /** Aborted at the end: what is still under way is not waited for. */
  readonly signal: AbortSignal;
}

/** Milliseconds that n8n grants a poll. */
export function grantedMs(context: IPollFunctions): number {
  // Older versions of n8n do not have it.
  const grant = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : USUAL_BUDGET_MS;
  return Number.isFinite(grant) && grant > 0 ? grant : USUAL_BUDGET_MS;
}

/** Whether n8n gives the trigger up when this first poll fails. */
export function isAtStake(context: IPollFunctions): boolean {
  return grantedMs(context) > DURABLE_BUDGET_MS;
}

/** Time for scanning, then for reading what was found, then for what is already under way; some is left to save it. */
export function startPollTime(context: IPollFunctions, first: boolean): PollTime {
  const total = first ? Math.min(FIRST_POLL_MS, grantedMs(context) * 0.8) : grantedMs(context) * 0.8;
  const start = Date.now();
  const isWithin = (share: number): boolean => Date.now() - start < total * share;
  return {
    mayScan: () => isWithin(0.6),
    mayRead: () => isWithin(0.85),
    signal: AbortSignal.timeout(total),
  };
}
