import { UserError } from '../../util/userError';
import { namePart } from '../../parts/model/errors';
import { outputKey, partKey } from '../../parts/model/keys';
import type { KeyMode, Part } from '../../parts/model/part';
import { assertReadable } from '../../parts/model/obstacle';
import { simplifyRecord } from '../../parts/record';
import { describeExisting } from '../../parts/values/describe';
import { isObject, ownValue, readText } from '../../parts/values/shapes';
import type { AttachmentPart } from '../../parts/choose/attachmentPart';
import { readFileValue } from './attachments';
import type { AttachedFile } from './download';
import { ServiceError } from '../http/errors';
import { learnFrom, readRecord } from './records';
import type { ApplicationSession } from '../application/session';

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
  place: AttachmentPart,
  rowId: string,
): Promise<PlacedFile[]> {
  const raw = await readRecord(app, recordId, false);
  const mode = learnFrom(app, raw) ?? (await app.keyMode()) ?? 'name';
  const record = simplifyRecord(raw, app.application.parts, { keyMode: mode, referenceListsLoaded: false });
  return filesAt(record, app.application.parts, place, mode, rowId);
}

/**
 * The files that an attachment part of a simplified record holds.
 * @throws as `readFiles`
 */
export function filesAt(
  record: Entry,
  parts: readonly Part[],
  { part, table }: AttachmentPart,
  mode: KeyMode,
  rowId: string,
): PlacedFile[] {
  if (table === null) return filesIn(record, parts, part, mode, null);
  return rowsIn(record, parts, table, mode, rowId).flatMap((row) =>
    filesIn(row, table.children, part, mode, readText(row.id) || null),
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
  const rows = shown(record, parts, table, mode).filter(isObject);
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

function filesIn(
  entry: Entry,
  siblings: readonly Part[],
  part: Part,
  mode: KeyMode,
  rowId: string | null,
): PlacedFile[] {
  return shown(entry, siblings, part, mode)
    .filter(isObject)
    .map((file) => ({ ...readFileValue(file), rowId }));
}

function shown(entry: Entry, siblings: readonly Part[], part: Part, mode: KeyMode): unknown[] {
  assertReadable(part, siblings, mode);
  const key = partKey(part, mode);
  const value = ownValue(entry, outputKey(key));
  if (Array.isArray(value)) return value as unknown[];
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
