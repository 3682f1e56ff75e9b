import { partKey } from '../../../parts/model/keys';
import { ownIdPart } from '../../../parts/model/lookup';
import type { KeyMode } from '../../../parts/model/part';
import type { ApplicationSession } from '../../../service/application/session';
import { listRecords, partFields, type RawRecord } from '../../../service/read/recordList';
import { readId } from '../../../service/read/records';
import { settle } from '../../../util/concurrently';
import type { TestParts } from './testParts';

/** Number of records to search for one whose answer was lost. */
const LOOKED_AT = 100;

/** The IDs of the newest records that contain a mark, newest first. Empty if that cannot be found out. */
export async function newestWith(
  mark: string,
  parts: TestParts,
  app: ApplicationSession,
  keyMode: KeyMode,
): Promise<string[]> {
  const id = ownIdPart(app.application.parts);
  const idKey = id === null ? '' : partKey(id, keyMode);
  const [part] = parts.texts;
  if (id === null || idKey === '' || part === undefined) return [];
  const sort = { part: id, order: 'desc' } as const;
  const slice = { offset: 0, limit: LOOKED_AT };
  const list = async (): Promise<RawRecord[]> =>
    await listRecords(app, { sort }, slice, partFields([id, part], keyMode));
  const listed = await settle(list);
  if ('error' in listed) return [];
  const found = listed.value.filter((raw) => parts.holdMark(raw, mark));
  return found.map((raw) => readId(raw, idKey)).filter((each) => each !== null);
}
