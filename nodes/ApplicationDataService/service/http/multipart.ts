import { counted } from '../../util/counted';
import { ServiceError } from './errors';

/** One form field; the same name may occur several times. */
export type FormField = readonly [name: string, value: string];

/** A file to upload: its description, and its content, which is read again each time it is sent. */
export interface FileContent {
  readonly fileName: string;
  /** MIME type. */
  readonly type: string;
  /** Exact number of bytes that `read` yields. */
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
}

/** A file under a part's field name. */
export interface FormFile {
  /** Form field name, e.g. `{{Photo}}`. */
  readonly name: string;
  readonly content: FileContent;
}

/** What the request helper needs of a file in a form: it writes the part's header from these fields, and the content from the stream. */
interface StreamedPart {
  /** File name; absent for a plain field. */
  readonly name?: string;
  readonly type: string;
  readonly size: number;
  stream(): AsyncIterable<Uint8Array>;
}

/**
 * A multipart form with files that are read while they are sent, so that a file of any size needs the memory of a few chunks.
 * The request helper only uses `entries()`. This is an object of the global class rather than a subclass:
 * a subclass would load all of Node.js' HTTP client at start, which takes longer than loading these nodes.
 */
function streamedForm(parts: readonly (readonly [string, string | StreamedPart])[]): FormData {
  const entries = () => parts.values();
  return Object.assign(new FormData(), { entries, [Symbol.iterator]: entries });
}

/** A multipart body, and why one of its files could not be read, if so. */
export interface MultipartBody {
  readonly form: FormData;
  failure(): ServiceError | undefined;
}

/** The body of a call that carries files (interface.md, "Common request conventions"). */
export function multipartBody(fields: readonly FormField[], files: readonly FormFile[]): MultipartBody {
  let failure: ServiceError | undefined;
  const fail = (error: ServiceError): void => {
    failure ??= error;
  };
  const form = streamedForm([
    ...fields.map(([name, value]) => [name, plainField(value)] as const),
    ...files.map(({ name, content }) => [name, filePart(content, fail)] as const),
  ]);
  return { form, failure: () => failure };
}

/**
 * The helper would turn each line break of a text field into CR LF. A field with its own content type (RFC 7578,
 * 4.4) is sent as it is.
 */
function plainField(value: string): string | StreamedPart {
  if (!/[\r\n]/.test(value.replaceAll('\r\n', ''))) return value;
  const bytes = new TextEncoder().encode(value);
  return { type: 'text/plain; charset=UTF-8', size: bytes.length, stream: () => once(bytes) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

function filePart(content: FileContent, fail: (error: ServiceError) => void): StreamedPart {
  const { fileName, type, size } = content;
  // A line break would end the part's header.
  const name = fileName.replace(/\p{Cc}+/gu, ' ');
  return { name, type, size, stream: () => checkedLength(content, fail) };
}

/** Yields a file's content. If the length differs from the announced one, the request is aborted. */
async function* checkedLength(
  content: FileContent,
  fail: (error: ServiceError) => void,
): AsyncGenerator<Uint8Array> {
  const { fileName, size } = content;
  let count = 0;
  try {
    for await (const chunk of content.read()) {
      count += chunk.length;
      if (count > size) break;
      yield chunk;
    }
  } catch (error) {
    fail(unreadable(fileName, error instanceof Error ? error.message : String(error)));
  }
  if (count === size) return;
  const failure = unreadable(
    fileName,
    `it has another length than the ${counted(size, 'byte')} that n8n says it has`,
  );
  fail(failure);
  throw asThrown(failure);
}

/** The helper only needs to know that reading failed. The body keeps the reason. */
function asThrown(failure: ServiceError): Error {
  return new Error(failure.message);
}

function unreadable(fileName: string, reason: string): ServiceError {
  return new ServiceError(
    'unreadableFile',
    `The file "${fileName}" could not be read from n8n's storage: ${reason}`,
    'The upload was stopped and nothing was written. Check the node that supplied the file, and run the workflow again.',
  );
}
