import type { AttachmentPart } from '../../parts/choose';
import { namePart } from '../../parts/model/errors';
import { outputKey, partKey } from '../../parts/model/keys';
import { detectKeyMode } from '../../parts/model/lookup';
import { assertReadable } from '../../parts/model/obstacle';
import type { KeyMode, Part, WriteContext } from '../../parts/model/part';
import { recordReader, type SimplifiedRecord } from '../../parts/record';
import { describeExisting } from '../../parts/values/describe';
import { type Entry, isObject, ownValue, readText } from '../../parts/values/shapes';
import { UserError } from '../../util/userError';
import type { ApplicationSession, NamedApplication } from '../application/session';
import { badAnswer, ServiceError, toServiceError } from '../http/errors';
import { filled } from '../http/multipart';
import type { AttachedFile } from './attachments';
import type { RawRecord } from './recordList';

/** Reads one record (interface.md, "get_data"). */
export async function readRecord(
  app: NamedApplication,
  id: string,
  loadReferenceLists = true,
): Promise<RawRecord> {
  const load = loadReferenceLists ? undefined : 'off';
  const fields = filled({ app_id: app.reference, data_id: id, load_rel_list: load });
  const { record } = await app.client.call('get_data', fields).catch((error: unknown) => {
    throw toServiceError(error).about(id);
  });
  if (isObject(record)) return record;
  throw badAnswer(`The service returned no record for the ID ${id}`);
}

export function notShown(message: string): ServiceError {
  const advice = 'Ask the administrator of the application for the right to read this part.';
  return new ServiceError('refused', message, advice);
}

/** Which key names a part: what is known, else what the record's keys show, which is then remembered; else `null`. */
export function learnFrom(app: ApplicationSession, record: RawRecord): KeyMode | null {
  const mode = app.knownKeyMode ?? detectKeyMode(record, app.application.parts);
  if (mode !== null) app.learnKeyMode(mode);
  return mode;
}

/** A record for its rows and files, which it is searched for by key; it was read without reference lists. */
export async function simplifyRows(
  app: ApplicationSession,
  raw: RawRecord,
  id?: string,
): Promise<{ readonly record: SimplifiedRecord; readonly keyMode: KeyMode }> {
  const keyMode = learnFrom(app, raw) ?? (await app.readListMode());
  const read = recordReader(app.application.parts, { keyMode, referenceListsLoaded: false });
  return { record: read(raw, id), keyMode };
}

/** A record as a list shows it; `revision` is `null` where the list gives none. */
export type ShownRecord = Readonly<{ id: string; revision: number | null; record: SimplifiedRecord }>;

/** A record as it was read by itself. */
export type CurrentRecord = ShownRecord & Readonly<{ revision: number }>;

/** Reads a record without reference lists. @throws ServiceError if it has no revision to guard a write by */
export async function readCurrent(
  app: ApplicationSession,
  id: string,
  { keyMode }: WriteContext,
): Promise<CurrentRecord> {
  const raw = await readRecord(app, id, false);
  const record = recordReader(app.application.parts, { keyMode, referenceListsLoaded: false })(raw, id);
  if (record.revision !== null) return { id, revision: record.revision, record };
  throw badAnswer(`The service returned no revision for the record ${id}, so it cannot be changed safely`);
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
    shown<AttachedFile>(holder, table?.children ?? parts, part, keyMode).map((file) => ({
      ...file,
      rowId: table === null ? null : readText(holder.id) || null,
    })),
  );
}

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
  if (ids.includes(''))
    throw new UserError(
      `The row ${rowId} of ${namePart(table)} cannot be identified: the service returns no row IDs`,
      "Leave the row ID empty to read all rows. If the table part has a part of type ID, give it an identifier in the application's settings.",
    );
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
