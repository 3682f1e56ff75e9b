// npm run package [-- FOLDER]: packs the package as it is published and prints the path of the tarball. It builds first
// if a source is newer. "npm pack" alone would not build, because npm runs no scripts by itself here (.npmrc).
import '../scripts/check-node.mjs';

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { ensureBuilt, packPackage } from './package/build.ts';
import { keptDataFolder } from './place/paths.ts';
import { runMain } from './process/run-main.ts';

await runMain(async (children) => {
  const folder = resolve(process.argv[2] ?? '.');
  mkdirSync(folder, { recursive: true });
  const logs = join(keptDataFolder, 'logs');
  await ensureBuilt(children, join(logs, 'build.log'));
  console.log(await packPackage(children, folder, join(logs, 'npm-pack.log')));
  return 'done';
});
