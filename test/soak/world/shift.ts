/** The time in which actors work. */
export class Shift {
  private readonly end: number;

  constructor(milliseconds: number) {
    this.end = Date.now() + milliseconds;
  }

  isOver(): boolean {
    return Date.now() >= this.end;
  }

  /** Waits, but no longer than to the end. */
  async rest(milliseconds: number): Promise<void> {
    const left = Math.max(0, Math.min(milliseconds, this.end - Date.now()));
    await new Promise((resolve) => setTimeout(resolve, left));
  }
}
