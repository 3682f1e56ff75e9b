import type { Dialect } from '../settings/switches.ts';

/** The service's queue is full: answered with HTTP 429. */
export class Overloaded extends Error {}

/**
 * Runs calls one at a time, while later ones wait. If more than ten wait, the service answers HTTP 429 for about ten
 * seconds (service facts, "One queue"). Calls that already wait still run.
 */
export class Queue {
  readonly #dialect: Dialect;
  readonly #waiting: (() => void)[] = [];
  #busy = false;
  #refusingUntil = 0;
  /** The largest number of calls that waited. */
  mostWaiting = 0;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /**
   * Runs the work when it is its turn.
   * @throws {@link Overloaded} if too many calls wait, or did a moment ago
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#turn();
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  /** Forgets a past overload. */
  reset(): void {
    this.#refusingUntil = 0;
    this.mostWaiting = 0;
  }

  async #turn(): Promise<void> {
    if (performance.now() < this.#refusingUntil) throw new Overloaded();
    if (!this.#busy) {
      this.#busy = true;
      // The work blocks this process, so the calls that arrived in the meantime have to be accepted first: they wait,
      // too.
      return new Promise((resolve) => setImmediate(resolve));
    }
    if (this.#waiting.length >= this.#dialect.queueLength) {
      this.#refusingUntil = performance.now() + this.#dialect.overloadMs;
      throw new Overloaded();
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.mostWaiting = Math.max(this.mostWaiting, this.#waiting.length);
    });
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next) setImmediate(next);
    else this.#busy = false;
  }
}
