import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The log names each request: for minutes, nothing else shows that npm is at work. */
export const NPM_CI = ['ci', '--ignore-scripts', '--loglevel=http'];

/**
 * How far `npm ci` is in a folder. It first looks each package up at the registry, since the lock files name none, and
 * then downloads and unpacks them.
 * @param {string} folder
 * @param {string} logFile what npm prints
 * @returns {() => string}
 */
export function npmCiProgress(folder, logFile) {
  const packages = lockedPackages(folder);
  const missing = new Set(packages);
  const names = new Set(packages.map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)));
  return () => {
    for (const path of missing) if (existsSync(join(folder, path, 'package.json'))) missing.delete(path);
    const installed = packages.length - missing.size;
    if (installed > 0) return `${installed} of ${packages.length} packages`;
    const log = existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
    const asked = [...log.matchAll(/^npm http \w+ (?:GET \d+ )?\S*\/(\S+)/gm)].map(([, name]) =>
      decodeURIComponent(name),
    );
    return `looked up ${new Set(asked.filter((name) => names.has(name))).size} of ${names.size} packages`;
  };
}

/**
 * Paths of the packages in the lock file that every platform gets.
 * @param {string} folder
 * @returns {string[]}
 */
function lockedPackages(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(
      ([path, { extraneous, os, cpu, libc, link }]) =>
        path.includes('node_modules/') && !extraneous && !os && !cpu && !libc && !link,
    )
    .map(([path]) => path);
}
