import { counted } from '../../parts/values/describe';
import { messageOf } from '../../util/userError';
import { ServiceError } from './errors';

export type FormField = readonly [name: string, value: string];

export function filled(fields: Readonly<Record<string, string | undefined>>): FormField[] {
  return Object.entries(fields).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

/** A file to upload: its description, and its content, which is read again each time it is sent. */
export interface FileContent {
  readonly fileName: string;
  readonly type: string;
  readonly size: number;
  readonly read: () => AsyncIterable<Uint8Array>;
}

export interface FormFile {
  readonly name: string;
  readonly content: FileContent;
}

/** What the request helper takes for a file: the part's header is written from these fields. */
interface StreamedPart {
  readonly name?: string;
  readonly type: string;
  readonly size: number;
  stream(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export interface MultipartBody {
  readonly form: FormData;
  failure(): ServiceError | undefined;
}

/**
 * The body of a call that carries files, read while they are sent: only some chunks are in memory. The helper only uses
 * `entries()`. A subclass of the global class would load Node.js' HTTP client, which takes longer than these nodes do.
 */
export function multipartBody(
  fields: readonly FormField[],
  files: readonly FormFile[],
  progress: () => void,
): MultipartBody {
  let failure: ServiceError | undefined;
  const send = async function* ({ fileName, size, read }: FileContent): AsyncGenerator<Uint8Array> {
    let reason = `it has another length than the ${counted(size, 'byte')} that n8n says it has`;
    let count = 0;
    try {
      for await (const chunk of read()) {
        count += chunk.length;
        if (count > size) break;
        progress();
        yield chunk;
      }
    } catch (error) {
      reason = messageOf(error);
    }
    if (count === size) return;
    throw (failure ??= new ServiceError(
      'unreadableFile',
      `The file "${fileName}" could not be read from n8n's storage: ${reason}`,
      'The upload was stopped and nothing was written. Check the node that supplied the file, and run the workflow again.',
    ));
  };
  const filePart = (content: FileContent): StreamedPart => {
    const { fileName, type, size } = content;
    // A line break would end the part's header.
    return { name: fileName.replace(/\p{Cc}+/gu, ' '), type, size, stream: () => send(content) };
  };
  const parts = [
    ...fields.map(([name, value]) => [name, plainField(value)] as const),
    ...files.map(({ name, content }) => [name, filePart(content)] as const),
  ];
  const entries = () => parts.values();
  const form = Object.assign(new FormData(), { entries, [Symbol.iterator]: entries });
  return { form, failure: () => failure };
}

/** The helper makes CR LF of line breaks in a text field, but not in one with its own content type (RFC 7578, 4.4). */
function plainField(value: string): string | StreamedPart {
  if (!/[\r\n]/.test(value.replaceAll('\r\n', ''))) return value;
  const bytes = new TextEncoder().encode(value);
  return { type: 'text/plain; charset=UTF-8', size: bytes.length, stream: () => [bytes] };
}
