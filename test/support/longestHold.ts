import { performance } from 'node:perf_hooks';

/** How often the monitor looks, in milliseconds. */
const LOOK_MS = 1;

/**
 * The longest time in milliseconds for which a task kept the event loop busy: as the clock and as the processor's time
 * of this thread tell, whichever is less, so that what else runs on the machine does not count.
 */
export async function longestHold(task: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let [wall, cpu] = [performance.now(), cpuMs()];
  const look = (): void => {
    const [nowWall, nowCpu] = [performance.now(), cpuMs()];
    longest = Math.max(longest, Math.min(nowWall - wall, nowCpu - cpu));
    [wall, cpu] = [nowWall, nowCpu];
  };
  const timer = setInterval(look, LOOK_MS);
  try {
    await task();
  } finally {
    clearInterval(timer);
    look();
  }
  return longest;
}

function cpuMs(): number {
  const { threadCpuUsage = process.cpuUsage }: Partial<typeof process> = process; // missing in Node.js 20
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
}
