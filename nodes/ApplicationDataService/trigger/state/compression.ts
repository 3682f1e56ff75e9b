/**
 * Compressed bytes as text that JSON keeps as it is. The format carries a checksum, so text that was cut or changed
 * is noticed. The work is done off the event loop: while one chunk is compressed the next one is made, and then the
 * process does what else there is.
 */
export async function compress(chunks: Iterable<Uint8Array<ArrayBuffer>>): Promise<string> {
  const compressed = await collect(ReadableStream.from(chunks), new CompressionStream('deflate'));
  return compressed.toString('base64');
}

/** @throws TypeError if `compress` did not make the text. */
export async function decompress(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Blob([Buffer.from(text, 'base64')]);
  return new Uint8Array(await collect(bytes.stream(), new DecompressionStream('deflate')));
}

async function collect(
  stream: ReadableStream,
  through: CompressionStream | DecompressionStream,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream.pipeThrough<Uint8Array>(through)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
