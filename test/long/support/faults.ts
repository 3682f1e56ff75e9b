import type { Workplace } from '../../engine/support/workplace';
import type { Fault } from '../../support/sandbox';

/** Everything that can happen to a call. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'HTTP 429': { kind: 'status', status: 429, retryAfter: 0 },
  'HTTP 500': { kind: 'status', status: 500 },
  'HTTP 503': { kind: 'status', status: 503 },
  'a refusal': { kind: 'ng', errorno: -1, message: 'not now' },
  'HTTP 500 after the work': { kind: 'status', status: 500, when: 'after' },
  'a connection lost before the work': { kind: 'drop', when: 'before' },
  'a connection lost after the work': { kind: 'drop', when: 'after' },
  'an answer cut off': { kind: 'cut' },
  'a connection lost within the answer': { kind: 'cut', how: 'abort' },
  'a page before the work': { kind: 'html', when: 'before' },
  'a page after the work': { kind: 'html', when: 'after' },
  'a redirect': { kind: 'redirect', location: 'http://127.0.0.1:9/' },
  'a slow answer': { kind: 'slow', ms: 5 },
  'a call that waits before the queue': { kind: 'latency', where: 'network', ms: 5 },
  'an outage before the work': { kind: 'down', ms: 10, when: 'before' },
  'an outage after the work': { kind: 'down', ms: 10, when: 'after' },
};

/** Whether a fault has affected a call of the run. If not, it is set to skip more calls than the run makes. */
export async function hasApplied(place: Workplace): Promise<boolean> {
  return (await place.sandbox.log()).some(({ faults }) => faults.length > 0);
}
