import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { followers, versionOf } from '../../docs/generate/follows';
import { ROOT } from '../../docs/generate/root';

const FOLDER = 'docs/ja';
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const pages = readdirSync(join(ROOT, FOLDER));

test('every page says which English page it follows', () => {
  expect(pages.sort()).toEqual(
    'README attachments check credential errors first-steps records table-rows trigger'
      .split(' ')
      .map((name) => `${name}.md`),
  );
  const following = new Set(followers().map(({ page }) => page));
  expect(pages.filter((name) => !following.has(`${FOLDER}/${name}`))).toEqual([]);
});

test('no English page has changed since it was translated', () => {
  const changed = followers().filter(({ follows, version }) => versionOf(follows) !== version);
  // If this fails, update these pages, then run: npm run docs -- --translated
  expect(changed.map(({ page, follows }) => `${page} follows an older version of ${follows}`)).toEqual([]);
});

test('a new layout of a page is no change', () => {
  expect(versionOf('docs/ja/check.md')).not.toBe(versionOf('docs/ja/errors.md'));
  expect(versionOf('docs/check.md')).toMatch(/^[0-9a-f]{12}$/);
});

test("the pages use the product's own words", () => {
  const all = pages.map((name) => textOf(`${FOLDER}/${name}`)).join('\n');
  for (const word of ['アプリケーション', '部品', 'データ', '部品識別子', 'アクセスキー', '自動処理'])
    expect(all).toContain(word);
  expect(all).not.toMatch(/レコード|フィールド|APIキー/);
});
