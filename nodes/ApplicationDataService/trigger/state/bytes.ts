/** How many bytes are written without a pause, in a few milliseconds. */
const CHUNK = 100_000;
const MOST_BYTES = 8;

/** Columns of whole numbers from 0 to 2^53 - 1 in as few bytes as each needs: seven bits a byte, low ones first. */
export function* toBytes(columns: Iterable<Iterable<number>>): Generator<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array(CHUNK + MOST_BYTES);
  let length = 0;
  for (const column of columns)
    for (const number of column) {
      let rest = number;
      // Bit operations work on 32 bits only, IDs may be longer.
      for (; rest >= 2 ** 32; rest = Math.floor(rest / 0x80)) bytes[length++] = (rest % 0x80) + 0x80;
      for (; rest >= 0x80; rest >>>= 7) bytes[length++] = (rest & 0x7f) + 0x80;
      bytes[length++] = rest;
      if (length < CHUNK) continue;
      yield bytes.subarray(0, length);
      bytes = new Uint8Array(CHUNK + MOST_BYTES);
      length = 0;
    }
  yield bytes.subarray(0, length);
}

/** Reads what {@link toBytes} made. */
export class NumberReader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get left(): number {
    return this.bytes.length - this.position;
  }

  /** @throws RangeError if the bytes end too early or are invalid. */
  next(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.bytes[this.position++];
      if (byte === undefined) throw new RangeError('The data ends too early');
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('A number is too large');
    return value;
  }
}
