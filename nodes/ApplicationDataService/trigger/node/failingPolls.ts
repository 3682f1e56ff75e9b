import type { PollOutcome } from '../poll/poll';

/** Failing polls in a row that only warn, as long as each of them got something done. */
const MOST_QUIET = 3;

/**
 * What becomes of a poll that failed. One that got something done warns and returns, since n8n's durable engine drops what
 * was done when a poll throws; but the error workflow is to hear of what goes on failing.
 */
export function judgePoll({ state, given, hasProgressed, failure }: PollOutcome<unknown>): {
  readonly failing: number;
  readonly throws: boolean;
} {
  if (failure === undefined) return { failing: 0, throws: false };
  const failing = Math.min(MOST_QUIET + 1, state.failing + 1);
  return { failing, throws: given.length === 0 && (!hasProgressed || failing > MOST_QUIET) };
}
