// node scripts/check-release.mjs TAG [FOLDER]: checks whether the contents of the folder may be published under this
// tag.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { addressedFiles, isUnpublished, NOBODY, ownerOf } from './address.mjs';

const [tag, folder = '.'] = process.argv.slice(2);
const { version, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const changelog = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');

/** The entries of a version are between its heading and the next one. */
const sections = changelog.split(/^## /m).slice(1);
const entry = sections.find((section) => section.startsWith(`${version} (`));

const problems = [];
if (tag !== `v${version}`)
  problems.push(`The tag is ${tag}, but package.json has version ${version}: v${version}.`);
if (entry === undefined) problems.push(`CHANGELOG.md has no heading "## ${version} (YYYY-MM-DD)".`);
else {
  if (!/^\S+ \(\d{4}-\d{2}-\d{2}\)$/m.test(entry.split('\n', 1)[0]))
    problems.push(`CHANGELOG.md has no date for ${version}: "## ${version} (YYYY-MM-DD)".`);
  if (!/^- /m.test(entry)) problems.push(`CHANGELOG.md has no entries for ${version}.`);
}
if (sections.some((section) => /^unreleased/i.test(section)))
  problems.push('CHANGELOG.md still has the heading "Unreleased", and it is in the package.');

const readme = join(folder, 'README.md');
if (existsSync(readme) && isUnpublished(readFileSync(readme, 'utf8')))
  problems.push('README.md says that the package is not on npm: npm run adopt -- OWNER "NAME" E-MAIL');

// n8n compares both with npm and with the repository, so that a release needs an owner.
const owner = ownerOf(folder);
if (owner === '' || owner === NOBODY)
  problems.push('package.json names nobody\'s repository: npm run adopt -- OWNER "NAME" E-MAIL');
if (!author?.name || !/\S@\S/.test(author.email ?? '') || author.email.endsWith('.invalid'))
  problems.push('package.json names no author with an e-mail: npm run adopt -- OWNER "NAME" E-MAIL');
// Whoever registered another name would get the reports and the links to help.
for (const { path, owners } of addressedFiles(folder)) {
  const others = [...new Set(owners)].filter((each) => each !== owner);
  if (others.length > 0) problems.push(`${path} points to ${others.join(', ')} instead of ${owner}.`);
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
