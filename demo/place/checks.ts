import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';

import { DemoError } from '../process/demo-error.ts';

/** Only this machine can reach the processes of the demo. */
export const LOOPBACK = '127.0.0.1';

/** Linux, macOS and Windows assign only higher ports by themselves. */
const KEPT_PORTS = [20_000, 32_000] as const;

const GIGABYTE = 1e9;

/** @throws DemoError if the file system of `folder` has less than `bytes` free. */
export async function requireDiskSpace(folder: string, bytes: number, purpose: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  const gigabytes = (size: number) => `${(size / GIGABYTE).toFixed(1)} GB`;
  throw new DemoError(
    `${purpose} needs ${gigabytes(bytes)} of disk space, but ${folder} has only ${gigabytes(free)} left. ` +
      'Free some space and try again.',
  );
}

/** Tools for building a native module that this machine does not have. */
export function missingBuildTools(): string[] {
  if (process.platform === 'win32') return [];
  const compiler = process.platform === 'darwin' ? 'c++' : 'g++';
  return ['python3', 'make', compiler].filter((tool) => spawnSync(tool, ['--version']).status !== 0);
}

/** @throws DemoError if another program listens on the port. */
export async function requireFreePort(port: number, user: string, option: string): Promise<void> {
  try {
    await listenOnce(port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES')
      throw new DemoError(`You are not allowed to use port ${port}. Choose another one: ${option}`);
    if (code !== 'EADDRINUSE') throw error;
    throw new DemoError(
      `Port ${port}, which ${user} needs, is in use, perhaps by a demo that is still running. ` +
        `Stop the program that uses it, or choose another port: npm start -- ${option}`,
    );
  }
}

/** A free port that no connection takes by chance while the program that listens there restarts. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...KEPT_PORTS);
    try {
      await listenOnce(port);
      return port;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    }
  }
}

async function listenOnce(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: LOOPBACK }, () => server.close(() => resolve()));
  });
}
