import type * as LimiterClocks from '../../../nodes/ApplicationDataService/service/http/pace/limiterClock';
import type * as Retry from '../../../nodes/ApplicationDataService/service/http/retry';

/** How many times as fast the time of the limiter passes. */
const FASTER = 50;

/**
 * Replaces the modules that wait between tries and after a 429. Other tests cover these waits; here, they would take
 * most of the time.
 */
export function quickWaits(): { retry: object; limiterClock: typeof LimiterClocks } {
  const http = '../../../nodes/ApplicationDataService/service/http';
  const retry: typeof Retry = jest.requireActual(`${http}/retry`);
  const limiterClock: typeof LimiterClocks = jest.requireActual(`${http}/pace/limiterClock`);
  return {
    retry: { ...retry, RETRIES: { ...retry.RETRIES, firstWaitMs: 1 } },
    limiterClock: {
      ...limiterClock,
      systemClock: (sleep) => {
        const clock = limiterClock.systemClock(sleep);
        return {
          ...clock,
          now: () => clock.now() * FASTER,
          alarm: (milliseconds, ring, isAwaited) => clock.alarm(milliseconds / FASTER, ring, isAwaited),
        };
      },
    },
  };
}
