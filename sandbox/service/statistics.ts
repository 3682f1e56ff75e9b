/** What happened since the start or the last reset. */
export interface StatisticsReport {
  readonly calls: number;
  readonly callsByAction: Readonly<Record<string, number>>;
  readonly inFlight: number;
  readonly mostInFlight: number;
}

/** Counts the calls of the data listener. */
export class Statistics {
  #callsByAction = new Map<string, number>();
  #calls = 0;
  #inFlight = 0;
  #mostInFlight = 0;

  callArrived(): void {
    this.#calls++;
    this.#mostInFlight = Math.max(this.#mostInFlight, ++this.#inFlight);
  }

  callEnded(action: string): void {
    this.#inFlight--;
    this.#callsByAction.set(action, (this.#callsByAction.get(action) ?? 0) + 1);
  }

  report(): StatisticsReport {
    return {
      calls: this.#calls,
      callsByAction: Object.fromEntries(this.#callsByAction),
      inFlight: this.#inFlight,
      mostInFlight: this.#mostInFlight,
    };
  }

  reset(): void {
    this.#callsByAction = new Map();
    this.#calls = 0;
    this.#mostInFlight = this.#inFlight;
  }
}
