// Checks for the programs that npm cannot install. The arguments name what is needed, each a key of `needs`. On Debian
// and Ubuntu, as root, it installs missing packages; elsewhere it says what to do. It is plain JavaScript, because it
// runs on the machine's own Node.js before anything is installed.
import { spawnSync } from 'node:child_process';

import { findChromium } from './find-chromium.mjs';
import { findProgram } from './find-program.mjs';

const works = (command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;

const needs = {
  chromium: {
    missing: () => findChromium() === undefined,
    packages: ['chromium'],
    advice:
      'A Chromium is needed for the browser tests. Install one (Debian: sudo apt-get install -y chromium), ' +
      'or set CHROMIUM_PATH to a Chromium or Chrome.',
  },
  compiler: {
    missing: () => !['python3', 'make', 'g++'].every(works),
    packages: ['python3', 'make', 'g++'],
    advice:
      "Python 3, make and a C++ compiler are needed for n8n's database " +
      '(Debian and Ubuntu: sudo apt-get install -y python3 make g++; macOS: xcode-select --install).',
  },
  ffmpeg: {
    missing: () => ['ffmpeg', 'ffprobe'].some((name) => findProgram(name) === undefined),
    packages: ['ffmpeg'],
    advice:
      'ffmpeg is needed to write the film (Debian and Ubuntu: sudo apt-get install -y ffmpeg; macOS: brew install ffmpeg).',
  },
  redis: {
    missing: () => findProgram('redis-server') === undefined,
    packages: ['redis-server'],
    advice:
      "Redis is needed for n8n's queue mode (Debian and Ubuntu: sudo apt-get install -y redis-server; " +
      'macOS: brew install redis).',
  },
  postgresql: {
    missing: () => ['initdb', 'postgres', 'pg_isready'].some((name) => findProgram(name) === undefined),
    packages: ['postgresql'],
    advice:
      "PostgreSQL is needed as n8n's database in queue mode " +
      '(Debian and Ubuntu: sudo apt-get install -y postgresql; macOS: brew install postgresql).',
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in needs));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Known: ${Object.keys(needs).join(', ')}.`);
  process.exit(2);
}

const findMissing = () => wanted.map((name) => needs[name]).filter((need) => need.missing());

const mayInstall = process.getuid?.() === 0 && works('apt-get');
const missing = findMissing();
if (missing.length > 0 && mayInstall) install(missing.flatMap((need) => need.packages));

const stillMissing = findMissing();
for (const { advice } of stillMissing) console.error(advice);
process.exit(stillMissing.length > 0 ? 1 : 0);

function install(packages) {
  console.error(`Installing ${packages.join(', ')} ...`);
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
}
