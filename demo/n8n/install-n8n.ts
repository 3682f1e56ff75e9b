import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { missingBuildTools, requireDiskSpace } from '../place/checks.ts';
import type { Children } from '../process/children.ts';
import { DemoError } from '../process/demo-error.ts';
import { takeFileLock } from '../place/file-lock.ts';
import { npmChild } from '../process/npm.ts';
import { demoFolder, keptDataFolder } from '../place/paths.ts';
import { NPM_CI, npmCiProgress } from '../../scripts/npm-ci.mjs';
import { say, withProgress } from '../../scripts/progress.mjs';

/**
 * Flags for the compiler where SQLite must be compiled because no built one can be downloaded. It is most of what is
 * left of the install then, and takes half the time with these; a demo has no use for a faster database.
 */
const LIGHT_BUILD = { CFLAGS: '-O1', CXXFLAGS: '-O1' };

/** n8n's packages and npm's cache of them, rounded up. */
const DISK_SPACE = 4e9;

const installLog = (name: string) => join(keptDataFolder, 'logs', `${name}.log`);

const lockFile = join(demoFolder, 'package-lock.json');
/** Is inside `node_modules`, which `npm ci` removes first, so an interrupted install leaves no marker. */
const marker = join(demoFolder, 'node_modules', '.installed');

/**
 * Installs n8n from the demo's lock file, unless that has been done. Takes minutes the first time.
 * @param then what is done after that
 * @throws DemoError for problems that a person can solve: disk, compiler, network.
 */
export async function ensureN8n(children: Children, then = ''): Promise<void> {
  const wanted = fingerprint();
  if (readMarker() === `${wanted} complete`) return;
  const release = takeFileLock(
    join(keptDataFolder, 'install.lock'),
    'n8n is being installed by another process',
  );
  try {
    await install(children, wanted, then);
  } finally {
    release();
  }
}

async function install(children: Children, wanted: string, then: string): Promise<void> {
  if (!readMarker().startsWith(wanted)) {
    say(
      `Installing n8n ${n8nVersion()} into ${demoFolder}. This is done once and takes three to six minutes.`,
    );
    await requireDiskSpace(demoFolder, DISK_SPACE, 'Installing n8n');
    await installPackages(children);
    setMarker(`${wanted} packages`);
  }
  await buildSqlite(children, then);
  setMarker(`${wanted} complete`);
}

/** Runs no install scripts: one of an optional Kafka client would fail, and n8n needs only SQLite's. */
async function installPackages(children: Children): Promise<void> {
  const npm = npmChild(NPM_CI, demoFolder, installLog('npm-ci'));
  const about = { detail: npmCiProgress(demoFolder, npm.logFile), then: 'its database (a minute or two)' };
  await withProgress('Downloading n8n', children.run(npm), about);
}

async function buildSqlite(children: Children, then: string): Promise<void> {
  const rebuild = npmChild(
    ['rebuild', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts'],
    demoFolder,
    installLog('npm-rebuild'),
  );
  try {
    const env = { ...LIGHT_BUILD, ...rebuild.env };
    await withProgress('Preparing its database (SQLite)', children.run({ ...rebuild, env }), {
      then,
    });
    await children.run({
      name: 'SQLite',
      args: ['--eval', 'require("sqlite3")'],
      cwd: demoFolder,
      env: process.env,
      logFile: installLog('sqlite'),
    });
  } catch (error) {
    const tools = missingBuildTools();
    if (tools.length === 0 || !(error instanceof DemoError)) throw error;
    throw new DemoError(
      `n8n's database (SQLite) must be compiled here, but ${tools.join(', ')} cannot be found. Install it ` +
        '(Debian and Ubuntu: sudo apt-get install -y python3 make g++; macOS: xcode-select --install) ' +
        'and try again. Downloaded files are kept.',
    );
  }
}

function n8nVersion(): string {
  const manifest = JSON.parse(readFileSync(join(demoFolder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return manifest.dependencies.n8n ?? '';
}

/** Another lock file or another kind of machine needs another install. */
function fingerprint(): string {
  const lock = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  return `${lock} ${process.platform}-${process.arch}`;
}

function readMarker(): string {
  return existsSync(marker) ? readFileSync(marker, 'utf8') : '';
}

function setMarker(text: string): void {
  mkdirSync(dirname(marker), { recursive: true });
  writeFileSync(marker, text);
}
