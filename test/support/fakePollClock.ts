import type { Waiting } from '../../nodes/ApplicationDataService/service/http/connect';
import { Gates } from '../../nodes/ApplicationDataService/service/http/pace/gates';
import type { PollClock } from '../../nodes/ApplicationDataService/trigger/source/pollClock';
import { FakeClock } from './fakeClock';

/** Turns of the event loop without anything happening after which everybody waits for time to pass. */
const QUIET_TURNS = 12;

/** A clock that stands still while anybody works, and goes on to the next event when all wait: nobody waits for real. */
export class FakePollClock extends FakeClock implements PollClock {
  private busy = 0;
  /** Calls wait by this clock, too, at gates of their own. */
  readonly waiting: Waiting = {
    gates: new Gates(this),
    sleep: async (milliseconds) => await this.sleep(milliseconds),
  };

  constructor() {
    super(Date.parse('2026-11-20T09:00:00Z'));
  }

  timeout(milliseconds: number): AbortSignal {
    const controller = new AbortController();
    const reason = new DOMException('The time is over', 'TimeoutError');
    this.alarm(milliseconds, () => controller.abort(reason), false);
    return controller.signal;
  }

  /** Waits without waiting. @throws what a request that is broken off throws, where the signal is aborted. */
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
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

  /** Time does not pass while this goes on: it takes none. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.busy += 1;
    try {
      return await work();
    } finally {
      this.busy -= 1;
    }
  }

  /** Runs something to its end, letting time pass whenever everybody waits. */
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

/** One turn of the event loop; a long one lets timers of no time, such as "sleep(0)", go off before. */
async function turn(isLong: boolean): Promise<void> {
  await new Promise<void>((resolve) => (isLong ? setTimeout(resolve, 0) : setImmediate(resolve)));
}
