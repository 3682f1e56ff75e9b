import { mkdirSync } from 'node:fs';

import { findFreePort, LOOPBACK } from '../place/checks.ts';
import type { Child, Children } from '../process/children.ts';
import { filesFolder, n8nEnvironment } from './environment.ts';
import { n8nCommand } from '../place/paths.ts';
import { untilReady } from '../process/ready.ts';

/** The first start creates the database, which takes a minute or more on a slow machine. */
const START_TIMEOUT = 180_000;

/** n8n itself, a worker process, and a webhook process. */
export type N8nCommand = 'start' | 'worker' | 'webhook';

export interface N8nPlace {
  /** Its name for people. */
  readonly name: string;
  /** n8n's user folder: database, encryption key, community packages. */
  readonly userFolder: string;
  readonly port: number;
  readonly logFile: string;
  /** Keeps the log of earlier starts. */
  readonly keepLog?: boolean;
  /** Settings in addition to those of every n8n here. */
  readonly settings?: NodeJS.ProcessEnv;
}

/**
 * Starts n8n and waits until its REST interface answers.
 * @returns its address, without a slash at the end
 * @throws DemoError if n8n ends or takes too long
 */
export async function startN8n(children: Children, place: N8nPlace): Promise<string> {
  const url = `http://${LOOPBACK}:${place.port}`;
  await startCommand(children, 'start', place, `${url}/rest/settings`);
  return url;
}

/**
 * Starts a command of n8n that keeps running, and waits until an address answers with JSON.
 * @throws DemoError if it ends or takes too long
 */
export async function startCommand(
  children: Children,
  command: N8nCommand,
  { name, userFolder, port, logFile, keepLog, settings }: N8nPlace,
  address: string,
): Promise<Child> {
  mkdirSync(filesFolder(userFolder), { recursive: true });
  const env = { ...n8nEnvironment(userFolder, port, await findFreePort()), ...settings };
  const args = [n8nCommand, command];
  const child = children.start({ name, args, cwd: userFolder, env, logFile, ...(keepLog && { keepLog }) });
  await untilReady(child, async () => await answers(address), { timeout: START_TIMEOUT, logFile });
  return child;
}

/**
 * Whether n8n answers. While it starts, it first refuses the connection, then answers with a page instead of its
 * settings.
 */
async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    await response.body?.cancel();
    return response.ok && isJson;
  } catch {
    return false;
  }
}
