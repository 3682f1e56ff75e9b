// Prints the path of a Chromium that works here. The exit code is 1 if there is none.
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const APPLICATIONS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The path of a Chromium that works. If CHROMIUM_PATH is set, only that one is tried.
 * @returns {string | undefined}
 */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = [...COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name))), ...APPLICATIONS];
  return (named ? [named] : found).find((path) => existsSync(path) && answers(path));
}

/** Ubuntu's chromium-browser exists, but may only say that another package is needed. */
function answers(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const path = findChromium();
  if (path === undefined) process.exit(1);
  console.log(path);
}
