import type { GateClock } from '../../nodes/ApplicationDataService/service/http/pace/gateClock';

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
  readonly isAwaited: boolean;
}

/** Time that passes only when a test lets it pass, without chance. */
export class FakeClock implements GateClock {
  private readonly set = new Set<Alarm>();

  constructor(private time = 0) {}

  now(): number {
    return this.time;
  }

  random(): number {
    return 0;
  }

  alarm(milliseconds: number, ring: () => void, isAwaited = true): () => void {
    const alarm = { at: this.time + milliseconds, ring, isAwaited };
    this.set.add(alarm);
    return () => this.set.delete(alarm);
  }

  /** Alarms that have not rung. */
  get alarms(): number {
    return this.set.size;
  }

  /** Whether somebody waits for an alarm. */
  get isAwaited(): boolean {
    return [...this.set].some((alarm) => alarm.isAwaited);
  }

  /** Lets time pass; what rings, and whoever waits for it, goes on before more of it passes. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    await settled();
    while (this.ringNext(end)) await settled();
    this.time = end;
  }

  /** Lets time pass at once, in which nothing rings. */
  leap(milliseconds: number): void {
    this.time += milliseconds;
  }

  /** Goes to the next alarm until a time, if there is one. */
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

/** A clock on which every wait is over at once. */
export class HurriedClock extends FakeClock {
  override alarm(milliseconds: number, ring: () => void): () => void {
    const stop = super.alarm(milliseconds, ring);
    void Promise.resolve().then(async () => await this.pass(milliseconds));
    return stop;
  }
}

/** Everything that can go on without time has gone on. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
