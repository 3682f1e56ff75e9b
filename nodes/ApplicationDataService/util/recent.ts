/**
 * Reads that were made lately, by what they asked: asked again, they are answered from here. A read that failed is made
 * again. Holds at most `capacity` answers, the oldest go first.
 */
export class Recent {
  private readonly answers = new Map<string, Promise<unknown>>();

  constructor(private readonly capacity: number) {}

  /** @param key says all that the answer depends on, its type included. */
  async get<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.answers.get(key);
    if (known !== undefined) return (await known) as T;
    const answer = read();
    this.answers.set(key, answer);
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= this.capacity) break;
      this.answers.delete(oldest);
    }
    answer.catch(() => {
      if (this.answers.get(key) === answer) this.answers.delete(key);
    });
    return await answer;
  }
}
