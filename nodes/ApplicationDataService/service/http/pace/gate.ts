import type { GateClock } from './gateClock';
import type { Admission, Wish } from './admission';
import { Closing, type Probe } from './closing';
import { Line } from './line';
import { Permits } from './permits';

interface Waiter extends Wish {
  tell(admission: Admission): void;
}

/**
 * Gives permissions for calls to one service. It runs nothing itself: the caller that gets a permission continues in its
 * own async context, which n8n relies on.
 */
export class Gate {
  private readonly line = new Line<Waiter>();
  private inFlight = 0;
  private streaming = 0;
  private readonly permits: Permits;
  private closing: Closing | null = null;
  private alarm: { readonly at: number; readonly stop: () => void } | null = null;

  /** @param forget called when no call is running, nobody waits, and there is nothing to remember. */
  constructor(
    private readonly clock: GateClock,
    private readonly forget: () => void,
  ) {
    this.permits = new Permits(clock.now());
  }

  /** Resolves when the call may be made, or cannot be made. */
  async enter(wish: Wish): Promise<Admission> {
    if (this.isIdle) this.closing?.beginWaiting(this.clock.now());
    return await this.wait(wish, false);
  }

  private async wait(wish: Wish, first: boolean): Promise<Admission> {
    const { signal } = wish;
    if (signal?.aborted === true) {
      this.advance();
      return this.whyLeft(signal);
    }
    return await new Promise((resolve) => {
      const leave = (): void => {
        this.line.remove(waiter);
        resolve(this.whyLeft(signal));
        this.advance();
      };
      const tell = (admission: Admission): void => {
        signal?.removeEventListener('abort', leave);
        resolve(admission);
      };
      const waiter: Waiter = { ...wish, tell };
      signal?.addEventListener('abort', leave);
      this.line.add(waiter, first);
      this.advance();
    });
  }

  /** A caller that runs out of time while the service refuses everybody was refused, too. */
  private whyLeft(signal: AbortSignal | undefined): Admission {
    const isLate = signal?.reason instanceof Error && signal.reason.name === 'TimeoutError';
    return isLate && this.closing !== null
      ? { closed: this.closing.report(this.clock.now()) }
      : { left: true };
  }

  private get isIdle(): boolean {
    return this.inFlight === 0 && this.line.size === 0;
  }

  /** Does everything that is possible now, and sets an alarm for the next time something changes. */
  private advance(): void {
    const now = this.clock.now();
    this.grow(now);
    if (this.closing === null) this.admitAll();
    else if (this.closing.isHopeless(now)) this.giveUp(this.closing, now);
    else if (this.closing.mayProbe(now)) this.probe(this.closing, now);
    this.setAlarm(now);
  }

  private grow(now: number): void {
    if (this.closing === null) this.permits.grow(now);
    else if (this.isIdle && now >= this.forgottenAt) {
      this.closing = null;
      this.permits.restore(now);
    }
  }

  /** When there will be nothing left to remember if nobody calls. */
  private get forgottenAt(): number {
    return this.permits.allAt(this.closing?.until);
  }

  private admitAll(): void {
    const { count } = this.permits;
    const streams = Math.max(1, Math.floor(count / 2));
    while (this.inFlight < count) {
      const next = this.line.take((waiter) => !waiter.streams || this.streaming < streams);
      if (next === undefined) return;
      this.admit(next, null);
    }
  }

  private probe(closing: Closing, now: number): void {
    const next = this.line.take(({ small }) => small) ?? this.line.take(() => true);
    if (next === undefined) return;
    this.admit(next, closing.beginProbe(now));
  }

  private giveUp(closing: Closing, now: number): void {
    const closed = closing.report(now);
    closing.beginWaiting(now);
    for (let next = this.line.take(() => true); next !== undefined; next = this.line.take(() => true))
      next.tell({ closed });
  }

  private admit(waiter: Waiter, probe: Probe | null): void {
    let ended = false;
    this.inFlight++;
    if (waiter.streams) this.streaming++;
    const release = (): void => {
      ended = true;
      this.inFlight--;
      if (waiter.streams) this.streaming--;
      probe?.closing.endProbe(probe);
    };
    waiter.tell({
      permit: {
        accepted: () => {
          this.accepted(probe);
        },
        refused: async (retryAfterMs) => {
          release();
          this.refused(probe, retryAfterMs);
          return await this.wait(waiter, true);
        },
        end: () => {
          if (ended) return;
          release();
          this.advance();
        },
      },
    });
  }

  private accepted(probe: Probe | null): void {
    if (this.closing === null) return;
    const now = this.clock.now();
    if (probe !== null && this.closing.isProof(probe)) {
      this.closing = null;
      this.permits.growFrom(now);
    } else {
      // It was sent before a refusal and processed. That says nothing about new calls.
      this.closing.successAt(now);
    }
    this.advance();
  }

  private refused(probe: Probe | null, retryAfterMs: number | undefined): void {
    const now = this.clock.now();
    if (this.closing === null) {
      this.closing = new Closing(now, this.clock);
      this.closing.close(now, retryAfterMs);
      this.permits.halve(now);
    } else if (probe?.closing === this.closing) {
      this.closing.close(now, retryAfterMs);
    }
  }

  private setAlarm(now: number): void {
    const isAsNew = this.closing === null && this.permits.areAll;
    const at = isAsNew ? undefined : this.nextEvent();
    if (at !== this.alarm?.at) {
      this.alarm?.stop();
      this.alarm = at === undefined ? null : this.alarmAt(at, now);
    }
    if (isAsNew && this.isIdle) this.forget();
  }

  private alarmAt(at: number, now: number): { at: number; stop: () => void } {
    const ring = (): void => {
      this.alarm = null;
      this.advance();
    };
    return { at, stop: this.clock.alarm(Math.max(0, at - now), ring, this.line.size > 0) };
  }

  /** When something changes just because time passes; `undefined` if nothing will. */
  private nextEvent(): number | undefined {
    if (this.isIdle) return this.forgottenAt;
    if (this.line.size === 0) return undefined;
    return this.closing?.nextEvent() ?? this.permits.nextAt;
  }
}
