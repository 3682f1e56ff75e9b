import { Limiters } from '../../nodes/ApplicationDataService/service/http/limiter';
import type { PollClock } from '../../nodes/ApplicationDataService/trigger/source/time';
import { FakeClock } from './fakeClock';

/** After this many turns of the event loop without activity, everything is waiting for time to pass. */
const QUIET_TURNS = 12;

/**
 * A clock that stands still while any code runs, and moves to the next alarm when all code waits. No test waits for
 * real.
 */
export class FakePollClock extends FakeClock implements PollClock {
  private busy = 0;
  private stepped = 0;
  /** Calls wait by this clock, too. */
  readonly limiters = new Limiters(this);

  constructor() {
    super(Date.parse('2026-11-20T09:00:00Z'));
  }

  elapsed(): number {
    return this.now() - this.stepped;
  }

  /** Sets the clock of the day, as a person or a time server does. */
  step(milliseconds: number): void {
    this.stepped += milliseconds;
    this.leap(milliseconds);
  }

  timeout(milliseconds: number): AbortSignal {
    const controller = new AbortController();
    const reason = new DOMException('The time is over', 'TimeoutError');
    this.alarm(milliseconds, () => controller.abort(reason), false);
    return controller.signal;
  }

  /** Waits on this clock. @throws the error of an aborted request if the signal is aborted. */
  override async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const stop = this.alarm(milliseconds, resolve);
      const end = (): void => {
        stop();
        reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
      };
      if (signal?.aborted === true) return end();
      signal?.addEventListener('abort', end);
    });
  }

  /** Stops the clock while `work` runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.busy += 1;
    try {
      return await work();
    } finally {
      this.busy -= 1;
    }
  }

  /** Runs `work` to its end and moves the clock whenever all code waits. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let isDone = false;
    const done = work().finally(() => (isDone = true));
    done.catch(() => undefined);
    for (let quiet = 0; !isDone; quiet++) {
      await turn(quiet === QUIET_TURNS / 2);
      if (this.busy > 0 || !this.isAwaited) quiet = 0;
      if (quiet < QUIET_TURNS) continue;
      quiet = 0;
      this.ringNext();
    }
    return await done;
  }
}

/** One turn of the event loop. A long turn also runs timers without delay, such as "sleep(0)". */
async function turn(isLong: boolean): Promise<void> {
  await new Promise<void>((resolve) => (isLong ? setTimeout(resolve, 0) : setImmediate(resolve)));
}
