/** The last task of each key that is not finished. */
const last = new Map<string, Promise<unknown>>();

/**
 * Runs tasks with the same key one after the other, in this process. Writers that read a record and write it under the
 * revision they read would only disturb each other: of fifty at the same time, forty-nine would be refused.
 */
export async function inSeries<T>(key: string, task: () => Promise<T>): Promise<T> {
  const before = last.get(key) ?? Promise.resolve();
  const mine = before.then(task, task);
  last.set(key, mine);
  try {
    return await mine;
  } finally {
    if (last.get(key) === mine) last.delete(key);
  }
}
