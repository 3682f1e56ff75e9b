import type * as LimiterModule from '../../../nodes/ApplicationDataService/service/http/pace/limiter';
import type * as Retry from '../../../nodes/ApplicationDataService/service/http/retry';

/** How many times as fast the time of the limiter passes. */
const FASTER = 50;

/**
 * Replaces the modules that wait between tries and after a 429. Other tests cover these waits; here, they would take
 * most of the time.
 */
export function quickWaits(): { retry: object; limiter: typeof LimiterModule } {
  const http = '../../../nodes/ApplicationDataService/service/http';
  const retry: typeof Retry = jest.requireActual(`${http}/retry`);
  const limiter: typeof LimiterModule = jest.requireActual(`${http}/pace/limiter`);
  return {
    retry: { ...retry, RETRIES: { ...retry.RETRIES, firstWaitMs: 1 } },
    limiter: {
      ...limiter,
      systemClock: (sleep) => {
        const clock = limiter.systemClock(sleep);
        return {
          ...clock,
          now: () => clock.now() * FASTER,
          alarm: (milliseconds, ring) => clock.alarm(milliseconds / FASTER, ring),
        };
      },
    },
  };
}
