import { Recent } from '../../util/recent';
import type { ServiceSession } from '../../service/application/session';
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
