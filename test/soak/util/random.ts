import { createHash } from 'node:crypto';

/** Random numbers that are the same for the same seed. */
export class Random {
  private drawn = 0;

  constructor(private readonly seed: string) {}

  /** A separate source, so that the numbers of one actor do not depend on those of the others. */
  fork(name: string): Random {
    return new Random(`${this.seed}/${name}`);
  }

  /** A number from 0 to below 1. */
  next(): number {
    return this.digest().readUInt32BE() / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws RangeError if there is nothing to pick from. */
  pick<T>(from: readonly T[]): T {
    const [picked] = this.some(from, 1);
    if (picked === undefined) throw new RangeError('There is nothing to pick from');
    return picked;
  }

  /** Up to `count` elements, each once. */
  some<T>(from: readonly T[], count: number): T[] {
    const left = [...from];
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(this.integer(0, left.length - 1), 1),
    ).flat();
  }

  bytes(length: number): Buffer {
    return Buffer.alloc(length, this.digest());
  }

  private digest(): Buffer {
    return createHash('sha256').update(`${this.seed}/${this.drawn++}`).digest();
  }
}
