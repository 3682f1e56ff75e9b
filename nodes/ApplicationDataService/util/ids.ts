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
    const bit = number % BLOCK;
    const key = (number - bit) / BLOCK;
    let block = this.blocks.get(key);
    if (block === undefined) this.blocks.set(key, (block = new Uint8Array(BLOCK / 8)));
    const byte = block[bit >> 3] ?? 0;
    const mask = 1 << (bit & 7);
    block[bit >> 3] = byte | mask;
    return (byte & mask) === 0;
  }
}
