import { isLasting, toServiceError, wasNotDone, type ServiceError } from './errors';

export interface RetryPolicy {
  readonly tries: number;
  readonly firstWaitMs: number;
  /** If the service asks for a longer wait, the call fails instead. */
  readonly longestWaitMs: number;
  /** Rejects when the caller no longer waits. */
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/**
 * Waits of 0.5, 1, 2, 4 and 8 seconds, each less up to a third so that callers spread out: together they outlast a
 * restart of the service, and the ten seconds for which it refuses everybody.
 */
export const RETRIES = { tries: 6, firstWaitMs: 500, longestWaitMs: 120_000 } as const;

/** Tries of a call that ends because nothing comes: each takes minutes. */
const MAX_SLOW_TRIES = 2;

/** Whether a call may be sent again at all. A `write` only when the service certainly did nothing. */
function mayRepeat(error: ServiceError, call: 'read' | 'write'): boolean {
  switch (error.kind) {
    case 'busy':
      // After a 429, the limiter has already waited in vain.
      return call === 'read' && error.details.status !== 429;
    case 'lost':
      return call === 'read' || wasNotDone(error);
    case 'unreachable':
      // A refused connection may be a restart.
      return !isLasting(error);
    case 'badAnswer': {
      const { status = 0 } = error.details;
      return call === 'read' && (status < 400 || status >= 500);
    }
    default:
      return false;
  }
}

/**
 * Runs `attempt` until it succeeds, fails for good, or the tries are used up.
 * @throws ServiceError the last failure; after several tries its message includes their number.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  call: 'read' | 'write',
  policy: RetryPolicy,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (thrown) {
      const error = toServiceError(thrown);
      // Not sooner than the service asks. If it asks for too little time, the doubling outlasts it.
      const ownWaitMs = policy.firstWaitMs * 2 ** (tries - 1) * (0.65 + 0.35 * Math.random());
      const waitMs = Math.max(error.details.retryAfterMs ?? 0, ownWaitMs);
      const maxTries = error.details.isSlow === true ? Math.min(MAX_SLOW_TRIES, policy.tries) : policy.tries;
      if (!mayRepeat(error, call) || tries >= maxTries || waitMs > policy.longestWaitMs)
        throw tries === 1 ? error : error.reworded(`${error.message} (tried ${tries} times)`);
      await policy.sleep(waitMs);
    }
  }
}
