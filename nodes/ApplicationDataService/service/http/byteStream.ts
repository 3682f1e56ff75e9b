import type { BinaryHelperFunctions } from 'n8n-workflow';

import { parseJson } from '../../parts/values/shapes';
import { ServiceError } from './errors';

/** A readable stream of Node.js, as n8n's binary data takes it. */
export type ByteStream = Exclude<Parameters<BinaryHelperFunctions['prepareBinaryData']>[0], Buffer>;

/**
 * The class of streams. Nodes of the community may not import the stream module: it is had from a stream that n8n gave.
 */
export interface StreamClass {
  from(chunks: AsyncIterable<Uint8Array>): ByteStream;
}

/** The class of a stream. */
export function classOf(stream: ByteStream): StreamClass {
  return stream.constructor as unknown as StreamClass;
}

/** A stream of the chunks, pulled one by one as they are wanted, of the class of another stream. */
export function streamLike(stream: ByteStream, chunks: AsyncIterable<Uint8Array>): ByteStream {
  return classOf(stream).from(chunks);
}

/** @throws ServiceError when the body of a response is not the stream that was asked for. */
export function asStream(body: unknown): ByteStream {
  if (typeof body === 'object' && body !== null && 'resume' in body && 'from' in body.constructor) {
    return body as ByteStream;
  }
  throw new ServiceError('unexpected', 'n8n returned no stream', 'Please report this as a bug.');
}

/**
 * The body that a stream brings: parsed JSON, or its text.
 * @param timeoutMs it has come whole by then.
 * @throws ServiceError `lost` or `cancelled` if it breaks off.
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

/** Why a connection broke off while a stream came; `null` for any other failure. */
export function breakOf(error: unknown): 'lost' | 'cancelled' | null {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (String(code) === 'ERR_CANCELED') return 'cancelled';
  const broken = /^(ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ERR_STREAM_|ERR_BAD_RESPONSE|Z_)/;
  return broken.test(String(code)) || String(message) === 'aborted' ? 'lost' : null;
}
