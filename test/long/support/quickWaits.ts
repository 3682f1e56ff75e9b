import type * as LimiterModule from '../../../nodes/ApplicationDataService/service/http/limiter';
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
  const limiter: typeof LimiterModule = jest.requireActual(`${http}/limiter`);
  return {
    retry: { ...retry, RETRIES: { ...retry.RETRIES, firstWaitMs: 1 } },
    limiter: {
      ...limiter,
      Limiters: class extends limiter.Limiters {
        constructor(clock: LimiterModule.LimiterClock) {
          super({
            now: () => clock.now() * FASTER,
            sleep: async (milliseconds) => await clock.sleep(milliseconds / FASTER),
          });
        }
      },
    },
  };
}
