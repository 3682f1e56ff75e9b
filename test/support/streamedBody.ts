import { Readable } from 'node:stream';

/** A body as n8n's helper returns it where a stream is asked for. */
export function streamedBody(body: unknown): Readable {
  if (body instanceof Readable) return body;
  return Readable.from([Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))]);
}
