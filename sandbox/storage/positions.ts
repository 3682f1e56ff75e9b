/**
 * The ids of an application's records in order, to find a page at any offset without counting rows. It takes four bytes
 * for each record.
 */
export class Positions {
  #ids = new Int32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds an id that is greater than all others. */
  push(id: number): void {
    if (this.#length === this.#ids.length) {
      const larger = new Int32Array(this.#ids.length * 2);
      larger.set(this.#ids);
      this.#ids = larger;
    }
    this.#ids[this.#length++] = id;
  }

  /** Removes IDs and ignores unknown ones. */
  remove(removed: readonly number[]): void {
    const gaps = removed.map((id) => this.#find(id)).filter((at) => at >= 0);
    gaps.sort((one, other) => one - other);
    let kept = gaps[0] ?? this.#length;
    for (const [index, gap] of gaps.entries()) {
      const next = gaps[index + 1] ?? this.#length;
      this.#ids.copyWithin(kept, gap + 1, next);
      kept += next - gap - 1;
    }
    this.#length = kept;
  }

  /** First and last id of a page; undefined if it is empty. */
  range(offset: number, limit: number): { first: number; last: number } | undefined {
    const end = Math.min(this.#length, offset + limit);
    if (offset >= end) return undefined;
    return { first: this.#ids[offset] ?? 0, last: this.#ids[end - 1] ?? 0 };
  }

  /** How many ids are smaller than `id`: its position, whether it exists or not. */
  before(id: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ids[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The position of an ID, or -1. */
  #find(id: number): number {
    const place = this.before(id);
    return place < this.#length && this.#ids[place] === id ? place : -1;
  }
}
