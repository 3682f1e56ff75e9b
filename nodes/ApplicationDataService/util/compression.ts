/**
 * Compressed text as base64. Its checksum shows whether it was cut or changed. The work is done off the event loop:
 * while one chunk is compressed the next one is made, and then the process does what else there is.
 */
export async function compress(chunks: Iterable<string>): Promise<string> {
  const bytes = ReadableStream.from(chunks).pipeThrough(new TextEncoderStream());
  const compressed = bytes.pipeThrough(new CompressionStream('deflate'));
  return Buffer.from(await new Response(compressed).arrayBuffer()).toString('base64');
}

/** @throws TypeError if `compress` did not make the text. */
export async function decompress(text: string): Promise<string> {
  const bytes = new Blob([Buffer.from(text, 'base64')]).stream();
  return await new Response(bytes.pipeThrough(new DecompressionStream('deflate'))).text();
}
