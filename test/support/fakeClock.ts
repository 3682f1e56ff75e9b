import type { LimiterClock } from '../../nodes/ApplicationDataService/service/http/limiter';

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
  readonly isAwaited: boolean;
}

/** A clock whose time passes only when a test says so. */
export class FakeClock implements LimiterClock {
  private readonly set = new Set<Alarm>();

  constructor(private time = 0) {}

  now(): number {
    return this.time;
  }

  async sleep(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => this.alarm(milliseconds, resolve));
  }

  alarm(milliseconds: number, ring: () => void, isAwaited = true): () => void {
    const alarm = { at: this.time + milliseconds, ring, isAwaited };
    this.set.add(alarm);
    return () => this.set.delete(alarm);
  }

  /** The number of alarms that have not rung. */
  get alarms(): number {
    return this.set.size;
  }

  /** Whether anything waits for an alarm. */
  get isAwaited(): boolean {
    return [...this.set].some((alarm) => alarm.isAwaited);
  }

  /** Lets time pass, alarm by alarm. After each alarm, the code that waited for it runs before more time passes. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    await settled();
    while (this.ringNext(end)) await settled();
    this.time = end;
  }

  /** Moves the time forward without ringing alarms. */
  leap(milliseconds: number): void {
    this.time += milliseconds;
  }

  /** Moves to the next alarm, if it rings before `end`. @returns whether there was one. */
  protected ringNext(end = Infinity): boolean {
    const alarms = [...this.set].filter(({ at }) => at <= end);
    if (alarms.length === 0) return false;
    const next = alarms.reduce((first, alarm) => (alarm.at < first.at ? alarm : first));
    this.time = Math.max(this.time, next.at);
    this.set.delete(next);
    next.ring();
    return true;
  }
}

/** A clock on which every wait ends at once. */
export class HurriedClock extends FakeClock {
  override alarm(milliseconds: number, ring: () => void): () => void {
    const stop = super.alarm(milliseconds, ring);
    void Promise.resolve().then(async () => await this.pass(milliseconds));
    return stop;
  }
}

/** Resolves when all work that does not wait for time has run. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
