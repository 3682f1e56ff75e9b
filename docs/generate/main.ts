import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { readResults } from '../../bench/support/table';
import { FIGURE_PAGES, withFigures } from './figures';
import { ROOT } from './root';
import { REFERENCE, referencePages } from './pages';

/** `npm run docs` writes the reference, and the figures of the pages about speed. */
async function main(): Promise<void> {
  const pages = await referencePages();
  rmSync(resolve(ROOT, REFERENCE), { recursive: true, force: true });
  for (const [path, page] of pages) {
    mkdirSync(dirname(resolve(ROOT, path)), { recursive: true });
    writeFileSync(resolve(ROOT, path), page);
    console.log(path);
  }
  for (const page of FIGURE_PAGES) writeFileSync(resolve(ROOT, page), await withFigures(page, readResults()));
}

void main();
