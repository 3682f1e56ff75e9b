/** How long a caller's calls have waited for their turn while none of its calls was running. */
export class Waits {
  private readonly calls = { waiting: 0, working: 0 };
  private sum = 0;
  /** When the number of calls changed last. */
  private since = 0;

  /** @param now milliseconds since an arbitrary start. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Waits for what decides on a turn. */
  async during<T>(turn: Promise<T>): Promise<T> {
    return await this.count('waiting', async () => await turn);
  }

  /** Does what a turn is for. */
  async work<T>(work: () => Promise<T>): Promise<T> {
    return await this.count('working', work);
  }

  /** Calls that have their turn now. */
  get working(): number {
    return this.calls.working;
  }

  /** Milliseconds so far, those of calls that still wait included. */
  get milliseconds(): number {
    const { waiting, working } = this.calls;
    return waiting > 0 && working === 0 ? this.sum + this.now() - this.since : this.sum;
  }

  private async count<T>(kind: 'waiting' | 'working', task: () => Promise<T>): Promise<T> {
    this.change(kind, 1);
    try {
      return await task();
    } finally {
      this.change(kind, -1);
    }
  }

  private change(kind: 'waiting' | 'working', by: number): void {
    this.sum = this.milliseconds;
    this.since = this.now();
    this.calls[kind] += by;
  }
}
