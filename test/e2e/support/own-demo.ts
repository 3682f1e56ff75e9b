import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { startDemo } from './demo';
import { logIn } from './n8n';
import { ownLogsFolder } from './paths';
import { publish } from './running';

/**
 * Starts a demo for one test file and makes it the running one.
 * @param name of the folder in the run's artifacts for its logs
 * @returns a function that ends it
 */
export async function startOwnDemo(name: string): Promise<() => Promise<void>> {
  const logFolder = join(ownLogsFolder, name);
  rmSync(logFolder, { recursive: true, force: true });
  const { demo, stop } = await startDemo(['--ephemeral', '--log-folder', logFolder]);
  publish({ demo, session: await logIn(demo) });
  return async () => expect(await stop()).toBe(0);
}
