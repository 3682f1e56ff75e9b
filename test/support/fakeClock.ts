import type { Waiting } from '../../nodes/ApplicationDataService/service/http/connect';
import { Gates } from '../../nodes/ApplicationDataService/service/http/pace/gates';
import type { Clock } from '../../nodes/ApplicationDataService/trigger/source/clock';

interface Event {
  readonly at: number;
  happen(): void;
}

/** Turns of the event loop without anything happening after which everybody waits for time to pass. */
const QUIET_TURNS = 12;

/** A clock that stands still while anybody works, and goes on to the next event when all wait: nobody waits for real. */
export class FakeClock implements Clock {
  private time = Date.parse('2026-11-20T09:00:00Z');
  private readonly timers = new Set<Event>();
  private readonly sleepers = new Set<Event>();
  private busy = 0;
  /** Calls wait by this clock, too, at gates of their own. */
  readonly waiting: Waiting = {
    gates: new Gates({
      now: () => this.time,
      random: () => 0,
      alarm: (milliseconds, ring, isAwaited) => this.alarm(milliseconds, ring, isAwaited),
    }),
    sleep: async (milliseconds) => await this.sleep(milliseconds),
  };

  now(): number {
    return this.time;
  }

  timeout(milliseconds: number): AbortSignal {
    const controller = new AbortController();
    const reason = new DOMException('The time is over', 'TimeoutError');
    this.timers.add({ at: this.time + milliseconds, happen: () => controller.abort(reason) });
    return controller.signal;
  }

  /** Waits without waiting. @throws what a request that is broken off throws, where the signal is aborted. */
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await new Promise<void>((happen, reject) => {
      const event = { at: this.time + milliseconds, happen };
      const end = (): void => {
        this.sleepers.delete(event);
        reject(Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' }));
      };
      if (signal?.aborted === true) return end();
      signal?.addEventListener('abort', end);
      this.sleepers.add(event);
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
      if (this.busy > 0 || this.sleepers.size === 0) quiet = 0;
      if (quiet < QUIET_TURNS) continue;
      quiet = 0;
      this.advance();
    }
    return await done;
  }

  /** Lets so much time pass at once, outside of any poll. */
  pass(milliseconds: number): void {
    this.time += milliseconds;
  }

  private alarm(milliseconds: number, happen: () => void, isAwaited: boolean): () => void {
    const event = { at: this.time + milliseconds, happen };
    const events = isAwaited ? this.sleepers : this.timers;
    events.add(event);
    return () => events.delete(event);
  }

  /** Goes to the next event. */
  private advance(): void {
    const events = [...this.timers, ...this.sleepers];
    const next = events.reduce((first, event) => (event.at < first.at ? event : first));
    this.time = Math.max(this.time, next.at);
    this.timers.delete(next);
    this.sleepers.delete(next);
    next.happen();
  }
}

/** One turn of the event loop; a long one lets timers of no time, such as "sleep(0)", go off before. */
async function turn(isLong: boolean): Promise<void> {
  await new Promise<void>((resolve) => (isLong ? setTimeout(resolve, 0) : setImmediate(resolve)));
}
