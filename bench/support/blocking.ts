import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** The longest time in milliseconds for which a task blocked the event loop. */
export async function longestBlock(task: () => Promise<unknown>): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: 5 });
  monitor.enable();
  await sleep(20);
  await task();
  // The monitor notices a block at the end of the task only when its timer runs again.
  await sleep(20);
  monitor.disable();
  return monitor.max / 1e6;
}
