import { findProgram } from '../../../scripts/find-program.mjs';
import { DemoError } from '../../../demo/process/demo-error.ts';

const PROGRAMS = ['redis-server', 'initdb', 'postgres', 'pg_isready'] as const;
type Program = (typeof PROGRAMS)[number];

/** @throws DemoError that lists all programs that a cluster needs and this machine does not have */
export function requirePrograms(): void {
  const missing = PROGRAMS.filter((name) => findProgram(name) === undefined);
  if (missing.length > 0) throw notFound(missing);
}

/**
 * The path of a program.
 * @throws DemoError if this machine does not have it
 */
export function program(name: Program): string {
  const path = findProgram(name);
  if (path === undefined) throw notFound([name]);
  return path;
}

function notFound(programs: readonly Program[]): DemoError {
  return new DemoError(
    `n8n's queue mode needs Redis and PostgreSQL, but ${programs.join(', ')} cannot be found. ` +
      'On Debian and Ubuntu: sudo apt-get install -y redis-server postgresql',
  );
}
