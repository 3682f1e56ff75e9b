import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { startDemo } from './demo';
import { logIn } from './n8n';
import { artifactsFolder } from './paths';
import { publish } from './running';

declare global {
  var stopEndToEndDemo: (() => Promise<number | null>) | undefined;
}

/** One n8n and one sandbox for all end-to-end tests of a run. */
export default async function globalSetup(): Promise<void> {
  rmSync(artifactsFolder, { recursive: true, force: true });
  const { demo, stop } = await startDemo(['--ephemeral', '--log-folder', join(artifactsFolder, 'logs')]);
  globalThis.stopEndToEndDemo = stop;
  publish({ demo, session: await logIn(demo) });
}
