/**
 * Outlives the demo for a moment: when its standard input ends, whether that the demo was killed, the processes that
 * were announced on it (`+pid`) and not taken back (`-pid`) are ended.
 */
import { createInterface } from 'node:readline';

import { killGroup } from './process-group.ts';

const pids = new Set<number>();

for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) pids.add(pid);
  else pids.delete(pid);
}
for (const pid of pids) killGroup(pid);
