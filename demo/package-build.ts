import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { Children } from './children.ts';
import { npmChild } from './npm.ts';
import { repository } from './paths.ts';
import { withProgress } from './progress.ts';

interface Manifest {
  readonly name: string;
  readonly files: readonly string[];
}

/** What the build reads. */
const SOURCES = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json', 'gulpfile.js'];
/** Written by the last step of the build: without it the build was broken off. */
const LAST_OUTPUT = join(repository, 'dist', 'icons');

/** Builds the package when a source is newer than the last build. */
export async function ensureBuilt(children: Children, logFile: string): Promise<void> {
  const newest = Math.max(...SOURCES.map((source) => newestChange(join(repository, source))));
  if (existsSync(LAST_OUTPUT) && statSync(LAST_OUTPUT).ctimeMs > newest) return;
  await withProgress('Building the nodes', children.run(npmChild(['run', 'build'], repository, logFile)));
}

/**
 * Puts the built package where n8n keeps community packages, as an installation from npm would: a copy, because from
 * a link n8n would load the repository's n8n-workflow next to its own.
 */
export function placePackage(userFolder: string): void {
  const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as Manifest;
  const target = join(userFolder, '.n8n', 'nodes', 'node_modules', manifest.name);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const file of ['package.json', ...manifest.files]) {
    cpSync(join(repository, file), join(target, file), { recursive: true });
  }
}

/** A folder changes itself when something in it is removed. */
function newestChange(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}
