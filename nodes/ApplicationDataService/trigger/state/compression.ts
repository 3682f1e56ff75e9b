/**
 * Compressed bytes as text that JSON keeps as it is. The format carries a checksum, so text that was cut or changed
 * is noticed. The work is done off the event loop.
 */
export async function compress(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return Buffer.from(await new Response(compressed).arrayBuffer()).toString('base64');
}

/** @throws TypeError when the text is not what `compress` made. */
export async function decompress(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  const decompressed = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(decompressed).arrayBuffer());
}
