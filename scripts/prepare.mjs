// Before the demo's first start in a fresh clone: installs what the repository needs, among it the right Node.js.
// Runs on any Node.js that npm runs on, so it is plain JavaScript and imports nothing that must be installed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
/** npm writes it last: where it is missing, nothing is installed or the install was broken off. */
const marker = new URL('../node_modules/.package-lock.json', import.meta.url);

if (!process.env.npm_execpath) {
  console.error('Start this with npm: "npm start".');
  process.exit(1);
}

if (!existsSync(marker)) {
  console.error('Installing what the repository needs (about a minute) ...');
  const { status } = spawnSync(process.execPath, [process.env.npm_execpath, 'ci', '--loglevel=error'], {
    cwd: repository,
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  if (status !== 0) {
    console.error('\nThe installation failed: see above. Once that is mended, start again.');
    process.exit(1);
  }
}

// npm puts node_modules/.bin first on the path: this is the Node.js that comes next, not necessarily this one.
const { status } = spawnSync('node', ['scripts/check-node.mjs'], { cwd: repository, stdio: 'inherit' });
process.exit(status ?? 1);
