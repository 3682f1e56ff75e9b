import { createInterface } from 'node:readline';

import type { Children } from '../process/children.ts';
import { DemoError } from '../process/demo-error.ts';
import { ownEnvironment } from './environment.ts';
import { repository } from '../place/paths.ts';

/** The addresses of the sandbox, as it prints them. */
export interface SandboxAddress {
  readonly baseUrl: string;
  readonly accessKey: string;
  readonly controlUrl: string;
}

/**
 * Starts the sandbox and waits for its address.
 * @throws DemoError if it ends
 */
export async function startSandbox(
  children: Children,
  { port, dataFile, logFile }: { port: number; dataFile: string; logFile: string },
): Promise<SandboxAddress> {
  const child = children.start({
    name: 'The sandbox',
    args: ['sandbox/main.ts', '--port', String(port), '--data', dataFile, '--json'],
    cwd: repository,
    env: ownEnvironment(),
    logFile,
    pipeOutput: true,
  });
  if (!child.output) throw new Error('The sandbox was started without a pipe.');
  for await (const line of createInterface({ input: child.output })) {
    return JSON.parse(line) as SandboxAddress;
  }
  throw new DemoError(child.describeEnd(await child.ended));
}
