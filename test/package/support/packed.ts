import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const repository = join(__dirname, '..', '..', '..');

/** The package as it is published, unpacked. */
export interface Packed {
  readonly tarball: string;
  /** Where it is unpacked. */
  readonly folder: string;
  remove(): void;
}

/** Packs the package, with the command that the demo installs it with, and unpacks it. */
export function pack(): Packed {
  const temporary = mkdtempSync(join(tmpdir(), 'application-data-service-packed-'));
  const tarball = run('demo/pack.ts', temporary).trim();
  const folder = join(temporary, 'package');
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  return { tarball, folder, remove: () => rmSync(temporary, { recursive: true, force: true }) };
}

/** Runs one of the repository's scripts to its end, as in a shell; gives what it prints. */
export function run(script: string, ...args: string[]): string {
  // Under a test runner's NODE_ENV some rules that the scanner uses judge every file as if it were a node.
  const env = { ...process.env, NODE_ENV: undefined };
  return execFileSync(process.execPath, [script, ...args], { cwd: repository, encoding: 'utf8', env });
}
