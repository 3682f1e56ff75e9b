/** Random numbers that are the same for the same seed. */
export class Random {
  private state: number;

  constructor(private readonly seed: string) {
    this.state = hash(seed);
  }

  /** A separate source, so that the numbers of one actor do not depend on those of the others. */
  fork(name: string): Random {
    return new Random(`${this.seed}/${name}`);
  }

  /** A number from 0 to below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
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
    const picked = from[this.integer(0, from.length - 1)];
    if (picked === undefined) throw new RangeError('There is nothing to pick from');
    return picked;
  }

  /** Up to `count` elements, each once. */
  some<T>(from: readonly T[], count: number): T[] {
    const left = [...from];
    const picked: T[] = [];
    while (picked.length < count && left.length > 0)
      picked.push(...left.splice(this.integer(0, left.length - 1), 1));
    return picked;
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.alloc(length);
    for (let at = 0; at < length; at++) bytes[at] = this.integer(0, 255);
    return bytes;
  }
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ character.charCodeAt(0), 0x01000193);
  return value | 0;
}
