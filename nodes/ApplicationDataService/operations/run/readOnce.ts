import type { NamedApplication } from '../../service/application/session';
import type { RawRecord } from '../../service/read/recordList';
import { readRecord } from '../../service/read/records';
import type { Item } from './item';

/** Makes identical reads of several items only once in a run. Only for small answers. */
export async function readOnce<T>(
  item: Item,
  question: readonly unknown[],
  read: () => Promise<T>,
): Promise<T> {
  return await item.run.session.memo.get(JSON.stringify(question), read);
}

/** Reads a record that several items may name. */
export async function readRecordOnce(
  item: Item,
  app: NamedApplication,
  id: string,
  loadReferenceLists: boolean,
): Promise<RawRecord> {
  const read = async (): Promise<RawRecord> => await readRecord(app, id, loadReferenceLists);
  return await readOnce(item, ['record', app.reference, id, loadReferenceLists], read);
}
