import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longest time in milliseconds for which a task kept the event loop from doing anything else. */
export async function longestBlock(task: () => Promise<unknown>): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: 5 });
  monitor.enable();
  await sleep(20);
  await task();
  // A block that ends with the task is met only when the monitor's own timer runs again.
  await sleep(20);
  monitor.disable();
  return monitor.max / 1e6;
}
