/** The IDs of one block share its bits: 1024 of them take 128 bytes, so a million records take little memory. */
const BLOCK = 1024;

const WHOLE_NUMBER = /^(0|[1-9]\d{0,14})$/;

/** A set of record IDs. All IDs seen so far are whole numbers, but any other text is accepted, too. */
export class IdSet {
  private readonly blocks = new Map<number, Uint8Array>();
  private readonly others = new Set<string>();

  has(id: string): boolean {
    if (!WHOLE_NUMBER.test(id)) return this.others.has(id);
    const number = Number(id);
    const bit = number % BLOCK;
    return (((this.blocks.get((number - bit) / BLOCK)?.[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;
  }

  add(id: string): boolean {
    if (WHOLE_NUMBER.test(id)) return this.mark(Number(id));
    if (this.others.has(id)) return false;
    this.others.add(id);
    return true;
  }

  private mark(number: number): boolean {
    const bit = number % BLOCK;
    const key = (number - bit) / BLOCK;
    let block = this.blocks.get(key);
    if (block === undefined) this.blocks.set(key, (block = new Uint8Array(BLOCK / 8)));
    const [byte, mask] = [block[bit >> 3] ?? 0, 1 << (bit & 7)];
    block[bit >> 3] = byte | mask;
    return (byte & mask) === 0;
  }
}
