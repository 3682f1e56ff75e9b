/** Columns of whole numbers as compressed text that JSON keeps as it is. */

/** How many bytes are made without a pause, in a few milliseconds. */
const PIECE = 100_000;

/**
 * Columns of whole numbers from 0 to 2^53 - 1 as bytes: how many numbers, how many bytes each of them needs, then the
 * lowest byte of all of them, the next one of all, and so on, because the higher ones are mostly alike.
 */
export function* packed(columns: Iterable<Float64Array>): Generator<Uint8Array<ArrayBuffer>> {
  for (const column of columns) {
    let [highest, width] = [0, 0];
    for (const number of column) if (number > highest) highest = number;
    while (0x100 ** width <= highest) width++;
    yield new Uint8Array(Uint32Array.of(column.length, width).buffer);
    for (let byte = 0, factor = 1; byte < width; byte++, factor *= 0x100)
      for (let start = 0; start < column.length; start += PIECE)
        yield new Uint8Array(column.subarray(start, start + PIECE).map((number) => number / factor));
  }
}

/** Reads what {@link packed} made, column by column. */
export class ColumnReader {
  private position = 0;

  constructor(private readonly bytes: Uint8Array<ArrayBuffer>) {}

  next(): Float64Array {
    const { bytes, position: start } = this;
    const [length = 0, width = 0] = new Uint32Array(bytes.slice(start, (this.position += 8)).buffer);
    const column = new Float64Array(length);
    for (let byte = 0, factor = 1; byte < width; byte++, factor *= 0x100, this.position += length)
      for (let index = 0; index < length; index++)
        column[index] = column[index]! + bytes[this.position + index]! * factor;
    return column;
  }

  /** So many numbers of 32 bits as they are. */
  words(length: number): Uint32Array {
    const { bytes, position: start } = this;
    return new Uint32Array(bytes.slice(start, (this.position += 4 * length)).buffer);
  }

  /** What follows. */
  rest(): Uint8Array {
    return this.bytes.subarray(this.position);
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
