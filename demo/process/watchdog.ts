/**
 * Ends the demo's processes if the demo was killed. The demo writes `+pid` to its standard input for each process that
 * it starts, and `-pid` for each that has ended. When the input ends, the watchdog ends the others.
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
