import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from './messages/program';

/** Where the translated pages are. */
const FOLDER = 'docs/ja';

/** `<!-- follows docs/check.md 1a2b3c4d -->`: which page a translation follows, and the version of it. */
const STAMP = /^<!-- follows (\S+) (\S+) -->$/gm;

/** A translated page, and a page that it follows. */
export interface Follower {
  readonly page: string;
  readonly follows: string;
  /** The version that was translated. */
  readonly version: string;
}

/** What each translated page follows. */
export function followers(): Follower[] {
  return readdirSync(join(ROOT, FOLDER)).flatMap((name) => {
    const page = `${FOLDER}/${name}`;
    const text = readFileSync(join(ROOT, page), 'utf8');
    return [...text.matchAll(STAMP)].map(([, follows = '', version = '']) => ({ page, follows, version }));
  });
}

/** The version of a page: its words, however they are laid out in lines and tables. */
export function versionOf(page: string): string {
  const words = readFileSync(join(ROOT, page), 'utf8')
    .replaceAll(/[-|\s]+/g, ' ')
    .trim();
  return createHash('sha256').update(words).digest('hex').slice(0, 12);
}

/** Says in all translated pages that they follow the pages as they are now. */
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
