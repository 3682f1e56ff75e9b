import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { ROOT } from './messages/program';
import { REFERENCE, referencePages } from './reference/pages';

/** `npm run docs`: writes the reference anew. */
async function main(): Promise<void> {
  const pages = await referencePages();
  rmSync(resolve(ROOT, REFERENCE), { recursive: true, force: true });
  for (const [path, page] of pages) {
    mkdirSync(dirname(resolve(ROOT, path)), { recursive: true });
    writeFileSync(resolve(ROOT, path), page);
    console.log(path);
  }
}

void main();
