import type { Random } from '../util/random';

/** The most records to keep, so that lists do not grow. */
const MOST = 300;

/** Ids of records that probably exist, the newest last. */
export class Pool {
  private readonly ids: Set<string>;

  constructor(ids: readonly string[]) {
    this.ids = new Set(ids);
  }

  add(id: string): void {
    this.ids.add(id);
  }

  remove(id: string): void {
    this.ids.delete(id);
  }

  get isFull(): boolean {
    return this.ids.size > MOST;
  }

  /** Some records, mostly the newest, so that writers meet at the same ones. */
  some(random: Random, count: number): string[] {
    return random.some([...this.ids].slice(random.chance(0.6) ? -8 : 0), count);
  }

  /** Some of the oldest. */
  oldest(random: Random, count: number): string[] {
    return random.some([...this.ids].slice(0, -20), count);
  }
}
