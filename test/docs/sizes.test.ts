import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../docs/generate/root';

/** Bytes of a page that a user or an administrator reads to the end. */
const MOST = 10_000;

/** Pages to look something up in. */
const LONGER: Readonly<Record<string, number>> = { 'errors.md': 25_000, 'guarantees.md': 15_000 };

const pages = ['docs', 'docs/examples'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => [`${folder}/${name}`, LONGER[name] ?? MOST] as const),
);

test.each(pages)('%s has at most %d bytes', (page, most) => {
  expect(readFileSync(join(ROOT, page)).length).toBeLessThanOrEqual(most);
});
