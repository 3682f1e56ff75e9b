/** How many calls run at the same time: two processes then fit into the service's queue, in which one call runs and ten wait. */
const MOST = 5;

/** After a 429 the number of permits grows again by one each minute. */
const GROW_EVERY_MS = 60_000;

/** How many calls may be in flight at a gate. */
export class Permits {
  count = MOST;

  /** @param grownAt the time of the gate's clock from which on they grow. */
  constructor(private grownAt: number) {}

  get areAll(): boolean {
    return this.count === MOST;
  }

  /** When the next permit is added. */
  get nextAt(): number {
    return this.grownAt + GROW_EVERY_MS;
  }

  /** When all permits are there again, if they grow from this time on. */
  allAt(from = this.grownAt): number {
    return from + (MOST - this.count) * GROW_EVERY_MS;
  }

  /** Adds the permits for the minutes that have passed. */
  grow(now: number): void {
    const steps = Math.floor((now - this.grownAt) / GROW_EVERY_MS);
    this.count = Math.min(MOST, this.count + steps);
    this.grownAt += steps * GROW_EVERY_MS;
  }

  /** The service takes calls again. */
  growFrom(now: number): void {
    this.grownAt = now;
  }

  /** The service's queue was full. */
  halve(now: number): void {
    this.count = Math.max(1, Math.floor(this.count / 2));
    this.grownAt = now;
  }

  /** Long after the last call, nothing is left to remember. */
  restore(now: number): void {
    this.count = MOST;
    this.grownAt = now;
  }
}
