import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { findFreePort, LOOPBACK } from './checks.ts';
import type { Child, Children } from './children.ts';
import { DemoError } from './demo-error.ts';
import { filesFolder, n8nEnvironment } from './environment.ts';
import { n8nCommand } from './paths.ts';

/** The first start creates the database, on a slow machine for a minute or more. */
const START_TIMEOUT = 180_000;

export interface N8nPlace {
  /** n8n's user folder: database, encryption key, community packages. */
  readonly userFolder: string;
  readonly port: number;
  readonly logFile: string;
}

/**
 * Starts n8n and waits until its REST interface answers.
 * @returns its address, without a slash at the end
 * @throws DemoError when n8n ends instead or takes too long
 */
export async function startN8n(children: Children, { userFolder, port, logFile }: N8nPlace): Promise<string> {
  mkdirSync(filesFolder(userFolder), { recursive: true });
  const child = children.start({
    name: 'n8n',
    args: [n8nCommand, 'start'],
    cwd: userFolder,
    env: n8nEnvironment(userFolder, port, await findFreePort()),
    logFile,
  });
  const url = `http://${LOOPBACK}:${port}`;
  await waitUntilReady(child, url, logFile);
  return url;
}

async function waitUntilReady(child: Child, url: string, logFile: string): Promise<void> {
  let end: number | string | undefined;
  void child.ended.then((how) => {
    end = how;
  });
  for (const deadline = Date.now() + START_TIMEOUT; Date.now() < deadline; await sleep(250)) {
    if (end !== undefined) throw new DemoError(child.describeEnd(end));
    if (await answers(`${url}/rest/settings`)) return;
  }
  throw new DemoError(`n8n did not answer within ${START_TIMEOUT / 1000} s; its log is ${logFile}.`);
}

/** While it starts, n8n refuses the connection, then answers with a page instead of its settings. */
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
