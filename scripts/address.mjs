// Where the project is on GitHub. One source says it: "repository" in package.json. All other files repeat it, because
// npm, n8n and GitHub's forms show links outside of the repository; scripts/adopt.mjs changes them all at once.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Stands for the owner until there is one. No account on GitHub can have this name, so nobody else gets the links. */
export const NOBODY = '_owner_';

/** Stands for whoever reads, in an example. */
const READER = 'YOUR-NAME';

/** An address of the project: what is before the owner, the owner, and what follows. */
const ADDRESS = /(github(?:usercontent)?\.com\/)([^/\s]+)(\/n8n-nodes-application-data-service\b)/g;

/** The owner in package.json, or an empty text. */
export function ownerOf(folder) {
  const { repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return [...(repository?.url ?? '').matchAll(ADDRESS)][0]?.[2] ?? '';
}

/** The texts with an address of the project: their path, their text, and the owners that they name. */
export function addressedFiles(folder) {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const paths = execFileSync('git', list, { cwd: folder, encoding: 'utf8' }).split('\0').filter(Boolean);
  const present = paths.filter((path) => existsSync(join(folder, path)));
  return present.flatMap((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    const owners = [...text.matchAll(ADDRESS)]
      .map(([, , owner]) => owner)
      .filter((owner) => owner !== READER);
    return owners.length > 0 ? [{ path, text, owners }] : [];
  });
}

/** What README says until the package is on npm, and, in a comment, from then on. */
const UNTIL_PUBLISHED = /<!-- until it is on npm -->[^]*?<!-- once it is on npm:\s*([^]*?)\s*-->/g;

/** Whether a page still says how to do without npm. */
export function isUnpublished(text) {
  return text.search(UNTIL_PUBLISHED) >= 0;
}

/** README as it is once the package is on npm. */
export function asPublished(text) {
  return text.replace(UNTIL_PUBLISHED, '$1');
}

/** The text with this owner in all addresses. */
export function withOwner(text, owner) {
  return text.replace(ADDRESS, (all, before, old, after) => (old === READER ? all : before + owner + after));
}
