import { findProgram } from '../../scripts/find-program.mjs';
import { DemoError } from '../demo-error.ts';

/** @throws DemoError when the program is not on this machine */
export function program(name: 'redis-server' | 'initdb' | 'postgres' | 'pg_isready'): string {
  const path = findProgram(name);
  if (path !== undefined) return path;
  throw new DemoError(
    `n8n's queue mode needs Redis and PostgreSQL, and ${name} cannot be found. ` +
      'On Debian and Ubuntu: sudo apt-get install -y redis-server postgresql',
  );
}
