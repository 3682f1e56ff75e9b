import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import type { ChildOptions } from './children.ts';
import { DemoError } from './demo-error.ts';

/** A child that runs npm in `cwd`, whichever npm script of the repository this process itself comes from. */
export function npmChild(args: readonly string[], cwd: string, logFile: string): ChildOptions {
  const name = `npm ${args[0]}`;
  return { name, args: [findNpm(), ...args], cwd, env: environmentOfNpm(), logFile };
}

/** npm's own script: the npm that runs this process, else the one that stands with a Node.js on the path. */
function findNpm(): string {
  const folders = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)];
  const candidates = folders.flatMap((folder) => [
    join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(folder, '..', 'share', 'nodejs', 'npm', 'bin', 'npm-cli.js'),
  ]);
  const running = process.env.npm_execpath;
  const npm = [running, ...candidates].find((file) => file?.endsWith('.js') === true && existsSync(file));
  if (npm === undefined) throw new DemoError('npm was not found. Start the demo with "npm start".');
  return npm;
}

/** npm hands the settings of the folder it runs in to its children, where they would outweigh the other folder's. */
function environmentOfNpm(): NodeJS.ProcessEnv {
  const inherited = new Set(['npm_config_ignore_scripts', 'npm_config_local_prefix']);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.has(name)));
}
