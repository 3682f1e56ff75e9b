import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { repository } from './paths';
import { PATIENCE } from './patience';

/** What `node demo/start.ts --json` prints. */
export interface Demo {
  readonly n8nUrl: string;
  readonly email: string;
  readonly password: string;
  readonly sandbox: { readonly baseUrl: string; readonly accessKey: string; readonly controlUrl: string };
  readonly credentialId: string;
  /** By the file name of the example. */
  readonly workflows: Readonly<Record<string, { readonly id: string; readonly name: string }>>;
  /** Where workflows may read and write files. */
  readonly filesFolder: string;
}

export interface StartedDemo {
  readonly demo: Demo;
  /** Ends it with a signal; resolves with the exit code, which is null after SIGKILL. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the demo.
 * @throws Error when it ends before it is ready; the error output says why
 */
export async function startDemo(args: readonly string[]): Promise<StartedDemo> {
  const process_ = spawn(process.execPath, ['demo/start.ts', '--json', ...args], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(process_, 'exit') as Promise<[number | null]>;
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    process_.kill(signal);
    return (await ended)[0];
  };
  for await (const line of createInterface({ input: process_.stdout })) {
    return { demo: JSON.parse(line) as Demo, stop };
  }
  throw new Error(`The demo ended with ${(await ended)[0]} before it was up.`);
}

/** Starts a demo that should refuse to start. @returns its exit code and its output. */
export function startRefused(args: readonly string[]): { exitCode: number | null; message: string } {
  const { status, stderr } = spawnSync(process.execPath, ['demo/start.ts', ...args], {
    cwd: repository,
    encoding: 'utf8',
    timeout: PATIENCE,
  });
  return { exitCode: status, message: stderr };
}
