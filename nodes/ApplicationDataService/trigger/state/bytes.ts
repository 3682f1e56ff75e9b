/** How many bytes are written without a pause, in a few milliseconds. */
const CHUNK = 100_000;

/** Writes numbers into as few bytes as they need: seven bits a byte, low ones first. */
export class ByteWriter {
  private bytes = new Uint8Array(CHUNK + 1024);
  private length = 0;

  /** A whole number from 0 to 2^53 - 1. */
  varint(value: number): void {
    this.reserve(8);
    let rest = value;
    // Bit operations work on 32 bits only, ids may be longer.
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }

  /** Four bytes, low ones first. */
  uint32(value: number): void {
    this.reserve(4);
    for (let shift = 0; shift < 32; shift += 8) this.bytes[this.length++] = value >>> shift;
  }

  text(value: string): void {
    const encoded = new TextEncoder().encode(value);
    this.varint(encoded.length);
    this.reserve(encoded.length);
    this.bytes.set(encoded, this.length);
    this.length += encoded.length;
  }

  /** The bytes written since the last time; only when there is enough for a chunk, unless it is the last. */
  *take(isLast = false): Generator<Uint8Array<ArrayBuffer>> {
    if (this.length === 0 || (this.length < CHUNK && !isLast)) return;
    yield this.bytes.slice(0, this.length);
    this.length = 0;
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

/** Reads the bytes of a {@link ByteWriter}. @throws RangeError if they end too early or are invalid. */
export class ByteReader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** Bytes that are left. */
  get left(): number {
    return this.bytes.length - this.position;
  }

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.bytes[this.skip(1)]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('A number is too large');
    return value;
  }

  uint32(): number {
    const { bytes } = this;
    const at = this.skip(4);
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  }

  text(): string {
    const length = this.varint();
    const at = this.skip(length);
    return new TextDecoder().decode(this.bytes.subarray(at, at + length));
  }

  /** @returns the position before. */
  private skip(count: number): number {
    if (count > this.left) throw new RangeError('The data ends too early');
    this.position += count;
    return this.position - count;
  }
}
