import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findFreePort, LOOPBACK } from '../../../demo/place/checks.ts';
import type { Children, ChildOptions } from '../../../demo/process/children.ts';
import { ownEnvironment } from '../../../demo/n8n/environment.ts';
import { untilReady } from '../../../demo/process/ready.ts';
import { program } from './program.ts';

const START_TIMEOUT = 60_000;
/** `initdb` creates it. Only the cluster uses it. */
const DATABASE = 'postgres';
const USER = 'n8n';

/**
 * Starts a PostgreSQL in a temporary folder, which is removed when the children have ended.
 * @returns the settings with which n8n finds it
 * @throws DemoError if this machine has none, or if it ends
 */
export async function startPostgres(
  children: Children,
  logFile: (name: string) => string,
): Promise<NodeJS.ProcessEnv> {
  const user = otherUser();
  const folder = mkdtempSync(join(tmpdir(), 'application-data-service-postgres-'));
  children.afterStop(() => rmSync(folder, { recursive: true, force: true }));
  if (user !== undefined) chownSync(folder, user, user);
  const common = { cwd: folder, env: ownEnvironment(), ...(user !== undefined && { user }) };
  const data = join(folder, 'data');
  await children.run({
    ...common,
    name: 'initdb',
    command: program('initdb'),
    args: ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    logFile: logFile('initdb'),
  });
  return await startServer(children, { ...common, logFile: logFile('postgres') }, data, folder);
}

async function startServer(
  children: Children,
  options: Pick<ChildOptions, 'cwd' | 'env' | 'user' | 'logFile'>,
  data: string,
  socketFolder: string,
): Promise<NodeJS.ProcessEnv> {
  const port = await findFreePort();
  // The data is lost with the folder anyway, so there is no need to wait for the disk.
  const settings = ['fsync=off', 'synchronous_commit=off', `listen_addresses=${LOOPBACK}`];
  const child = children.start({
    ...options,
    name: 'PostgreSQL',
    command: program('postgres'),
    args: ['-D', data, '-p', `${port}`, '-k', socketFolder, ...settings.flatMap((text) => ['-c', text])],
  });
  const isReady = () =>
    Promise.resolve(spawnSync(program('pg_isready'), ['-q', '-h', LOOPBACK, '-p', `${port}`]).status === 0);
  await untilReady(child, isReady, { timeout: START_TIMEOUT, logFile: options.logFile });
  return {
    DB_TYPE: 'postgresdb',
    DB_POSTGRESDB_HOST: LOOPBACK,
    DB_POSTGRESDB_PORT: `${port}`,
    DB_POSTGRESDB_DATABASE: DATABASE,
    DB_POSTGRESDB_USER: USER,
  };
}

/** PostgreSQL refuses to run as root, so it runs as the user that its Debian package has created. */
function otherUser(): number | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
}
