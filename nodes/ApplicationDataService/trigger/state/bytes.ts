/** How many bytes are written without a pause, in a few milliseconds. */
const CHUNK = 100_000;

/** Writes numbers into as few bytes as they need: seven bits a byte, low ones first. */
export class ByteWriter {
  private bytes = new Uint8Array(CHUNK + 1024);
  private length = 0;

  /** A whole number from 0 to 2^53 - 1. */
  varint(value: number): void {
    if (this.length + 8 > this.bytes.length) this.grow(8);
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
    if (this.length + 4 > this.bytes.length) this.grow(4);
    const { bytes } = this;
    bytes[this.length++] = value & 0xff;
    bytes[this.length++] = (value >>> 8) & 0xff;
    bytes[this.length++] = (value >>> 16) & 0xff;
    bytes[this.length++] = value >>> 24;
  }

  text(value: string): void {
    const encoded = new TextEncoder().encode(value);
    this.varint(encoded.length);
    if (this.length + encoded.length > this.bytes.length) this.grow(encoded.length);
    this.bytes.set(encoded, this.length);
    this.length += encoded.length;
  }

  /** The bytes written since the last time; only when there is enough for a chunk, unless it is the last. */
  *take(isLast = false): Generator<Uint8Array<ArrayBuffer>> {
    if (this.length === 0 || (this.length < CHUNK && !isLast)) return;
    yield this.bytes.slice(0, this.length);
    this.length = 0;
  }

  private grow(more: number): void {
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

/** Reads the bytes of a {@link ByteWriter}. @throws RangeError if they end too early or are invalid. */
export class ByteReader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
    }
    if (!Number.isSafeInteger(value)) throw new RangeError('A number is too large');
    return value;
  }

  uint32(): number {
    const { bytes, position } = this;
    if (position + 4 > bytes.length) throw new RangeError('The data ends too early');
    this.position += 4;
    const [a, b, c, d] = [bytes[position]!, bytes[position + 1]!, bytes[position + 2]!, bytes[position + 3]!];
    return (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
  }

  text(): string {
    const length = this.varint();
    if (this.position + length > this.bytes.length) throw new RangeError('The data ends too early');
    this.position += length;
    return new TextDecoder().decode(this.bytes.subarray(this.position - length, this.position));
  }

  /** @throws RangeError when something is left. */
  end(): void {
    if (this.position !== this.bytes.length) throw new RangeError('The data does not end where it should');
  }

  /** Bytes that are left. */
  get left(): number {
    return this.bytes.length - this.position;
  }

  private byte(): number {
    const byte = this.bytes[this.position++];
    if (byte === undefined) throw new RangeError('The data ends too early');
    return byte;
  }
}
