/** How many calls of a caller are under way, and how long they have waited while none was. */
export class Waits {
  private readonly calls = { waiting: 0, working: 0 };
  private sum = 0;
  private since = 0;

  /** @param now milliseconds since an arbitrary start. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  get working(): number {
    return this.calls.working;
  }

  get milliseconds(): number {
    const { waiting, working } = this.calls;
    return waiting > 0 && working === 0 ? this.sum + this.now() - this.since : this.sum;
  }

  /** Waits for what decides on a turn, or does what it is for. */
  async count<T>(kind: 'waiting' | 'working', task: () => Promise<T>): Promise<T> {
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
