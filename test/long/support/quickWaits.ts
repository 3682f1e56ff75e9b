import type * as GateClocks from '../../../nodes/ApplicationDataService/service/http/pace/gateClock';
import type * as Retry from '../../../nodes/ApplicationDataService/service/http/retry';

/** How many times as fast the time of the gate passes. */
const FASTER = 50;

/**
 * Replaces the modules that wait between tries and after a 429. Other tests cover these waits; here, they would take
 * most of the time.
 */
export function quickWaits(): { retry: object; gateClock: typeof GateClocks } {
  const http = '../../../nodes/ApplicationDataService/service/http';
  const retry: typeof Retry = jest.requireActual(`${http}/retry`);
  const gateClock: typeof GateClocks = jest.requireActual(`${http}/pace/gateClock`);
  return {
    retry: { ...retry, RETRIES: { ...retry.RETRIES, firstWaitMs: 1 } },
    gateClock: {
      ...gateClock,
      systemClock: (sleep) => {
        const clock = gateClock.systemClock(sleep);
        return {
          ...clock,
          now: () => clock.now() * FASTER,
          alarm: (milliseconds, ring, isAwaited) => clock.alarm(milliseconds / FASTER, ring, isAwaited),
        };
      },
    },
  };
}
