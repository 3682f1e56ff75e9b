// node scripts/check-release.mjs TAG [FOLDER]: checks whether the contents of the folder may be published under this
// tag.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [tag, folder = '.'] = process.argv.slice(2);
const { version, author, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
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
if (sections.some((section) => /^unreleased/i.test(section) && /^- /m.test(section)))
  problems.push('CHANGELOG.md still has entries under "Unreleased".');

// n8n compares both with npm and with the repository, so that a release needs an owner.
if (!/\S@\S/.test(author?.email ?? '') || /\bmaintainers\b/i.test(`${author?.name} ${author?.email}`))
  problems.push(
    'package.json names no person or company as the author: put in the name and e-mail of the account on npm.',
  );
if (/github\.com\/([^/]+)\/\1(?:\.git)?$/.test(repository?.url ?? 'github.com/no/no'))
  problems.push('package.json names no real repository: put in the address of the public one on GitHub.');

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
