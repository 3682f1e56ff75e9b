import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { Children } from '../process/children.ts';
import { npmChild } from '../process/npm.ts';
import { packageManifest } from './manifest.ts';
import { repository } from '../place/paths.ts';
import { withProgress } from '../../scripts/progress.mjs';

/** The inputs of the build. */
const SOURCES = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json', 'gulpfile.js'];
/** The last step of the build writes it. If it is missing, the build was interrupted. */
const LAST_OUTPUT = join(repository, 'dist', 'icons');

/** Builds the package if a source is newer than the last build. */
export async function ensureBuilt(children: Children, logFile: string): Promise<void> {
  const newest = Math.max(...SOURCES.map((source) => newestChange(join(repository, source))));
  if (existsSync(LAST_OUTPUT) && statSync(LAST_OUTPUT).ctimeMs > newest) return;
  await withProgress('Building the nodes', children.run(npmChild(['run', 'build'], repository, logFile)), {
    then: 'n8n starts',
  });
}

/**
 * Packs the built package into a folder as it is published, without building it again and without a network.
 * @returns the path of the tarball
 */
export async function packPackage(children: Children, folder: string, logFile: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--offline', '--pack-destination', folder];
  await children.run(npmChild(args, repository, logFile));
  const { name, version } = packageManifest();
  return join(folder, `${name}-${version}.tgz`);
}

/** The time of the newest change. A folder's own time changes when a file in it is removed. */
function newestChange(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}
