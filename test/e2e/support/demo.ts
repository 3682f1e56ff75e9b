import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { artifactsFolder, repository } from './paths';

/** What `node demo/start.ts --json` prints. */
export interface Demo {
  readonly n8nUrl: string;
  readonly email: string;
  readonly password: string;
  readonly sandbox: { readonly baseUrl: string; readonly accessKey: string; readonly controlUrl: string };
  readonly credentialId: string;
  /** By the example's file name. */
  readonly workflows: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
}

/**
 * Starts the demo in a temporary folder on free ports.
 * @returns its addresses, and how to end it; `stop` resolves with the exit code
 * @throws Error when it ends before it is up; why is on the error output
 */
export async function startDemo(): Promise<{ demo: Demo; stop: () => Promise<number | null> }> {
  const logs = join(artifactsFolder, 'logs');
  const process_ = spawn(process.execPath, ['demo/start.ts', '--ephemeral', '--json', '--log-folder', logs], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(process_, 'exit') as Promise<[number | null]>;
  const stop = async () => {
    process_.kill('SIGTERM');
    return (await ended)[0];
  };
  for await (const line of createInterface({ input: process_.stdout })) {
    return { demo: JSON.parse(line) as Demo, stop };
  }
  throw new Error(`The demo ended with ${(await ended)[0]} before it was up.`);
}
