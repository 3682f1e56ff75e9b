import { ServiceError } from '../http/errors';
import type { ApplicationSession } from '../application/session';
import { readText } from '../../parts/values/wire';
import type { Upload, WriteForm, WriteTerms } from './form';
import type { FileContent, FormFile } from '../http/multipart';

/** The file to upload for a name in the values to write. */
export type UploadSource = (name: string) => Promise<FileContent>;

/** Keys under which a service may return the ID of a record that it has added. */
export const ADDED_ID_KEYS = ['ID', 'id', 'data_id'] as const;

/** A record to write to, and with what. */
export interface WriteTarget extends WriteTerms {
  readonly id: string;
  readonly uploadSource: UploadSource;
}

/**
 * Adds a record and returns its id (interface.md, "insert_data"). Sent once, whatever happens.
 * @throws ServiceError
 */
export async function sendInsert(
  app: ApplicationSession,
  { action, fields, uploads }: WriteForm,
  source: UploadSource,
): Promise<string> {
  const answer = await app.client.call(action, fields, await loadFiles(source, uploads));
  const id = ADDED_ID_KEYS.map((key) => readText(answer[key])).find((text) => text !== '');
  if (id !== undefined) return id;
  throw new ServiceError(
    'outcomeUnknown',
    'The service added the record but did not return its ID',
    'The record exists. Do not run this item again; look for it in the application.',
    { action },
  );
}

/**
 * Changes a record (interface.md, "update_data"). Sent once, whatever happens.
 * @throws ServiceError
 */
export async function sendUpdate(
  app: ApplicationSession,
  { action, fields, uploads }: WriteForm,
  source: UploadSource,
): Promise<void> {
  await app.client.call(action, fields, await loadFiles(source, uploads));
}

/** The files of a request, distinguished from their content, which is read while it is sent. */
async function loadFiles(source: UploadSource, uploads: readonly Upload[]): Promise<FormFile[]> {
  return await Promise.all(
    uploads.map(async ({ formField, binaryField }) => ({
      name: formField,
      content: await source(binaryField),
    })),
  );
}
