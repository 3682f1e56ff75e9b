import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readResults } from '../../bench/support/table';
import { FIGURE_PAGES, withFigures } from '../../docs/generate/figures';
import { ROOT } from '../../docs/generate/root';

test.each(FIGURE_PAGES)('the figures of %s are those of the last runs', async (page) => {
  // If this fails, run: npm run docs
  const written = readFileSync(join(ROOT, page), 'utf8');
  expect(written).toMatch(/<!-- figures: \w+ -->/);
  expect(written).toBe(await withFigures(page, readResults()));
});
