import type { IPollFunctions } from 'n8n-workflow';

import type { Budget } from '../poll/settings';
import type { PollClock } from '../source/pollClock';

/** n8n gives up a trigger permanently if its first poll takes more than 84 s, and people wait for an activation. */
const FIRST_POLL_MS = 18_000;
/** What n8n allows if it does not say. */
const USUAL_BUDGET_MS = 300_000;
/** n8n's durable engine allows less, but does not give up triggers. */
const DURABLE_BUDGET_MS = 60_000;
/** The share of n8n's time limit that a poll uses. The rest is for saving the result. */
const USED_SHARE = 0.8;

/** How long a poll may take. */
export interface PollTime extends Budget {
  readonly clock: PollClock;
  /** Aborted at the end. Calls that are still running are not waited for. */
  readonly signal: AbortSignal;
}

/** Milliseconds that n8n allows for a poll. */
function grantedMs(context: IPollFunctions): number {
  // Older versions of n8n do not have it.
  const grant = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : USUAL_BUDGET_MS;
  return Number.isFinite(grant) && grant > 0 ? grant : USUAL_BUDGET_MS;
}

/** Whether n8n gives the trigger up when this first poll fails. */
export function isAtStake(context: IPollFunctions): boolean {
  return grantedMs(context) > DURABLE_BUDGET_MS;
}

/** Starts the time of a poll. @param first whether it is the first one, for which n8n or a person waits. */
export function startPollTime(context: IPollFunctions, first: boolean, clock: PollClock): PollTime {
  const used = grantedMs(context) * USED_SHARE;
  const total = first ? Math.min(FIRST_POLL_MS, used) : used;
  const end = clock.now() + total;
  return { clock, left: () => end - clock.now(), signal: clock.timeout(total) };
}
