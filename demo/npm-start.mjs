// "npm start": in a fresh clone, first installs what the repository needs, including the right Node.js, then starts the
// demo. It runs on any Node.js that npm runs on, so it is plain JavaScript and imports no package. It is one script and
// not two commands, because npm skips pre-scripts here (ignore-scripts) and a shell remembers the path of its "node".
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { whenOrphaned } from '../scripts/when-orphaned.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
/** npm writes it last. If it is missing, nothing is installed or the install was interrupted. */
const marker = new URL('../node_modules/.package-lock.json', import.meta.url);

if (!existsSync(marker)) installRepository();
const node = installedNode();
if (existsSync(node) && Number.parseInt(process.versions.node) < 24) startOn(node);
else {
  // If no Node.js could be installed, an old one has to be rejected before it loads TypeScript.
  await import('../scripts/check-node.mjs');
  await import('./start.ts');
}

function installRepository() {
  const npm = process.env.npm_execpath;
  if (!npm) {
    console.error('Start the demo with "npm start".');
    process.exit(1);
  }
  console.error('Installing the dependencies (about a minute) ...');
  const { status } = spawnSync(process.execPath, [npm, 'ci', '--loglevel=error'], {
    cwd: repository,
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  if (status !== 0) {
    console.error('\nThe installation failed, see above. Fix the problem, then run "npm start" again.');
    process.exit(1);
  }
}

/** The path at which `scripts/runtime` installs the Node.js of this platform, if there is one. */
function installedNode() {
  const windows = process.platform === 'win32';
  // Macs with Apple's processors use a package with another name.
  const kind = `${windows ? 'win' : process.platform}-${process.arch}`;
  const folder = kind === 'darwin-arm64' ? `node-bin-${kind}` : `node-${kind}`;
  return fileURLToPath(
    new URL(`../node_modules/${folder}/bin/node${windows ? '.exe' : ''}`, import.meta.url),
  );
}

function startOn(command) {
  const demo = spawn(command, ['demo/start.ts', ...process.argv.slice(2)], {
    cwd: repository,
    stdio: 'inherit',
  });
  // In a terminal, Ctrl-C reaches the demo as well. It ends cleanly, and then this process ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => demo.kill(signal));
  whenOrphaned(() => demo.kill('SIGTERM'));
  demo.on('exit', (code) => process.exit(code ?? 1));
}
