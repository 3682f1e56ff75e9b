import { isTooSlow, toServiceError, type ServiceError } from './errors';

export interface RetryPolicy {
  readonly tries: number;
  readonly firstWaitMs: number;
  /** How long an answer may take. Clients of the service wait up to two minutes (service-facts). */
  readonly timeoutMs: number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Waits of 0.5 to 8 seconds, less up to a third so that callers spread out: together they outlast a restart. */
export const RETRIES = { tries: 6, firstWaitMs: 500, timeoutMs: 120_000 } as const;
const MAX_WAIT_MS = 120_000;
/** Tries of a call that ends because nothing comes: each takes minutes. */
const MAX_SLOW_TRIES = 2;
/** A `write` is sent again only when nothing was done; a slow `page` is not: its caller asks for less at once. */
export type CallKind = 'read' | 'page' | 'write';

function mayRepeat(error: ServiceError, kind: CallKind): boolean {
  const { status = 0 } = error.details;
  // A refused connection may be a restart.
  if (error.kind === 'unreachable') return error.details.isLasting !== true;
  if (kind === 'write' || (kind === 'page' && isTooSlow(error))) return false;
  if (error.kind === 'badAnswer') return status < 400 || status >= 500;
  // After a 429, the limiter has already waited in vain.
  return error.kind === 'lost' || (error.kind === 'busy' && status !== 429);
}

/** @throws ServiceError the last failure; after several tries its message includes their number. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  kind: CallKind,
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
      if (!mayRepeat(error, kind) || tries >= maxTries || waitMs > MAX_WAIT_MS)
        throw tries === 1 ? error : error.reworded(`${error.message} (tried ${tries} times)`);
      await policy.sleep(waitMs);
    }
  }
}
