/**
 * Compressed bytes as text that JSON keeps as it is. The format carries a checksum, so text that was cut or changed
 * is noticed. The work is done off the event loop.
 */
export async function compress(chunks: Iterable<Uint8Array<ArrayBuffer>>): Promise<string> {
  const compression = new CompressionStream('deflate');
  const compressed = new Response(compression.readable).arrayBuffer();
  const writer = compression.writable.getWriter();
  // While one chunk is compressed the next one is made, and then the process does what else there is.
  let written = Promise.resolve();
  for (const chunk of chunks) {
    await written;
    written = writer.write(chunk);
  }
  await written;
  await writer.close();
  return Buffer.from(await compressed).toString('base64');
}

/** @throws TypeError if `compress` did not make the text. */
export async function decompress(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  const decompressed = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const chunks: Uint8Array[] = [];
  for await (const chunk of decompressed as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}
