import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { startDemo } from './demo';
import { logIn } from './n8n';
import { artifactsFolder, ownLogsFolder } from './paths';
import { publish } from './running';

declare global {
  var stopEndToEndDemo: (() => Promise<number | null>) | undefined;
}

/** Starts one n8n and one sandbox for all end-to-end tests of a run. */
export default async function globalSetup(): Promise<void> {
  removeArtifacts();
  const { demo, stop } = await startDemo(['--ephemeral', '--log-folder', join(artifactsFolder, 'logs')]);
  globalThis.stopEndToEndDemo = stop;
  publish({ demo, session: await logIn(demo) });
}

/** Removes the files of an earlier run. A story with a separate n8n does the same for its logs. */
function removeArtifacts(): void {
  mkdirSync(artifactsFolder, { recursive: true });
  for (const name of readdirSync(artifactsFolder)) {
    const path = join(artifactsFolder, name);
    if (path !== ownLogsFolder) rmSync(path, { recursive: true, force: true });
  }
}
