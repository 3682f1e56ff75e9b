/**
 * Replaces the trigger's compression in tests that write and read thousands of small states, because each compressor
 * would take most of their time. The tests of the state use the real compression.
 */
export async function compress(chunks: Iterable<Uint8Array>): Promise<string> {
  return await Promise.resolve(Buffer.concat([...chunks]).toString('base64'));
}

export async function decompress(text: string): Promise<Uint8Array> {
  return await Promise.resolve(new Uint8Array(Buffer.from(text, 'base64')));
}
