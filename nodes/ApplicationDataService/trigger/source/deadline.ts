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

/** Work that waits for its turn at the service ends a moment earlier, and has a better reason. */
const GRACE_MS = 50;

/** The time limits that a poll sets for its calls. */
export class Deadline {
  constructor(
    private readonly clock: PollClock,
    private readonly budget: Budget,
    private readonly client: Pick<ServiceClient, 'underWay'>,
  ) {}

  /** Milliseconds for a call that cannot be made smaller: half of the time left, so that others have time, too. */
  get usualMs(): number {
    return this.budget.left() / 2;
  }

  /** The same for a call that everything depends on: the rest is for a second try. */
  get mostMs(): number {
    return this.budget.left() * 0.75;
  }

  /**
   * The result of work, or a failure as soon as its time is over. n8n gives up a trigger if its first poll takes too long,
   * and one call must not use the time of all others. Waiting for a turn at the service does not count.
   * @param work gets a signal that aborts its calls: an answer that arrives too late would still take time and memory.
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
