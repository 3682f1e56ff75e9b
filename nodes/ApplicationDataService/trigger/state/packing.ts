/** Whole numbers as text that JSON keeps as it is, in as few characters as they need. */

/** How many bytes are written without a pause, in a few milliseconds. */
const CHUNK = 100_000;
const MAX_BYTES = 8;

/** Columns of whole numbers from 0 to 2^53 - 1 in as few bytes as each needs: seven bits a byte, low ones first. */
export function* packed(columns: Iterable<Iterable<number>>): Generator<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array(CHUNK + MAX_BYTES);
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
      bytes = new Uint8Array(CHUNK + MAX_BYTES);
      length = 0;
    }
  yield bytes.subarray(0, length);
}

/** Reads what {@link packed} made. */
export class NumberReader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array<ArrayBuffer>) {}

  next(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.bytes[this.position++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  /** Numbers of 32 bits. */
  words(count: number): Uint32Array {
    const start = this.position;
    this.position += count * Uint32Array.BYTES_PER_ELEMENT;
    return new Uint32Array(this.bytes.slice(start, this.position).buffer);
  }
}

/**
 * Compressed bytes as text. The format carries a checksum, so text that was cut or changed is noticed. The work is done
 * off the event loop: while one chunk is compressed the next one is made, and then the process does what else there is.
 */
export async function compress(chunks: Iterable<Uint8Array<ArrayBuffer>>): Promise<string> {
  const compressed = ReadableStream.from(chunks).pipeThrough(new CompressionStream('deflate'));
  return Buffer.from(await new Response(compressed).arrayBuffer()).toString('base64');
}

/** @throws TypeError if `compress` did not make the text. */
export async function decompress(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Blob([Buffer.from(text, 'base64')]).stream();
  const decompressed = bytes.pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(decompressed).arrayBuffer());
}
