import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import type { ChildOptions } from './children.ts';
import { DemoError } from './demo-error.ts';

/** A child that runs npm in `cwd`, whichever npm script of the repository started this process. */
export function npmChild(args: readonly string[], cwd: string, logFile: string): ChildOptions {
  const name = `npm ${args[0]}`;
  return { name, args: [findNpm(), ...args], cwd, env: environmentOfNpm(), logFile };
}

/** npm's own script: that of the npm that runs this process, otherwise the first one in the path. */
function findNpm(): string {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => [
    // Either a link to the script or, on Windows, a command file beside it.
    join(folder, 'npm'),
    join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ]);
  const scripts = [process.env.npm_execpath ?? '', ...onPath]
    .filter((file) => existsSync(file))
    .map((file) => realpathSync(file));
  const npm = scripts.find((file) => file.endsWith('.js'));
  if (npm === undefined) throw new DemoError('npm was not found. Start the demo with "npm start".');
  return npm;
}

/**
 * Removes npm's variables. npm passes the settings of the folder it runs in to its children, where they would override
 * those of the other folder.
 */
function environmentOfNpm(): NodeJS.ProcessEnv {
  const inherited = new Set(['npm_config_ignore_scripts', 'npm_config_local_prefix']);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.has(name)));
}
