import type * as GateClocks from '../../../nodes/ApplicationDataService/service/http/pace/gateClock';
import type * as Retry from '../../../nodes/ApplicationDataService/service/http/retry';

/** So many times as fast passes the time of the gate. */
const FASTER = 50;

/**
 * Stand-ins for the modules that wait between tries and after a 429. Those waits are proved elsewhere; here, they would be
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
