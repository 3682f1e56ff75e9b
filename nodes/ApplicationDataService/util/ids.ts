/** More digits do not fit a number exactly. */
const MAX_DIGITS = 15;

/** The number that an ID is; -1 for any other text. */
export function idNumber(id: string): number {
  const { length } = id;
  if (length === 0 || length > MAX_DIGITS) return -1;
  let value = 0;
  for (let index = 0; index < length; index++) {
    const digit = id.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return length > 1 && id.charCodeAt(0) === 48 ? -1 : value;
}

export function compareIds(one: string, other: string): number {
  return idNumber(one) - idNumber(other);
}

/** The IDs of one block share its bits: 1024 of them take 128 bytes, so a million records take little memory. */
const BLOCK = 1024;

/** A set of record IDs. All IDs seen so far are whole numbers, but any other text is accepted, too. */
export class IdSet {
  private readonly blocks = new Map<number, Uint8Array>();
  private readonly others = new Set<string>();
  /** The block of the last ID, and the first ID in it: they mostly come in their order. */
  private first = -BLOCK;
  private block: Uint8Array = new Uint8Array();

  has(id: string): boolean {
    const number = idNumber(id);
    if (number < 0) return this.others.has(id);
    const bit = number % BLOCK;
    return (((this.blocks.get((number - bit) / BLOCK)?.[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;
  }

  add(id: string): boolean {
    const number = idNumber(id);
    if (number >= 0) return this.mark(number);
    if (this.others.has(id)) return false;
    this.others.add(id);
    return true;
  }

  private mark(number: number): boolean {
    if (number < this.first || number >= this.first + BLOCK) this.open(number - (number % BLOCK));
    const bit = number - this.first;
    const byte = this.block[bit >> 3]!;
    const mask = 1 << (bit & 7);
    this.block[bit >> 3] = byte | mask;
    return (byte & mask) === 0;
  }

  private open(first: number): void {
    const key = first / BLOCK;
    this.block = this.blocks.get(key) ?? new Uint8Array(BLOCK / 8);
    this.blocks.set(key, this.block);
    this.first = first;
  }
}
