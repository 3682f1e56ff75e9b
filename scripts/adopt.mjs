// npm run adopt -- OWNER "NAME" E-MAIL: makes the project the one of a GitHub account (a person or an organisation):
// puts the owner into every address, and the name and the e-mail of the account on npm into package.json and LICENSE.
// README then tells how to install from npm, because it is published with the package.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { addressedFiles, asPublished, withOwner } from './address.mjs';

/** GitHub's rule for names of accounts. */
const ACCOUNT = /^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}$/i;

const folder = process.cwd();
const [owner = '', name = '', email = ''] = process.argv.slice(2);
if (!ACCOUNT.test(owner) || name.trim() === '' || !/^\S+@\S+\.\S+$/.test(email)) {
  console.error('Usage: npm run adopt -- OWNER "NAME" E-MAIL');
  console.error('OWNER is the account on GitHub; NAME and E-MAIL are those of the account on npm.');
  process.exit(1);
}

/** Writes a file in the form that "npm test" asks for: another length breaks other lines. */
async function write(path, text) {
  const filepath = join(folder, path);
  writeFileSync(filepath, await format(text, { ...(await resolveConfig(filepath)), filepath }));
}

const files = addressedFiles(folder);
for (const { path, text } of files) await write(path, withOwner(text, owner));
await write('README.md', asPublished(readFileSync(join(folder, 'README.md'), 'utf8')));

const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
await write('package.json', JSON.stringify({ ...manifest, author: { name, email } }, null, 2));
const license = readFileSync(join(folder, 'LICENSE'), 'utf8');
writeFileSync(
  join(folder, 'LICENSE'),
  license.replace(/^(Copyright \(c\) [\d-]+) .*$/m, (_, years) => `${years} ${name}`),
);

for (const { path } of files) console.log(path);
console.log(
  `LICENSE\nThese now name ${owner} and ${name}. Look at "git diff", then run "npm test" and commit.`,
);
