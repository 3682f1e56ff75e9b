export type Settled<T> = { readonly value: T } | { readonly error: unknown };

export function attempt<T>(task: () => T): Settled<T> {
  try {
    return { value: task() };
  } catch (error) {
    return { error };
  }
}

export interface Flow {
  readonly limit: number;
  readonly stopOnError: boolean;
  readonly signal?: AbortSignal;
}

/** Runs tasks, several at once, begun in order. What happened to each; `undefined` if it was not begun. */
export async function concurrently<T>(
  tasks: readonly (() => Promise<T>)[],
  { limit, stopOnError, signal }: Flow,
): Promise<(Settled<T> | undefined)[]> {
  const outcomes: (Settled<T> | undefined)[] = tasks.map(() => undefined);
  let next = 0;
  let stopped = false;

  const work = async (): Promise<void> => {
    while (next < tasks.length && !stopped && signal?.aborted !== true) {
      const index = next++;
      const outcome = (outcomes[index] = await settle(tasks[index]!));
      stopped ||= stopOnError && 'error' in outcome;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, tasks.length) }, work));
  return outcomes;
}

/** The results of tasks that are of no use alone; of those begun, if a signal ends it. @throws the first failure */
export async function allOf<T>(
  tasks: readonly (() => Promise<T>)[],
  limit: number,
  signal?: AbortSignal,
): Promise<T[]> {
  const outcomes = await concurrently(tasks, { limit, stopOnError: true, signal });
  return outcomes.flatMap((outcome) => {
    if (outcome === undefined) return [];
    if ('error' in outcome) throw outcome.error;
    return [outcome.value];
  });
}

/** What is awaited; `null` if it fails in a way that means there is none. */
export async function nullIf<T>(
  meansNone: (error: unknown) => boolean,
  awaited: Promise<T>,
): Promise<T | null> {
  return await awaited.catch((error: unknown) => {
    if (meansNone(error)) return null;
    throw error;
  });
}

export async function settle<T>(task: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await task() };
  } catch (error) {
    return { error };
  }
}

const last = new Map<string, Promise<unknown>>();

/** One after the other, for each key: of fifty that write under the revision they read, forty-nine would be refused. */
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

/** How long the process may be held, in milliseconds, before everything else in it has its turn. */
const MAX_HELD_MS = 15;
/** When the last pause ended; and the one that is awaited. */
let lastPause = -Infinity;
let pausing: Promise<void> | null = null;

/** To be awaited often in long work: once the process was held for that long, other work runs first; with 0, always. */
export async function pause(maxHeldMs = MAX_HELD_MS): Promise<void> {
  if (performance.now() - lastPause < maxHeldMs) return;
  pausing ??= nextRound().then(() => {
    lastPause = performance.now();
    pausing = null;
  });
  await pausing;
}

/** Waits for the next round of the event loop. A timer would take a millisecond at least. */
async function nextRound(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.once('message', resolve);
    port2.postMessage(null);
  });
  port1.close();
}
