import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

import { BUILT_NODES } from './builtNodes';
import { time } from './measure';
import type { Writers } from './writers';

const ROOT = join(__dirname, '..', '..');
const SCRIPT = [...BUILT_NODES, 'bench/support/writers.ts'];

/** The result of processes that wrote at the same time. */
export interface Together {
  /** Milliseconds from the moment when all were ready. */
  readonly ms: number;
  /** Items that ended with an error. */
  readonly failed: number;
}

/** Lets processes write at the same time. */
export async function together(all: readonly Writers[]): Promise<Together> {
  const processes = await Promise.all(all.map(ready));
  let failed = 0;
  const ms = await time(async () => {
    const counts = await Promise.all(processes.map(async (go) => await go()));
    failed = counts.reduce((sum, count) => sum + count, 0);
  });
  return { ms, failed };
}

/** Starts a process. The returned function starts its executions, and returns the number of failed items. */
async function ready(what: Writers): Promise<() => Promise<number>> {
  const child = spawn(process.execPath, [...SCRIPT, JSON.stringify(what)], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('A process that writes has ended before its time');
    return value;
  };
  await line();
  return async () => {
    child.stdin.write('go\n');
    const count = Number(await line());
    child.stdin.end();
    return count;
  };
}
