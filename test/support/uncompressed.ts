/**
 * Stands in for the trigger's compression where thousands of small states are written and read again: each would cost a
 * compressor of its own, most of the time of such tests. What is compressed is proved by the tests of the state.
 */
export async function compress(chunks: Iterable<Uint8Array>): Promise<string> {
  return await Promise.resolve(Buffer.concat([...chunks]).toString('base64'));
}

export async function decompress(text: string): Promise<Uint8Array> {
  return await Promise.resolve(new Uint8Array(Buffer.from(text, 'base64')));
}
