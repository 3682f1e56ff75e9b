/** The milliseconds that a task takes. */
export async function time(task: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await task();
  return performance.now() - begin;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[middle - 1] ?? NaN, sorted[middle] ?? NaN];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/**
 * Times several tasks in turn, A B C A B C ..., so that changes of the machine's speed affect all of them.
 * @returns the times of each task, run by run.
 */
export async function inTurn<K extends string>(
  tasks: Readonly<Record<K, () => Promise<unknown>>>,
  runs: number,
): Promise<Record<K, number[]>> {
  const names = Object.keys(tasks) as K[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let run = 0; run < runs; run++) {
    for (const name of names) times[name].push(await time(tasks[name]));
  }
  return times;
}

/** The median of the ratios of runs that were made one after the other, so that both met the same machine. */
export function ratio(a: readonly number[], b: readonly number[]): number {
  return median(a.map((value, run) => value / b[run]!));
}

/** `1234 ms`, the median of all runs. */
export function milliseconds(times: readonly number[]): string {
  return `${median(times).toFixed(0)} ms`;
}

/** Largest growth of the memory that the process has from the system while a task runs, in MB, sampled every 20 ms. */
export async function memoryGrowth(task: () => Promise<unknown>): Promise<number> {
  const used = (): number => process.memoryUsage.rss();
  globalThis.gc?.();
  const before = used();
  let most = before;
  const sampler = setInterval(() => (most = Math.max(most, used())), 20);
  await task();
  clearInterval(sampler);
  return (Math.max(most, used()) - before) / 1e6;
}

/**
 * The cost of runs in milliseconds: by the clock, and of the processors, which other work on the machine affects less.
 */
export interface Costs {
  readonly wall: number[];
  readonly processor: number[];
}

/** Runs several tasks in turn, like `inTurn`. Before each run, the garbage of the run before is collected. */
export async function costsInTurn<K extends string>(
  tasks: Readonly<Record<K, () => Promise<unknown>>>,
  runs: number,
): Promise<Record<K, Costs>> {
  const names = Object.keys(tasks) as K[];
  const costs = Object.fromEntries(
    names.map((name): [K, Costs] => [name, { wall: [], processor: [] }]),
  ) as Record<K, Costs>;
  for (let run = 0; run < runs; run++) {
    for (const name of names) {
      globalThis.gc?.();
      const before = process.cpuUsage();
      costs[name].wall.push(await time(tasks[name]));
      const { user, system } = process.cpuUsage(before);
      costs[name].processor.push((user + system) / 1000);
    }
  }
  return costs;
}

/** The best of several runs, which other work on the machine disturbed least. */
export function best(times: readonly number[]): number {
  return Math.min(...times);
}
