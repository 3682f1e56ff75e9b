import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { Parameters, type UploadedFile } from '../call/call.ts';
import { ServiceError, wrongParameter } from '../call/refusals.ts';
import type { Service } from '../service/service.ts';

/** The content of a request. */
export interface Received {
  readonly parameters: Parameters;
  readonly files: readonly UploadedFile[];
}

/** Largest body without files and largest field, and largest file, in bytes. */
const maxFormBytes = 33_554_432;
const maxFileBytes = 1_073_741_824;

/**
 * Reads the query string and the form of a request: urlencoded, or multipart if it contains files (interface.md,
 * "Common request conventions").
 * @throws {@link ServiceError} if it is neither, broken or too large. Files that arrived are then removed
 */
export async function receive(request: FastifyRequest, service: Service): Promise<Received> {
  const entries = [...new URLSearchParams(request.raw.url?.split('?', 2)[1] ?? '')];
  if (request.method === 'GET') return { parameters: new Parameters(entries), files: [] };
  if (request.method !== 'POST') {
    await drain(request.raw);
    throw new ServiceError('wrongMethod', `The method ${request.method} is not allowed: use GET or POST`);
  }
  if (request.isMultipart()) return receiveMultipart(request, service, entries);
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const body = await readBody(request, maxFormBytes);
  if (body.length > 0 && type !== 'application/x-www-form-urlencoded') {
    throw new ServiceError(
      'wrongContentType',
      `The content type ${type ?? '(none)'} is not possible, only application/x-www-form-urlencoded and multipart/form-data`,
    );
  }
  return {
    parameters: new Parameters([...entries, ...new URLSearchParams(body.toString('utf8'))]),
    files: [],
  };
}

/** Reads to the end even if the body is too large: a caller that is cut off while sending never sees the answer. */
async function readBody(request: FastifyRequest, most: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request.raw as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes <= most) pieces.push(piece);
  }
  if (bytes > most) throw new ServiceError('tooLarge', `The body is larger than ${most} bytes`);
  return Buffer.concat(pieces);
}

async function receiveMultipart(
  request: FastifyRequest,
  { storage }: Service,
  entries: [string, string][],
): Promise<Received> {
  const files: UploadedFile[] = [];
  const limits = {
    fileSize: maxFileBytes,
    fieldSize: maxFormBytes,
    fieldNameSize: 10_000,
    files: 1000,
    fields: 10_000,
  };
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw wrongParameter(part.fieldname, 'is too large', 'tooLarge');
        entries.push([plainName(part.fieldname), String(part.value)]);
        continue;
      }
      if (part.filename === undefined || part.filename === '') {
        part.file.resume();
        continue;
      }
      const file = await storage.files.receive(plainName(part.filename), part.mimetype, part.file);
      files.push({ field: plainName(part.fieldname), file });
    }
  } catch (error) {
    storage.files.removeUnowned(files.map(({ file }) => file.id));
    await drain(request.raw);
    throw multipartError(error);
  }
  return { parameters: new Parameters(entries), files };
}

/** A name as it was before browsers and FormData wrote quotes and line ends with percent signs. */
function plainName(name: string): string {
  return name.replace(/%(22|0D|0A)/gi, (encoded) => decodeURIComponent(encoded));
}

/** Reads and drops the rest of a body. */
async function drain(request: IncomingMessage): Promise<void> {
  request.unpipe();
  request.resume();
  if (request.readableEnded || request.destroyed) return;
  // A caller that has disconnected needs no answer.
  await finished(request, { writable: false }).catch(() => undefined);
}

function multipartError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (String(code).endsWith('_LIMIT') || String(code).includes('TOO_LARGE')) {
    return new ServiceError('tooLarge', 'A part of the body is too large, or there are too many');
  }
  return new ServiceError('malformedBody', `The multipart body cannot be read: ${String(message)}`);
}
