import type { NamedApplication, ServiceSession } from '../../service/application/session';
import type { RawRecord } from '../../service/read/recordList';
import { readRecord } from '../../service/read/records';
import type { Item } from './item';

/**
 * Caches recent reads by their key. A read that failed is made
 * again. Keeps at most `capacity` answers and drops the oldest first.
 */
export class Recent {
  private readonly answers = new Map<string, Promise<unknown>>();

  constructor(private readonly capacity: number) {}

  /** @param key everything that the answer depends on, including its type. */
  async get<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.answers.get(key);
    if (known !== undefined) return (await known) as T;
    const answer = read();
    this.answers.set(key, answer);
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= this.capacity) break;
      this.answers.delete(oldest);
    }
    answer.catch(() => {
      if (this.answers.get(key) === answer) this.answers.delete(key);
    });
    return await answer;
  }
}

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
