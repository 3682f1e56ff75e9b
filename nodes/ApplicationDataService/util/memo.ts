/**
 * Caches reads by their key. A read that failed is made again. Keeps the latest answers.
 */
export class Memo {
  private readonly answers = new Map<string, Promise<unknown>>();

  constructor(private readonly capacity = 200) {}

  /** @param key everything that the answer depends on, including its type. */
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
