import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { DemoError } from '../process/demo-error.ts';

/**
 * Creates a lock file for this process, so that two processes never write to the same folder. The lock file of a
 * process that no longer exists is taken over.
 * @returns a function that releases it
 * @throws DemoError with the message `busy` if another process has the lock.
 */
export function takeFileLock(file: string, busy: string): () => void {
  mkdirSync(dirname(file), { recursive: true });
  if (!tryCreate(file)) {
    const holder = Number(readFileSync(file, 'utf8'));
    if (isAlive(holder))
      throw new DemoError(`${busy} (process ${holder}). If that process is not a demo, delete ${file}`);
    rmSync(file, { force: true });
    if (!tryCreate(file)) throw new DemoError(busy);
  }
  return () => rmSync(file, { force: true });
}

function tryCreate(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
