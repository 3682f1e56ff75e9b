import type { ServiceClient } from '../../service/http/client';
import { processLimiters, within } from '../../service/http/connect';
import { ServiceError } from '../../service/http/errors';
import type { Limiters } from '../../service/http/limiter';

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

/** A call that took longer than it may. @param isSlow whether it had enough of the poll's time. */
export class LateError extends ServiceError {
  constructor(isSlow = false) {
    super(
      'lost',
      'The service did not answer within the time limit of the poll',
      'The next poll continues with fewer records at once. If this happens again, poll less often, or ask the administrator why the service is slow.',
      { isSlow },
    );
  }
}

/** What had at least this share of a poll's time is slow if it was late. What had less may come in the next poll. */
const ENOUGH = 0.2;

/** Whether something was late only because there was little time left: that says nothing about the record. */
export function wasShort(failure: unknown, withinMs: number, time: PollTime): boolean {
  return failure instanceof LateError && !time.isEnough(withinMs);
}

/** How long a poll, or a part of it, may begin something new. */
export type Budget = Pick<PollTime, 'left'>;

/** Work that waits for its turn at the service ends a moment earlier, and has a better reason. */
const GRACE_MS = 50;

/** The time of one poll. */
export class PollTime {
  /** When the poll is over, by the clock's `elapsed`, whatever still runs then; aborted at that moment. */
  readonly over: number;
  readonly overSignal: AbortSignal;
  /** Aborted when nothing new may begin: calls that still run end then. */
  readonly signal: AbortSignal;
  private readonly end: number;

  /**
   * @param total milliseconds in which the poll begins something new.
   * @param most milliseconds until it is over.
   */
  constructor(
    readonly clock: PollClock,
    readonly total: number,
    most: number,
  ) {
    this.end = clock.elapsed() + total;
    this.over = clock.elapsed() + most;
    this.signal = clock.timeout(total);
    this.overSignal = clock.timeout(most);
  }

  /** Milliseconds; 0 or less when it is over. */
  left(): number {
    return this.end - this.clock.elapsed();
  }

  /** Whether lateness after so many milliseconds says that less should be asked for. */
  isEnough(milliseconds: number): boolean {
    return milliseconds >= this.total * ENOUGH;
  }

  /** A part of what is left. */
  share(part: number): Budget {
    const reserve = this.left() * (1 - part);
    return { left: () => this.left() - reserve };
  }

  /**
   * The result of work, or a failure as soon as its time is over: one call must not use the time of all others. Waiting
   * for a turn at the service does not count.
   * @param work gets a signal that aborts its calls: an answer that arrives too late would still take time and memory.
   * @throws LateError
   */
  async limit<T>(
    client: Pick<ServiceClient, 'shared'>,
    milliseconds: number,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const over = new AbortController();
    let timer: AbortSignal | undefined;
    const wait = (ms: number): void => {
      timer = this.clock.timeout(Math.max(1, ms));
      timer.addEventListener('abort', check, { once: true });
    };
    const check = (): void => {
      const left = this.left();
      if (client.shared.underWay === 0 && left > 0) wait(Math.min(milliseconds, left + GRACE_MS));
      else over.abort();
    };
    wait(milliseconds);
    try {
      return await within(
        over.signal,
        async () => await work(over.signal),
        () => new LateError(this.isEnough(milliseconds)),
      );
    } finally {
      timer?.removeEventListener('abort', check);
    }
  }
}
