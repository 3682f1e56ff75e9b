import { within } from '../../common/within';
import type { ServiceClient } from '../../service/http/client';
import { ServiceError } from '../../service/http/errors';
import type { Budget } from '../poll/settings';
import type { PollClock } from './pollClock';

/** A call that took longer than it may. */
export class LateError extends ServiceError {
  constructor() {
    super(
      'lost',
      'The service did not answer within the time limit of the poll',
      'The next poll continues with fewer records at once. If this happens again, poll less often, or ask the administrator why the service is slow.',
    );
  }
}

/** Work that waits for its turn at the service ends a moment before this, and knows better why. */
const GRACE_MS = 50;

/** The time of a poll, as its calls go by it. */
export class Deadline {
  constructor(
    private readonly clock: PollClock,
    private readonly budget: Budget,
    private readonly client: Pick<ServiceClient, 'underWay'>,
  ) {}

  /** Milliseconds for a call that cannot be made smaller: half of those left, so that others have their time, too. */
  get usualMs(): number {
    return this.budget.left() / 2;
  }

  /** The same for a call without which nothing can be done: the rest is for a second try. */
  get mostMs(): number {
    return this.budget.left() * 0.75;
  }

  /**
   * The result of work, or a failure as soon as its time is over: n8n gives a trigger up whose first poll takes too long,
   * and one call must not take the time of all others. Waiting for a turn at the service is not counted.
   * @param work gets a signal that breaks its calls off: an answer that comes too late would still take time and memory.
   * @throws LateError when time is over.
   */
  async within<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const done = new AbortController();
    const wait = (ms: number): void => {
      const timer = this.clock.timeout(Math.max(1, ms));
      timer.addEventListener('abort', check, { signal: done.signal });
    };
    const check = (): void => {
      const left = this.budget.left();
      if (this.client.underWay === 0 && left > 0) wait(Math.min(milliseconds, left + GRACE_MS));
      else over.abort();
    };
    wait(milliseconds);
    try {
      return await within(
        over.signal,
        async () => await work(over.signal),
        () => new LateError(),
      );
    } finally {
      done.abort();
    }
  }
}
