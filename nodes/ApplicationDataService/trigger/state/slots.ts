import { idNumber } from './idOrder';

/**
 * Places for the records of an application, a million of them in some 25 MB. The first slots are in order of their numeric
 * ids, which is how a service lists them, and need no index.
 */
export class Slots {
  /** Ids as numbers; -1 for those that are not. */
  private ids: Float64Array;
  /** Slots in use. */
  length = 0;
  /** How many slots from the first one are in ascending order. */
  private sorted = 0;
  /** Slots of all others. */
  private readonly others = new Map<string, number>();
  /** Ids that are not numbers, by slot. */
  private readonly texts = new Map<number, string>();
  /** Where the next id probably is: lists come in this order. */
  private next = 0;

  constructor(capacity: number) {
    this.ids = new Float64Array(capacity);
  }

  idAt(slot: number): string {
    return this.texts.get(slot) ?? String(this.ids[slot]);
  }

  /** The id as a number; -1 if it is not one. */
  numberAt(slot: number): number {
    return this.ids[slot]!;
  }

  /** The slot of an id; -1 if it has none. */
  find(id: string): number {
    const number = idNumber(id);
    if (number < 0) return this.others.get(id) ?? -1;
    if (this.next < this.sorted && this.ids[this.next] === number) return this.next++;
    const slot = this.searchSorted(number);
    if (slot < 0) return this.others.get(id) ?? -1;
    this.next = slot + 1;
    return slot;
  }

  /** A new slot. @param text the id if it is no number, or not in order; absent for a number that is. */
  add(number: number, text: string | undefined): number {
    if (this.length === this.ids.length) {
      const larger = new Float64Array(this.length * 2);
      larger.set(this.ids);
      this.ids = larger;
    }
    const slot = this.length++;
    this.ids[slot] = number;
    if (slot === this.sorted && number >= 0 && (slot === 0 || number > this.ids[slot - 1]!)) this.sorted++;
    else this.others.set(text ?? String(number), slot);
    if (number < 0 && text !== undefined) this.texts.set(slot, text);
    return slot;
  }

  /** All slots in order of their ids: numbers first. */
  inOrder(): Uint32Array {
    const order = new Uint32Array(this.length);
    const numbers = this.otherNumbers();
    let other = 0;
    let count = 0;
    const takeOther = (): void => void (order[count++] = this.others.get(String(numbers[other++]))!);
    for (let slot = 0; slot < this.sorted; slot++) {
      while (other < numbers.length && numbers[other]! < this.ids[slot]!) takeOther();
      order[count++] = slot;
    }
    while (other < numbers.length) takeOther();
    for (const [slot] of [...this.texts].sort(([, one], [, two]) => (one < two ? -1 : 1)))
      order[count++] = slot;
    return order;
  }

  /** Numeric ids outside the sorted slots, sorted. A plain typed array: its sort takes no callback and is fast. */
  private otherNumbers(): Float64Array {
    const slots = [...this.others.values()].filter((slot) => !this.texts.has(slot));
    return Float64Array.from(slots, (slot) => this.ids[slot]!).sort();
  }

  private searchSorted(number: number): number {
    let low = 0;
    let high = this.sorted - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.ids[middle]!;
      if (found === number) return middle;
      if (found < number) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}
