import { failureBody } from '../call/refusals.ts';
import type { Dialect } from '../settings/switches.ts';
import type { Fault } from '../settings/faults.ts';
import { htmlPage, jsonAnswer } from './answers.ts';
import type { Outgoing } from './outgoing.ts';

/**
 * What a fault does instead of the work, or instead of its answer; undefined if it does nothing at this moment.
 * `drop`: no answer at all.
 */
export function effectOf(
  fault: Fault,
  when: 'before' | 'after',
  dialect: Dialect,
): Outgoing | 'drop' | undefined {
  if (momentOf(fault) !== when) return undefined;
  switch (fault.kind) {
    case 'drop':
    case 'down':
      return 'drop';
    case 'html':
      return htmlPage(fault.status ?? 200, 'Maintenance', 'Please come back later.');
    case 'status': {
      const headers: Record<string, string> = {};
      if (fault.retryAfter !== undefined) headers['retry-after'] = String(fault.retryAfter);
      return { status: fault.status, headers, body: fault.body ?? '' };
    }
    case 'redirect':
      return { status: fault.status ?? 302, headers: { location: fault.location }, body: '' };
    case 'ng': {
      const body = failureBody(fault.errorno, fault.message, fault.partKey);
      return jsonAnswer(fault.status ?? Number(dialect.failureStatus), body);
    }
    default:
      return undefined;
  }
}

/** Whether a fault replaces the work or only its answer. */
function momentOf(fault: Fault): 'before' | 'after' {
  return 'when' in fault && fault.when !== undefined ? fault.when : 'before';
}
