import type { ServiceClient } from '../../service/http/client';
import { processLimiters, within } from '../../service/http/connect';
import { ServiceError, type FailureKind } from '../../service/http/errors';
import type { Limiters } from '../../service/http/limiter';
import { settle } from '../../util/concurrently';
import type { Trouble } from '../poll/context';
import type { Budget } from '../poll/time';

export interface PollClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since an arbitrary start, by a clock that nobody sets. */
  elapsed(): number;
  /** Aborted after this many milliseconds. */
  timeout(milliseconds: number): AbortSignal;
  /** Where the calls of a poll wait for their turn. */
  readonly limiters: Limiters;
}

export const machineClock: PollClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  timeout: (milliseconds) => AbortSignal.timeout(Math.ceil(milliseconds)),
  limiters: processLimiters,
};

export interface PollTime extends Budget {
  readonly clock: PollClock;
  /** Aborted at the end. Calls that are still running are not waited for. */
  readonly signal: AbortSignal;
}

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

/** Failures that may be about one record, page or file alone. */
const OF_ONE: ReadonlySet<FailureKind> = new Set(['lost', 'badAnswer', 'busy']);

export function troubleOf(failure: unknown): Trouble {
  if (!(failure instanceof ServiceError)) return 'service';
  const { kind, details } = failure;
  if (!OF_ONE.has(kind) || details.status === 429) return 'service';
  if (failure instanceof LateError || details.connection?.reason === 'timeout') return 'late';
  return kind === 'busy' ? 'busy' : 'record';
}

/** Work that waits for its turn at the service ends a moment earlier, and has a better reason. */
const GRACE_MS = 50;

/** The time limits that a poll sets for its calls. */
export class Deadline {
  constructor(
    private readonly time: PollTime,
    private readonly client: Pick<ServiceClient, 'underWay'>,
  ) {}

  /** A call that everything depends on, with most of the time. If it was late, it is repeated with all that is left. */
  async twice<T>(call: (withinMs: number) => Promise<T>): Promise<T> {
    const first = await settle(async () => await call(this.time.left() * 0.75));
    if ('value' in first) return first.value;
    if (troubleOf(first.error) !== 'late') throw first.error;
    return await call(this.time.left());
  }

  /**
   * The result of work, or a failure as soon as its time is over. n8n gives up a trigger if its first poll takes too
   * long, and one call must not use the time of all others. Waiting for a turn at the service does not count.
   * @param work gets a signal that aborts its calls: an answer that arrives too late would still take time and memory.
   * @throws LateError when time is over.
   */
  async within<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const done = new AbortController();
    const wait = (ms: number): void => {
      const timer = this.time.clock.timeout(Math.max(1, ms));
      timer.addEventListener('abort', check, { signal: done.signal });
    };
    const check = (): void => {
      const left = this.time.left();
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
