// "npm start": in a fresh clone, first installs what the repository needs, including the right Node.js, then starts the
// demo. It runs on any Node.js that npm runs on, so it is plain JavaScript and imports no package. It is one script and
// not two commands, because npm skips pre-scripts here (ignore-scripts) and a shell remembers the path of its "node".
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { NPM_CI, npmCiProgress } from '../scripts/npm-ci.mjs';
import { say, withProgress } from '../scripts/progress.mjs';
import { whenOrphaned } from '../scripts/when-orphaned.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
/** npm writes it last. If it is missing, nothing is installed or the install was interrupted. */
const marker = new URL('../node_modules/.package-lock.json', import.meta.url);

const logFile = fileURLToPath(new URL('.data/logs/npm-ci-repository.log', import.meta.url));

if (!existsSync(marker)) await installRepository();
const node = installedNode();
if (existsSync(node) && Number.parseInt(process.versions.node) < 24) startOn(node);
else {
  // If no Node.js could be installed, an old one has to be rejected before it loads TypeScript.
  await import('../scripts/check-node.mjs');
  await import('./start.ts');
}

async function installRepository() {
  const npm = process.env.npm_execpath;
  if (!npm) {
    say('Start the demo with "npm start".');
    process.exit(1);
  }
  say(
    'The first start installs all that the demo needs. It takes five to ten minutes and 3.5 GB; later starts take seconds.',
  );
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w');
  const child = spawn(process.execPath, [npm, ...NPM_CI], { cwd: repository, stdio: ['ignore', log, log] });
  const about = { detail: npmCiProgress(repository, logFile), then: 'n8n, its database, the nodes' };
  await withProgress('Installing the tools', ended(child), about).catch(() => {
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
    say(
      lines
        .filter((line) => !line.startsWith('npm http'))
        .slice(-15)
        .join('\n'),
    );
    say('\nThe installation failed, see above. Fix the problem, then run "npm start" again.');
    process.exit(1);
  });
}

async function ended(child) {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`npm ended with ${code}`);
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
