import { Recent } from '../../util/recent';
import type { NamedApplication, ServiceSession } from '../../service/application/session';
import type { RawRecord } from '../../service/read/recordList';
import { readRecord } from '../../service/read/records';
import type { Item } from './item';

/** How many answers a run keeps. Only small answers are kept. */
const CAPACITY = 200;

const answers = new WeakMap<ServiceSession, Recent>();

/** Makes identical reads of several items only once in a run. */
export async function readOnce<T>(
  item: Item,
  question: readonly unknown[],
  read: () => Promise<T>,
): Promise<T> {
  const { session } = item.run;
  const recent = answers.get(session) ?? new Recent(CAPACITY);
  answers.set(session, recent);
  return await recent.get(JSON.stringify(question), read);
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
