import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const repository = join(__dirname, '..', '..', '..');

/** The published package, unpacked. */
export interface Packed {
  readonly tarball: string;
  /** The folder of the unpacked package. */
  readonly folder: string;
  remove(): void;
}

/** Packs the package with the demo's command, and unpacks it. */
export function pack(): Packed {
  const temporary = mkdtempSync(join(tmpdir(), 'application-data-service-packed-'));
  const tarball = run('demo/pack.ts', temporary).trim();
  const folder = join(temporary, 'package');
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  return { tarball, folder, remove: () => rmSync(temporary, { recursive: true, force: true }) };
}

/** Runs one of the repository's scripts to its end, as in a shell. @returns its output. */
export function run(script: string, ...args: string[]): string {
  // With a test runner's NODE_ENV, some of the scanner's rules treat every file as a node.
  const env = { ...process.env, NODE_ENV: undefined };
  return execFileSync(process.execPath, [script, ...args], { cwd: repository, encoding: 'utf8', env });
}
