/** How long calls have waited for their turn, those that still wait included. */
export class Waits {
  private under = 0;
  private sum = 0;

  /** @param now milliseconds from some beginning. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Waits for what decides on a turn. */
  async during<T>(turn: Promise<T>): Promise<T> {
    this.under++;
    this.sum -= this.now();
    try {
      return await turn;
    } finally {
      this.under--;
      this.sum += this.now();
    }
  }

  /** Milliseconds so far, of all calls together. */
  get milliseconds(): number {
    return this.sum + this.under * this.now();
  }
}
