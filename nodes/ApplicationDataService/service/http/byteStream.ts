import type { BinaryHelperFunctions } from 'n8n-workflow';

import { parseJson } from '../../parts/values/shapes';
import { ServiceError } from './errors';

/** A readable stream of Node.js, which n8n's binary data accepts. */
export type ByteStream = Exclude<Parameters<BinaryHelperFunctions['prepareBinaryData']>[0], Buffer>;

/**
 * The class of streams. Community nodes may not import the stream module, so the class is taken from one of n8n's streams.
 */
export interface StreamClass {
  from(chunks: AsyncIterable<Uint8Array>): ByteStream;
}

/** The class of a stream. */
export function classOf(stream: ByteStream): StreamClass {
  return stream.constructor as unknown as StreamClass;
}

/** A stream of the chunks, pulled one by one as needed, with the class of another stream. */
export function streamLike(stream: ByteStream, chunks: AsyncIterable<Uint8Array>): ByteStream {
  return classOf(stream).from(chunks);
}

/** @throws ServiceError if the body of a response is not the requested stream. */
export function asStream(body: unknown): ByteStream {
  if (typeof body === 'object' && body !== null && 'resume' in body && 'from' in body.constructor) {
    return body as ByteStream;
  }
  throw new ServiceError('unexpected', 'n8n returned no stream', 'Please report this as a bug.');
}

/**
 * The body from a stream: parsed JSON, or its text.
 * @param timeoutMs time limit for the whole body.
 * @throws ServiceError `lost` or `cancelled` if the stream is interrupted.
 */
export async function readBody(stream: ByteStream, timeoutMs: number): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  timeout.onabort = () => stream.destroy(new Error('aborted'));
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>)
      text += decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw breakOf(error) === 'cancelled'
      ? new ServiceError('cancelled', 'The execution was cancelled', 'Nothing more was sent.')
      : new ServiceError('lost', 'The connection was lost in the middle of an answer', 'Try again later.');
  } finally {
    timeout.onabort = null;
  }
  text += decoder.decode();
  return parseJson(text) ?? text;
}

/** Why a connection was interrupted during a stream; `null` for any other failure. */
export function breakOf(error: unknown): 'lost' | 'cancelled' | null {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (String(code) === 'ERR_CANCELED') return 'cancelled';
  const broken = /^(ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ERR_STREAM_|ERR_BAD_RESPONSE|Z_)/;
  return broken.test(String(code)) || String(message) === 'aborted' ? 'lost' : null;
}
