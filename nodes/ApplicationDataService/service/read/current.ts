import type { WriteContext } from '../../parts/model/codec';
import type { SimplifiedValue } from '../../parts/values/shapes';
import { outputKey, partKey } from '../../parts/model/keys';
import type { Part } from '../../parts/model/part';
import { simplifyRecord, type SimplifiedRecord } from '../../parts/record';
import { ServiceError } from '../http/errors';
import { readRecord } from './records';
import type { ApplicationSession } from '../application/session';

/** A record as it is, read so that a write can be held against it. */
export type CurrentRecord = Readonly<{
  id: string;
  revision: number;
  record: SimplifiedRecord;
}>;

/**
 * Reads a record as it is, without reference lists.
 * @throws ServiceError `badAnswer` if the record carries no revision: nothing could be guarded by it.
 */
export async function readCurrent(
  app: ApplicationSession,
  id: string,
  { keyMode }: WriteContext,
): Promise<CurrentRecord> {
  const raw = await readRecord(app, id, false);
  const record = simplifyRecord(raw, app.application.parts, { keyMode, referenceListsLoaded: false, id });
  if (record.revision !== null) return { id, revision: record.revision, record };
  throw new ServiceError(
    'badAnswer',
    `The service returned no revision for the record ${id}`,
    'Without a revision the record cannot be changed safely. Ask the administrator of the service.',
  );
}

/** A part's simplified value in an item or record; `undefined` if it has none. */
export function valueOf(
  holder: Readonly<Record<string, unknown>>,
  part: Part,
  { keyMode }: WriteContext,
): SimplifiedValue | undefined {
  const key = outputKey(partKey(part, keyMode));
  return Object.hasOwn(holder, key) ? (holder[key] as SimplifiedValue) : undefined;
}
