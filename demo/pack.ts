// node demo/pack.ts FOLDER: packs the package as it is published, after building it where a source is newer. Prints
// the path of the tarball.
import '../scripts/check-node.mjs';

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { DemoError } from './demo-error.ts';
import { ensureBuilt, packPackage } from './package-build.ts';
import { runMain } from './run-main.ts';

await runMain(async (children) => {
  const argument = process.argv[2];
  if (argument === undefined) throw new DemoError('Usage: node demo/pack.ts FOLDER');
  const folder = resolve(argument);
  mkdirSync(folder, { recursive: true });
  const logs = join(folder, 'logs');
  await ensureBuilt(children, join(logs, 'build.log'));
  console.log(await packPackage(children, folder, join(logs, 'npm-pack.log')));
  return 'done';
});
