import type { BinaryHelperFunctions } from 'n8n-workflow';

import { parseJson } from '../../parts/values/shapes';
import { cancelled, isCancelled, ServiceError, toServiceError } from './errors';

export type ByteStream = Exclude<Parameters<BinaryHelperFunctions['prepareBinaryData']>[0], Buffer>;
/** Makes streams: the class of those that n8n returned, because community nodes may not import the stream module. */
let streamClass: { from(chunks: AsyncIterable<Uint8Array>): ByteStream } | undefined;

export function asStream(body: unknown): ByteStream {
  if (typeof body !== 'object' || body === null || !('resume' in body && 'from' in body.constructor))
    throw noStream();
  streamClass = body.constructor as unknown as typeof streamClass;
  return body as ByteStream;
}

/** A stream of chunks, which are pulled as needed. @throws ServiceError if no answer has come as a stream yet */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ByteStream {
  if (streamClass === undefined) throw noStream();
  return streamClass.from(chunks);
}

const noStream = (): ServiceError => toServiceError(new Error('n8n returned no stream'));
/** A body of which nothing comes for so long has stalled; the request's own time-out ends with its head. */
const IDLE_MS = 60_000;
export type Chunks = AsyncGenerator<Uint8Array, void>;

/**
 * The chunks of a body. What n8n's helper returns cannot be interrupted while it waits, not even by `destroy`: so the
 * wait is given up, and the stream left to itself.
 * @throws ServiceError `lost` if the body breaks off, or nothing comes for `idleMs`; `cancelled`
 */
export async function* pull(stream: ByteStream, progress: () => void, idleMs = IDLE_MS): Chunks {
  const chunks = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  let waiting: { readonly since: number; readonly giveUp: (reason: ServiceError) => void } | null = null;
  let alarm: AbortSignal | undefined;
  const watch = (milliseconds: number): void => {
    alarm = AbortSignal.timeout(Math.ceil(milliseconds));
    alarm.onabort = () => {
      const left = waiting === null ? idleMs : waiting.since + idleMs - performance.now();
      if (left > 0) watch(left);
      else waiting?.giveUp(stalled(idleMs));
    };
  };
  watch(idleMs);
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        waiting = { since: performance.now(), giveUp: reject };
        chunks.next().then(resolve, reject);
      });
      waiting = null;
      if (next.done === true) return;
      progress();
      yield next.value;
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : interrupted(error);
  } finally {
    // Until it is over, it would hold the stream with all that it has read.
    if (alarm !== undefined) alarm.onabort = null;
    stream.destroy();
  }
}

function stalled(idleMs: number): ServiceError {
  const message = `No more data arrived for ${idleMs / 1000} seconds`;
  return new ServiceError('lost', message, 'Try again later.', { isSlow: true });
}

/** Whatever breaks a body off, it did not come whole. */
function interrupted(error: unknown): ServiceError {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code) === 'ERR_CANCELED' || name === 'CanceledError'
    ? cancelled()
    : new ServiceError('lost', 'The connection was lost in the middle of an answer', 'Try again later.');
}

const HEAD_LENGTH = 65_536;

export class Head {
  private readonly decoder = new TextDecoder();
  length = 0;
  text = '';

  add(chunk: Uint8Array): void {
    if (!this.isFull) this.text += this.decoder.decode(chunk, { stream: true });
    this.length += chunk.length;
  }

  get isFull(): boolean {
    return this.length >= HEAD_LENGTH;
  }
}

/** The whole body: parsed JSON, or its text. @throws ServiceError as `pull` */
export async function readBody(chunks: Chunks): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  text += decoder.decode();
  return parseJson(text) ?? text;
}

/** What of a failure's body comes: one that breaks off is the same failure. @throws ServiceError `cancelled` */
export async function readHead(chunks: Chunks): Promise<string> {
  const head = new Head();
  try {
    for await (const chunk of chunks) {
      head.add(chunk);
      if (head.isFull) break;
    }
  } catch (error) {
    if (isCancelled(error)) throw toServiceError(error);
  }
  return head.text;
}
