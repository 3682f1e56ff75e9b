import type { IBinaryData, IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { AttachmentPart } from '../../parts/choose';
import { namePart } from '../../parts/model/errors';
import { outputKey, partKey, possibleKeys } from '../../parts/model/keys';
import { assertReadable } from '../../parts/model/obstacle';
import type { KeyMode, Part } from '../../parts/model/part';
import { simplifyRecord } from '../../parts/record';
import { keyIn } from '../../parts/types/entries';
import { readInteger } from '../../parts/values/decimal';
import { describeExisting } from '../../parts/values/describe';
import { isObject, ownValue, readText } from '../../parts/values/shapes';
import { allOf, settle } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import { type ApplicationSession, CALLS_AT_ONCE } from '../application/session';
import type { ServiceClient } from '../http/client';
import { cancelled, ServiceError, toServiceError, type FailureKind } from '../http/errors';
import { fetchFile, type AttachedFile, type KeepFile } from './download';
import { learnFrom, readRecord } from './records';

/**
 * Downloads all attachments of records, several at a time, into n8n's binary store: those of the parts that the records
 * hold, in rows too, as `attachment_0`, `attachment_1`, ... by part, then file. Each file value gets the name of its
 * field.
 * @param keep stores a file; `helpers.prepareBinaryData` of the node's context.
 * @returns the binary fields of each record, in their order.
 * @throws ServiceError of the first download that failed.
 */
export async function fetchFilesOfRecords(
  app: ApplicationSession,
  records: readonly { readonly id: string; readonly json: IDataObject }[],
  keyMode: KeyMode | null,
  keep: KeepFile<IBinaryData>,
  signal?: AbortSignal,
): Promise<IBinaryKeyData[]> {
  const files = records.map(({ json }) => fileValues(json, app.application.parts, keyMode));
  const tasks = records.flatMap(({ id }, index) =>
    files[index]!.map(
      (value) => async () => await downloadAttachment(app.client, id, readFileValue(value), keep),
    ),
  );
  const fetched = await allOf(tasks, CALLS_AT_ONCE, signal);
  if (fetched.length < tasks.length) throw cancelled({}, 'Not all attachments were downloaded.');
  return files.map((values) => {
    const binary: IBinaryKeyData = {};
    for (const [index, value] of values.entries()) binary[nameField(value, index)] = fetched.shift()!;
    return binary;
  });
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
  { application }: ApplicationSession,
  json: IDataObject,
  keyMode: KeyMode | null,
  fetch: (file: AttachedFile) => Promise<IBinaryData>,
): Promise<SomeAttachments> {
  const values = fileValues(json, application.parts, keyMode);
  const binary: IBinaryKeyData = {};
  const failures: unknown[] = [];
  for (const [index, value] of values.entries()) {
    const fetched = await settle(async () => await fetch(readFileValue(value)));
    if ('error' in fetched) failures.push(fetched.error);
    else binary[nameField(value, index)] = fetched.value;
  }
  return { binary, failures };
}

/** Names the binary field of a file, in its value, too. */
function nameField(value: IDataObject, index: number): string {
  const name = `attachment_${index}`;
  value.binary = name;
  return name;
}

/** Every file value of a simplified record or row, by part in the application's order, then file. */
function fileValues(entry: IDataObject, parts: readonly Part[], keyMode: KeyMode | null): IDataObject[] {
  const seen = new Set<unknown>();
  return parts.flatMap((part) => {
    const key = keyIn(entry, possibleKeys(part, keyMode).map(outputKey));
    const value = key === null ? undefined : entry[key];
    // Parts that share a key share what is found under it.
    if (!Array.isArray(value) || seen.has(value)) return [];
    seen.add(value);
    const objects = (value as unknown[]).filter(isObject) as IDataObject[];
    if (part.codec.content === 'files') return objects;
    return objects.flatMap((row) => fileValues(row, part.children, keyMode));
  });
}

/** A file as the simplified value of an attachment part holds it. */
function readFileValue(value: Entry): AttachedFile {
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
  return await fetchFile(client, file, keep).catch((error: unknown) => {
    throw naming(recordId, file, toServiceError(error));
  });
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
  if (!OF_ONE.has(kind)) return failure;
  return failure.reworded(`${name} could not be downloaded: ${message}`);
}

/** A file in an attachment part, and the row it stands in. */
export interface PlacedFile extends AttachedFile {
  /** `null` for a part of the record itself, and where the service returns no row ids. */
  readonly rowId: string | null;
}

/**
 * The files that an attachment part of a record holds.
 * @param rowId narrows to one row of a table part; empty for all.
 * @throws ServiceError if the record does not show them; UserError if there is no such row, or another part has the
 * same key.
 */
export async function readFiles(
  app: ApplicationSession,
  recordId: string,
  { part, table }: AttachmentPart,
  rowId: string,
): Promise<PlacedFile[]> {
  const raw = await readRecord(app, recordId, false);
  const mode = learnFrom(app, raw) ?? (await app.keyMode()) ?? 'name';
  const { parts } = app.application;
  const record = simplifyRecord(raw, parts, { keyMode: mode, referenceListsLoaded: false });
  const holders = table === null ? [record] : rowsIn(record, parts, table, mode, rowId);
  return holders.flatMap((holder) =>
    shown(holder, table?.children ?? parts, part, mode).map((file) => ({
      ...readFileValue(file),
      rowId: table === null ? null : readText(holder.id) || null,
    })),
  );
}

type Entry = Readonly<Record<string, unknown>>;

/** @throws ServiceError if the record does not show the table part; UserError if the row is not there. */
export function rowsIn(
  record: Entry,
  parts: readonly Part[],
  table: Part,
  mode: KeyMode,
  rowId: string,
): Entry[] {
  const rows = shown(record, parts, table, mode);
  if (rowId === '') return rows;
  const found = rows.filter((row) => readText(row.id) === rowId);
  if (found.length > 0) return found;
  if (rows.some((row) => readText(row.id) === '')) {
    throw new UserError(
      `The row ${rowId} of ${namePart(table)} cannot be identified: the service returns no row IDs`,
      "Leave the row ID empty to read all rows. If the table part has a part of type ID, give it an identifier in the application's settings.",
    );
  }
  const ids = rows.map((row) => readText(row.id));
  throw new UserError(`${namePart(table)} has no row ${rowId}`, describeExisting('rows', ids));
}

/** The files or rows of a part. */
function shown(entry: Entry, siblings: readonly Part[], part: Part, mode: KeyMode): Entry[] {
  assertReadable(part, siblings, mode);
  const key = partKey(part, mode);
  const value = ownValue(entry, outputKey(key));
  if (Array.isArray(value)) return (value as unknown[]).filter(isObject);
  throw notShown(entry, part, key);
}

function notShown({ partErrors }: Entry, part: Part, key: string): ServiceError {
  const code = isObject(partErrors) ? readText(ownValue(partErrors, key)) : '';
  const reason =
    code === 'unauthorized'
      ? 'you have no right to read it'
      : code === 'under_maintenance'
        ? 'the application it comes from is under maintenance'
        : code || 'the service does not return it';
  return new ServiceError(
    'refused',
    `${namePart(part)} is not shown: ${reason}`,
    'Ask the administrator of the application for the right to read this part.',
  );
}
