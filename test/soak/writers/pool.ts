import type { Random } from '../util/random';

/** The most records to keep, so that lists do not grow. */
const MOST = 300;

/** Ids of records that probably exist, the newest last. */
export class Pool {
  private readonly ids: string[];

  constructor(ids: readonly string[]) {
    this.ids = [...ids];
  }

  add(id: string): void {
    if (!this.ids.includes(id)) this.ids.push(id);
  }

  remove(id: string): void {
    const index = this.ids.indexOf(id);
    if (index !== -1) this.ids.splice(index, 1);
  }

  get isFull(): boolean {
    return this.ids.length > MOST;
  }

  /** Some records, mostly the newest, so that writers meet at the same ones. */
  some(random: Random, count: number): string[] {
    const from = random.chance(0.6) ? this.ids.slice(-8) : this.ids;
    return random.some(from, count);
  }

  /** Some of the oldest. */
  oldest(random: Random, count: number): string[] {
    return random.some(this.ids.slice(0, -20), count);
  }
}
