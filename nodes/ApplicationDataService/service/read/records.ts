import { detectKeyMode } from '../../parts/model/lookup';
import type { KeyMode, WriteContext } from '../../parts/model/part';
import { recordReader, type SimplifiedRecord } from '../../parts/record';
import { isObject } from '../../parts/values/shapes';
import type { ApplicationSession, NamedApplication } from '../application/session';
import { badAnswer, ServiceError, toServiceError } from '../http/errors';
import { filled } from '../http/multipart';
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

/** A record does not show what is needed. */
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

/** A record as it is, read so that a write can be held against it. */
export type CurrentRecord = Readonly<{ id: string; revision: number; record: SimplifiedRecord }>;

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
