import type { IBinaryData, IBinaryKeyData, IDataObject } from 'n8n-workflow';

import { readInteger } from '../../parts/values/decimal';
import { outputKey, possibleKeys } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import { isObject, readText } from '../../parts/values/shapes';
import { concurrently, settle } from '../../util/concurrently';
import { fetchFile, type AttachedFile, type KeepFile } from './download';
import { cancelled, ServiceError, toServiceError, type FailureKind } from '../http/errors';
import type { ApplicationSession } from '../application/session';
import type { ServiceClient } from '../http/client';
import { codecOf } from '../../parts/codecs';

/** A simplified record whose attachments are wanted. */
export interface RecordWithFiles {
  readonly id: string;
  readonly json: IDataObject;
}

/**
 * Downloads all attachments of records, several at a time, into n8n's binary store: those of the parts that the records
 * hold, in rows too, as `attachment_0`, `attachment_1`, ... by part, then file. Made for Get, Get Many and the trigger:
 * it takes what they hold at that point and no item.
 * @param keep stores a file; `helpers.prepareBinaryData` of the node's context.
 * @param limit downloads under way at once.
 * @returns the binary fields of each record, in their order.
 * @throws ServiceError of the first download that failed.
 */
export async function fetchFilesOfRecords(
  app: ApplicationSession,
  records: readonly RecordWithFiles[],
  keyMode: KeyMode | null,
  keep: KeepFile<IBinaryData>,
  limit: number,
  signal?: AbortSignal,
): Promise<IBinaryKeyData[]> {
  const binaries = records.map((): IBinaryKeyData => ({}));
  const tasks = records.flatMap(({ id, json }, record) =>
    fileTasks(
      app,
      json,
      keyMode,
      binaries[record]!,
      async (file) => await downloadAttachment(app.client, id, file, keep),
    ),
  );
  const outcomes = await concurrently(tasks, { limit, stopOnError: true, ...(signal && { signal }) });
  const failed = outcomes.find((outcome) => outcome !== undefined && 'error' in outcome);
  if (failed !== undefined) throw failed.error;
  if (outcomes.includes(undefined)) throw cancelled({}, 'Not all attachments were downloaded.');
  return binaries.map(sorted);
}

/** What of a record's attachments could be had, and why the others could not. */
export interface SomeAttachments {
  readonly binary: IBinaryKeyData;
  readonly failures: readonly unknown[];
}

/**
 * The attachments of one record, file by file, as `fetchFilesOfRecords` returns them: one that does not come keeps no
 * other from coming.
 * @param fetch gets one file, by `downloadAttachment` or from where it was kept.
 */
export async function fetchAttachments(
  app: ApplicationSession,
  json: IDataObject,
  keyMode: KeyMode | null,
  fetch: (file: AttachedFile) => Promise<IBinaryData>,
): Promise<SomeAttachments> {
  const binary: IBinaryKeyData = {};
  const tasks = fileTasks(app, json, keyMode, binary, fetch);
  const outcomes = await concurrently(tasks, { limit: 1, stopOnError: false });
  return { binary, failures: outcomes.flatMap((each) => (each && 'error' in each ? [each.error] : [])) };
}

function fileTasks(
  { application }: ApplicationSession,
  json: IDataObject,
  keyMode: KeyMode | null,
  binary: IBinaryKeyData,
  fetch: (file: AttachedFile) => Promise<IBinaryData>,
): (() => Promise<void>)[] {
  return fileValues(json, application.parts, keyMode).map((value, index) => async () => {
    const name = `attachment_${index}`;
    binary[name] = await fetch(readFileValue(value));
    value.binary = name;
  });
}

function sorted(binary: IBinaryKeyData): IBinaryKeyData {
  const numberOf = (name: string): number => Number(name.slice(name.lastIndexOf('_') + 1));
  return Object.fromEntries(Object.entries(binary).sort(([a], [b]) => numberOf(a) - numberOf(b)));
}

/** Every file value of a simplified record or row, by part in the application's order, then file. */
export function fileValues(
  entry: IDataObject,
  parts: readonly Part[],
  keyMode: KeyMode | null,
): IDataObject[] {
  const seen = new Set<unknown>();
  return parts.flatMap((part) => {
    const value = valueIn(entry, part, keyMode);
    // Parts that share a key share what is found under it.
    if (!Array.isArray(value) || seen.has(value)) return [];
    seen.add(value);
    const objects = (value as unknown[]).filter(isObject) as IDataObject[];
    if (codecOf(part).holds === 'files') return objects;
    return objects.flatMap((row) => fileValues(row, part.children, keyMode));
  });
}

function valueIn(entry: IDataObject, part: Part, keyMode: KeyMode | null): unknown {
  const keys = possibleKeys(part, keyMode).map(outputKey);
  const key = keys.find((each) => Object.hasOwn(entry, each));
  return key === undefined ? undefined : entry[key];
}

/** A file as the simplified value of an attachment part holds it. */
export function readFileValue(value: Readonly<Record<string, unknown>>): AttachedFile {
  return {
    id: readText(value.id),
    name: readText(value.name),
    mimeType: readText(value.mimeType),
    url: readText(value.url),
    size: readInteger(value.size),
  };
}

/**
 * Downloads one attachment of a record.
 * @throws ServiceError
 */
export async function downloadAttachment<T>(
  client: ServiceClient,
  recordId: string,
  file: AttachedFile,
  keep: KeepFile<T>,
): Promise<T> {
  const downloaded = await settle(async () => await fetchFile(client, file, keep));
  if ('value' in downloaded) return downloaded.value;
  throw naming(recordId, file, toServiceError(downloaded.error));
}

/** Failures that may be the file's own. The others concern every call. */
const OF_ONE: ReadonlySet<FailureKind> = new Set(['badAnswer', 'busy', 'lost', 'settings', 'unauthorized']);

function naming(recordId: string, file: AttachedFile, failure: ServiceError): ServiceError {
  const { kind, message, description, details } = failure;
  const name = `The file "${file.name}" (ID ${file.id}) of record ${recordId}`;
  if (kind === 'refused' || details.status === 404) {
    return new ServiceError(
      'refused',
      `${name} is not available to you: ${message}`,
      `It may have been removed after the record was read, or the right to read it is missing. ${description}`,
      details,
    );
  }
  if (!OF_ONE.has(kind) || message.includes(file.name)) return failure;
  return failure.reworded(`${name} could not be downloaded: ${message}`);
}
