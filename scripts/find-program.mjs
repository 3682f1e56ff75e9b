import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian keeps the programs of each version of PostgreSQL in a folder outside the path. */
const POSTGRESQL = '/usr/lib/postgresql';

/**
 * The path of a program on this machine; `undefined` if there is none.
 * @param {string} name
 */
export function findProgram(name) {
  const onPath = (process.env.PATH ?? '').split(delimiter);
  return [...onPath, ...postgresqlFolders()]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** The newest version first. */
function postgresqlFolders() {
  if (!existsSync(POSTGRESQL)) return [];
  const versions = readdirSync(POSTGRESQL).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(POSTGRESQL, version, 'bin'));
}
