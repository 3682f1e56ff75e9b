import type { GateClock } from '../../../../nodes/ApplicationDataService/service/http/pace/gateClock';

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
}

/** Time that passes only when it is told to, without chance. */
export class FakeClock implements GateClock {
  private time = 0;
  private readonly set = new Set<Alarm>();

  now(): number {
    return this.time;
  }

  random(): number {
    return 0;
  }

  alarm(milliseconds: number, ring: () => void): () => void {
    const alarm = { at: this.time + milliseconds, ring };
    this.set.add(alarm);
    return () => this.set.delete(alarm);
  }

  /** Alarms that have not rung. */
  get alarms(): number {
    return this.set.size;
  }

  /** Lets time pass; what rings and whoever is told by it goes on before more of it does. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    await settled();
    for (let next = this.next(end); next !== undefined; next = this.next(end)) {
      this.time = Math.max(this.time, next.at);
      this.set.delete(next);
      next.ring();
      await settled();
    }
    this.time = end;
  }

  private next(end: number): Alarm | undefined {
    return [...this.set].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
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
