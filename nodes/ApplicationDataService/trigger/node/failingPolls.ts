import type { PollOutcome } from '../poll/poll';

/** How many failing polls in a row only warn, as long as each of them made progress. */
const MOST_QUIET = 3;

/**
 * Handles a poll that failed. If it made progress, it warns and returns, because n8n's durable engine drops what
 * was done when a poll throws. But the error workflow must be started if polls keep failing.
 */
export function judgePoll({ state, given, hasProgressed, failure }: PollOutcome<unknown>): {
  readonly failing: number;
  readonly throws: boolean;
} {
  if (failure === undefined) return { failing: 0, throws: false };
  const failing = Math.min(MOST_QUIET + 1, state.failing + 1);
  return { failing, throws: given.length === 0 && (!hasProgressed || failing > MOST_QUIET) };
}
