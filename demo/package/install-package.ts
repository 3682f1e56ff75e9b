import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Children } from '../process/children.ts';
import { npmChild } from '../process/npm.ts';
import { packPackage } from './build.ts';
import { packageManifest } from './manifest.ts';

/** n8n runs npm like this in the unpacked package. Offline is enough for a package without dependencies. */
const INSTALL = [
  'install',
  '--offline',
  '--audit=false',
  '--fund=false',
  '--bin-links=false',
  '--install-strategy=shallow',
  '--ignore-scripts=true',
  '--package-lock=false',
];

/**
 * Installs the built package into an n8n that is not running. It follows n8n's own steps (Settings > Community nodes),
 * but uses a tarball packed here instead of one from npm. Nothing links back to the repository, because n8n would load
 * the repository's n8n-workflow beside its own.
 * @param logFile returns the path of a log file by its name
 */
export async function installPackage(
  children: Children,
  userFolder: string,
  logFile: (name: string) => string,
): Promise<void> {
  const { name, version } = packageManifest();
  const nodesFolder = join(userFolder, '.n8n', 'nodes');
  const target = join(nodesFolder, 'node_modules', name);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const tarball = await packPackage(children, nodesFolder, logFile('npm-pack'));
  await promisify(execFile)('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  rmSync(tarball);
  keepDependenciesOnly(join(target, 'package.json'));
  await children.run(npmChild(INSTALL, target, logFile('npm-install')));
  const installed = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
  writeJson(join(nodesFolder, 'package.json'), installed);
}

function keepDependenciesOnly(file: string): void {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  const dropped = new Set(['devDependencies', 'peerDependencies', 'optionalDependencies']);
  writeJson(file, Object.fromEntries(Object.entries(manifest).filter(([name]) => !dropped.has(name))));
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, JSON.stringify(value, null, 2));
}
