import type { IPollFunctions } from 'n8n-workflow';

import type { Budget } from '../poll/settings';
import type { PollClock } from '../source/pollClock';

/** n8n gives a trigger up for good whose first poll lasts over 84 s; people wait for an activation. */
const FIRST_POLL_MS = 18_000;
/** What n8n allows where it does not say. */
const USUAL_BUDGET_MS = 300_000;
/** n8n's durable engine allows less, and does not give triggers up. */
const DURABLE_BUDGET_MS = 60_000;
/** Part of what n8n grants that is used; the rest is for saving what came of it. */
const USED_SHARE = 0.8;

/** How long a poll may take. */
export interface PollTime extends Budget {
  readonly clock: PollClock;
  /** Aborted at the end: what is still under way is not waited for. */
  readonly signal: AbortSignal;
}

/** Milliseconds that n8n grants a poll. */
function grantedMs(context: IPollFunctions): number {
  // Older versions of n8n do not have it.
  const grant = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : USUAL_BUDGET_MS;
  return Number.isFinite(grant) && grant > 0 ? grant : USUAL_BUDGET_MS;
}

/** Whether n8n gives the trigger up when this first poll fails. */
export function isAtStake(context: IPollFunctions): boolean {
  return grantedMs(context) > DURABLE_BUDGET_MS;
}

/** Begins the time of a poll. @param first it is the first one, for which n8n, or a person, waits. */
export function startPollTime(context: IPollFunctions, first: boolean, clock: PollClock): PollTime {
  const used = grantedMs(context) * USED_SHARE;
  const total = first ? Math.min(FIRST_POLL_MS, used) : used;
  const end = clock.now() + total;
  return { clock, left: () => end - clock.now(), signal: clock.timeout(total) };
}
