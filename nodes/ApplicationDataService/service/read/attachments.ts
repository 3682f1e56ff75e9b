import type { IBinaryData, IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { outputKey, possibleKeys } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import { keyIn } from '../../parts/types/entries';
import { counted } from '../../parts/values/describe';
import { isObject, parseJson } from '../../parts/values/shapes';
import { concurrently, type Flow } from '../../util/concurrently';
import { messageOf } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import { type Asked, failureIn } from '../http/answer';
import { type ByteStream, Head, readHead, streamOf } from '../http/byteStream';
import type { ServiceClient } from '../http/client';
import { ServiceError, toServiceError } from '../http/errors';
import type { ServiceResponse } from '../http/transport';

export interface AttachedFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly url: string;
  readonly size: number | null;
}

export type KeepFile<T> = (content: ByteStream, fileName: string, mimeType: string) => Promise<T>;
export const GENERIC_TYPE = 'application/octet-stream';
const NOT_STORED = "Check the free space of n8n's binary data store and the size it allows.";

/** Downloads one attachment of a record. @throws ServiceError naming both */
export async function downloadAttachment<T>(
  client: ServiceClient,
  recordId: string,
  file: AttachedFile,
  keep: KeepFile<T>,
): Promise<T> {
  return await fetchFile(client, file, keep).catch((error: unknown) => {
    const failure = toServiceError(error);
    const { kind, message, description, details } = failure;
    if (kind === 'cancelled') throw failure;
    const name = `The file "${file.name}" (ID ${file.id}) of record ${recordId}`;
    if (kind !== 'refused' && details.status !== 404)
      throw failure.reworded(`${name} could not be downloaded: ${message}`);
    const advice = 'It may have been removed after the record was read, or the right to read it is missing.';
    throw new ServiceError(
      'refused',
      `${name} is not available to you: ${message}`,
      `${advice} ${description}`,
      details,
    );
  });
}

/** Downloads one file and has it kept while it comes. One that is cut off, or an answer in its place, is a failure. */
export async function fetchFile<T>(client: ServiceClient, file: AttachedFile, keep: KeepFile<T>): Promise<T> {
  const asked = client.asked('download_data_file');
  return await client.download(file.url, async (response) => {
    if (response.status !== 200)
      throw failureIn({ ...response, body: readJson(await readHead(response.body)) }, asked);
    // The store waits for its stream, which may be stuck.
    return await new Promise<T>((resolve, reject) => {
      const content = async function* (): AsyncGenerator<Uint8Array> {
        const head = new Head();
        try {
          for await (const chunk of response.body) {
            head.add(chunk);
            yield chunk;
          }
          assertFileWhole(response, file, head, asked);
        } catch (error) {
          const failure = toServiceError(error);
          reject(failure);
          throw failure;
        }
      };
      keep(streamOf(content()), cleanFileName(file.name, file.id), contentType(response, file)).then(
        resolve,
        (error: unknown) => {
          const message = `The file "${file.name}" could not be stored: ${messageOf(error)}`;
          reject(error instanceof ServiceError ? error : new ServiceError('unexpected', message, NOT_STORED));
        },
      );
    });
  });
}

/** The size and the type decide: an answer in place of the file is looked for only where they do not fit. */
function assertFileWhole(
  response: ServiceResponse,
  file: AttachedFile,
  { text, length }: Head,
  asked: Asked,
): void {
  if (length === file.size) return;
  const type = typeOf(response);
  const own = file.mimeType.toLowerCase();
  const body = readJson(text);
  const refuses = isObject(body) && body.status === 'ng' && (type !== own || file.size !== null);
  const isForeign = !['', GENERIC_TYPE, own].includes(type);
  if (refuses || (isForeign && /json|html/.test(type))) throw failureIn({ ...response, body }, asked);
  if (file.size === null) return;
  throw new ServiceError(
    'lost',
    `The download has ${counted(length, 'byte')} instead of ${file.size}`,
    'The connection may have been cut, or the file was changed in the meantime. Try again.',
  );
}

function readJson(text: string): unknown {
  return parseJson(text) ?? text;
}

function typeOf({ headers }: ServiceResponse): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The response's own type, unless it is generic; then that of the attachment value (service-facts, "Attachments"). */
function contentType(response: ServiceResponse, { mimeType }: AttachedFile): string {
  const type = typeOf(response);
  return type !== '' && type !== GENERIC_TYPE ? type : mimeType || GENERIC_TYPE;
}

/** A file name that is safe to write to a disk: without folders, control characters and marks of direction. */
export function cleanFileName(name: string, id: string): string {
  const base = name.split(/[/\\]/).pop() ?? '';
  const clean = base.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '').trim();
  return /^\.*$/.test(clean) ? `attachment-${id}` : clean;
}

/** What of a record's attachments could be had, and why others could not; what was not begun is in neither. */
export interface SomeAttachments {
  readonly binary: IBinaryKeyData;
  readonly failures: readonly unknown[];
}

/** All attachments of records, in rows too, as `attachment_0`, ... by part, then file; their values get these names. */
export async function fetchAttachments(
  { application }: ApplicationSession,
  records: readonly { readonly id: string; readonly json: IDataObject }[],
  keyMode: KeyMode | null,
  fetch: (file: AttachedFile, recordId: string) => Promise<IBinaryData>,
  flow: Flow,
): Promise<SomeAttachments[]> {
  const files = records.map(({ json }) => fileValues(json, application.parts, keyMode));
  const tasks = records.flatMap(({ id }, index) =>
    files[index]!.map((file) => async () => await fetch(file, id)),
  );
  const outcomes = await concurrently(tasks, flow);
  return files.map((values) => {
    const binary: IBinaryKeyData = {};
    const failures: unknown[] = [];
    for (const [index, outcome] of outcomes.splice(0, values.length).entries()) {
      if (outcome === undefined) continue;
      if ('error' in outcome) failures.push(outcome.error);
      else binary[(values[index]!.binary = `attachment_${index}`)] = outcome.value;
    }
    return { binary, failures };
  });
}

type FileValue = AttachedFile & { binary?: string };

/** Every file value of a simplified record or row, by part in the application's order, then file. */
function fileValues(entry: IDataObject, parts: readonly Part[], keyMode: KeyMode | null): FileValue[] {
  const seen = new Set<unknown>();
  return parts.flatMap((part) => {
    const key = keyIn(entry, possibleKeys(part, keyMode).map(outputKey));
    const value = key === null ? undefined : entry[key];
    // Parts that share a key share what is found under it.
    if (!Array.isArray(value) || seen.has(value)) return [];
    seen.add(value);
    const objects: readonly unknown[] = (value as unknown[]).filter(isObject);
    if (part.codec.content === 'files') return objects as FileValue[];
    return objects.flatMap((row) => fileValues(row as IDataObject, part.children, keyMode));
  });
}
