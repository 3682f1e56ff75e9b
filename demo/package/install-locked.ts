import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { keptDataFolder } from '../place/paths.ts';
import type { Children } from '../process/children.ts';
import { npmChild } from '../process/npm.ts';
import { withProgress } from '../process/progress.ts';

/** Installs the packages of the folder's own lock file, unless that has been done. */
export async function installLocked(children: Children, folder: string, what: string): Promise<void> {
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const marker = join(folder, 'node_modules', '.installed');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  const log = join(keptDataFolder, 'logs', `npm-ci-${basename(folder)}.log`);
  await withProgress(
    what,
    children.run(npmChild(['ci', '--ignore-scripts', '--loglevel=error'], folder, log)),
  );
  writeFileSync(marker, wanted);
}
