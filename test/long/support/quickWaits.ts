import type * as LimiterModule from '../../../nodes/ApplicationDataService/service/http/limiter';

/** How many times as fast the time of the limiter passes. */
const FASTER = 50;

/** The module of the limiter, whose waits other tests cover: here, they would take most of the time. */
export function quickLimiter(): typeof LimiterModule {
  const limiter: typeof LimiterModule = jest.requireActual(
    '../../../nodes/ApplicationDataService/service/http/limiter',
  );
  return {
    ...limiter,
    Limiters: class extends limiter.Limiters {
      constructor(clock: LimiterModule.LimiterClock) {
        super({
          now: () => clock.now() * FASTER,
          sleep: async (milliseconds) => await clock.sleep(milliseconds / FASTER),
        });
      }
    },
  };
}
