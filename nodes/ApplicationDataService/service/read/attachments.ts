import type { IBinaryData, IBinaryKeyData, IDataObject } from 'n8n-workflow';

import type { AttachmentPart } from '../../parts/choose';
import { namePart } from '../../parts/model/errors';
import { outputKey, partKey, possibleKeys } from '../../parts/model/keys';
import { assertReadable } from '../../parts/model/obstacle';
import type { KeyMode, Part } from '../../parts/model/part';
import { keyIn } from '../../parts/types/entries';
import { describeExisting } from '../../parts/values/describe';
import { isObject, ownValue, readText } from '../../parts/values/shapes';
import { concurrently, type Flow } from '../../util/concurrently';
import { UserError } from '../../util/userError';
import type { ApplicationSession } from '../application/session';
import type { AttachedFile } from './download';
import { notShown, readRecord, simplifyRows } from './records';

/** What of a record's attachments could be had, and why others could not; what was not begun is in neither. */
export interface SomeAttachments {
  readonly binary: IBinaryKeyData;
  readonly failures: readonly unknown[];
}

/**
 * All attachments of records, in rows too: as `attachment_0`, `attachment_1`, ... by part, then file. Each file value
 * gets the name of its field.
 */
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

export interface PlacedFile extends AttachedFile {
  /** `null` for a part of the record itself, and where the service returns no row ids. */
  readonly rowId: string | null;
}

/** The files of a part of a record, or of one row. @throws ServiceError, UserError if it shows no such thing */
export async function readFiles(
  app: ApplicationSession,
  recordId: string,
  { part, table }: AttachmentPart,
  rowId: string,
): Promise<PlacedFile[]> {
  const { record, keyMode } = await simplifyRows(app, await readRecord(app, recordId, false));
  const { parts } = app.application;
  const holders = table === null ? [record] : rowsIn(record, parts, table, keyMode, rowId);
  return holders.flatMap((holder) =>
    shown<FileValue>(holder, table?.children ?? parts, part, keyMode).map((file) => ({
      ...file,
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
  const ids = rows.map((row) => readText(row.id));
  if (ids.includes(rowId)) return rows.filter((_, index) => ids[index] === rowId);
  if (ids.includes('')) {
    throw new UserError(
      `The row ${rowId} of ${namePart(table)} cannot be identified: the service returns no row IDs`,
      "Leave the row ID empty to read all rows. If the table part has a part of type ID, give it an identifier in the application's settings.",
    );
  }
  throw new UserError(`${namePart(table)} has no row ${rowId}`, describeExisting('rows', ids));
}

function shown<T = Entry>(entry: Entry, siblings: readonly Part[], part: Part, mode: KeyMode): T[] {
  assertReadable(part, siblings, mode);
  const key = partKey(part, mode);
  const value = ownValue(entry, outputKey(key));
  if (Array.isArray(value)) return (value as unknown[]).filter(isObject) as T[];
  const code = isObject(entry.partErrors) ? readText(ownValue(entry.partErrors, key)) : '';
  const reason = REASONS.get(code) ?? (code || 'the service does not return it');
  throw notShown(`${namePart(part)} is not shown: ${reason}`);
}

/** In words, why a record does not show a part (interface.md, "Data record"). */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['unauthorized', 'you have no right to read it'],
  ['under_maintenance', 'the application it comes from is under maintenance'],
]);
