import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { keptDataFolder } from '../place/paths.ts';
import type { Children } from '../process/children.ts';
import { npmChild } from '../process/npm.ts';
import { NPM_CI, npmCiProgress } from '../../scripts/npm-ci.mjs';
import { withProgress } from '../../scripts/progress.mjs';

/** Installs the packages of the folder's own lock file, unless that has been done. */
export async function installLocked(children: Children, folder: string, what: string): Promise<void> {
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const marker = join(folder, 'node_modules', '.installed');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  const log = join(keptDataFolder, 'logs', `npm-ci-${basename(folder)}.log`);
  const npm = npmChild(NPM_CI, folder, log);
  await withProgress(what, children.run(npm), { detail: npmCiProgress(folder, log) });
  writeFileSync(marker, wanted);
}
