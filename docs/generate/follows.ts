import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './root';

/** The folder of the translated pages. */
const FOLDER = 'docs/ja';

/** `<!-- follows docs/check.md 1a2b3c4d -->`: the page that a translation follows, and its version. */
const STAMP = /^<!-- follows (\S+) (\S+) -->$/gm;

/** A translated page, and a page that it follows. */
export interface Follower {
  readonly page: string;
  readonly follows: string;
  /** The version that was translated. */
  readonly version: string;
}

/** The pages that each translated page follows. */
export function followers(): Follower[] {
  return readdirSync(join(ROOT, FOLDER)).flatMap((name) => {
    const page = `${FOLDER}/${name}`;
    const text = readFileSync(join(ROOT, page), 'utf8');
    return [...text.matchAll(STAMP)].map(([, follows = '', version = '']) => ({ page, follows, version }));
  });
}

/** The version of a page: a hash of its words, whatever its line breaks and tables look like. */
export function versionOf(page: string): string {
  const words = readFileSync(join(ROOT, page), 'utf8')
    .replaceAll(/[-|\s]+/g, ' ')
    .trim();
  return createHash('sha256').update(words).digest('hex').slice(0, 12);
}

/** Updates the versions in all translated pages to those of the current pages. */
export function follow(): void {
  for (const page of new Set(followers().map((each) => each.page))) {
    const file = join(ROOT, page);
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replaceAll(STAMP, (_, follows: string) => `<!-- follows ${follows} ${versionOf(follows)} -->`),
    );
  }
}
