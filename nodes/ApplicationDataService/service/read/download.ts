import { httpFailure, readAnswer } from '../http/answer';
import { asStream, breakOf, streamLike, type ByteStream } from '../http/byteStream';
import type { ServiceClient } from '../http/client';
import { ServiceError } from '../http/errors';
import { counted } from '../../util/counted';
import { cleanFileName } from '../../util/fileName';
import type { ServiceResponse } from '../http/transport';
import { parseJson } from '../../parts/values/shapes';

/** A file as an attachment part holds it (interface.md, "Value formats"). */
export interface AttachedFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly url: string;
  /** Bytes; `null` if the service does not say. */
  readonly size: number | null;
}

/** Keeps the content of a file, e.g. in n8n's binary store. */
export type KeepFile<T> = (content: ByteStream, fileName: string, mimeType: string) => Promise<T>;

/** Bytes kept from the beginning of a download, to recognise an answer sent in place of the file. */
const HEAD_LENGTH = 65_536;

/** A download without new data for so long has stalled. */
const IDLE_MS = 60_000;

const GENERIC_TYPE = 'application/octet-stream';

/**
 * Downloads one file (interface.md, "download_data_file") and has it kept while it comes. What is kept is the file whole:
 * an answer in its place, or one that is cut off, is a failure, and is asked for again where that is worth it.
 * @throws ServiceError
 */
export async function downloadFile<T>(
  client: ServiceClient,
  file: AttachedFile,
  keep: KeepFile<T>,
): Promise<T> {
  return await client.download(file.url, async (response) => {
    const body = asStream(response.body);
    if (response.status !== 200) throw failureIn(response, await readHead(body), client.keyWorks);
    let failure: ServiceError | undefined;
    const content = checkedContent(response, body, file, (error) => (failure = error));
    try {
      return await keep(
        streamLike(body, content),
        cleanFileName(file.name, file.id),
        contentType(response, file),
      );
    } catch (error) {
      throw asDownloadFailure(failure ?? error, file);
    }
  });
}

/** The chunks of a file, as long as they are the file. */
async function* checkedContent(
  response: ServiceResponse,
  body: ByteStream,
  file: AttachedFile,
  failed: (failure: ServiceError) => ServiceError,
): AsyncGenerator<Uint8Array> {
  const head: Uint8Array[] = [];
  let length = 0;
  const watch = watchIdle(body);
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      if (length < HEAD_LENGTH) head.push(chunk);
      length += chunk.length;
      watch.alive();
      yield chunk;
    }
    assertWhole(response, file, length, decode(head));
  } catch (error) {
    throw failed(watch.stalled() ? stalled(file) : asDownloadFailure(error, file));
  } finally {
    watch.end();
  }
}

/** @throws ServiceError if what came is another answer than the file, or not all of it. */
function assertWhole(response: ServiceResponse, file: AttachedFile, length: number, head: string): void {
  const foreignType = /json|html/.test(typeOf(response)) && typeOf(response) !== file.mimeType;
  if (file.size === null ? !foreignType : length === file.size) return;
  const body = parseJson(head) ?? head;
  const isAnswer = typeof body === 'object' && body !== null && 'status' in body;
  if (isAnswer || /^\s*</.test(head)) throw failureIn(response, head);
  if (file.size === null) return;
  throw new ServiceError(
    'lost',
    `The file "${file.name}" arrived with ${counted(length, 'byte')} instead of ${file.size}`,
    'The connection may have been cut, or the file was changed in the meantime. Try again.',
  );
}

/** What an answer in place of a file says: the service's refusal, a login page, a proxy's page. */
function failureIn(response: ServiceResponse, text: string, keyWorks = false): ServiceError {
  const answer = { ...response, body: parseJson(text) ?? text };
  try {
    readAnswer(answer, 'download_data_file', keyWorks);
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  return httpFailure(answer, 'download_data_file');
}

/** The beginning of a body, as text. */
async function readHead(body: ByteStream): Promise<string> {
  const head: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    head.push(chunk);
    length += chunk.length;
    if (length >= HEAD_LENGTH) break;
  }
  return decode(head);
}

function decode(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return `${chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('')}${decoder.decode()}`;
}

function typeOf({ headers }: ServiceResponse): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The response's own type, unless it is generic; then that of the attachment value (service-facts, "Attachments"). */
function contentType(response: ServiceResponse, { mimeType }: AttachedFile): string {
  const type = typeOf(response);
  if (type !== '' && type !== GENERIC_TYPE) return type;
  return mimeType === '' ? GENERIC_TYPE : mimeType;
}

/** A connection that breaks during a download is lost; any other failure is that of n8n's store. */
function asDownloadFailure(error: unknown, { name }: AttachedFile): ServiceError {
  if (error instanceof ServiceError) return error;
  const cause = breakOf(error);
  if (cause === 'lost') {
    return new ServiceError(
      'lost',
      `The connection was lost during the download of the file "${name}"`,
      'Try again later.',
    );
  }
  return new ServiceError(
    cause ?? 'unexpected',
    `The file "${name}" could not be stored: ${error instanceof Error ? error.message : String(error)}`,
    "Check the free space of n8n's binary data store and the size it allows.",
  );
}

function stalled({ name }: AttachedFile): ServiceError {
  return new ServiceError(
    'lost',
    `No more data arrived for the file "${name}" for ${IDLE_MS / 1000} seconds`,
    'Try again later.',
  );
}

/** Breaks a body off when nothing comes; the request's own time-out ends with its head. */
function watchIdle(body: ByteStream): { alive(): void; stalled(): boolean; end(): void } {
  let came = true;
  let ended = false;
  let broken = false;
  const wait = (): void => {
    AbortSignal.timeout(IDLE_MS).onabort = () => {
      if (ended) return;
      broken = !came;
      came = false;
      if (broken) body.destroy(new Error('stalled'));
      else wait();
    };
  };
  wait();
  return {
    alive: () => (came = true),
    stalled: () => broken,
    end: () => (ended = true),
  };
}
