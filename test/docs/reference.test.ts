import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { ROOT } from '../../docs/generate/messages/program';
import { REFERENCE, referencePages } from '../../docs/generate/reference/pages';

/** What to do when a page is not as the sources would make it. */
const HINT = 'Run "npm run docs" and commit the pages.';

let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  pages = await referencePages();
}, 120_000);

test('the reference has a page for each resource, the trigger, the credential and the errors', () => {
  const files = readdirSync(resolve(ROOT, REFERENCE)).map((name) => `${REFERENCE}/${name}`);
  expect([HINT, ...files.sort()]).toEqual([HINT, ...[...pages.keys()].sort()]);
});

test('every page is current', () => {
  for (const [path, page] of pages) {
    const [written, current] = [readFileSync(resolve(ROOT, path), 'utf8'), page].map((text) => [
      `${HINT} ${path}`,
      ...text.split('\n'),
    ]);
    expect(written).toEqual(current);
  }
});
