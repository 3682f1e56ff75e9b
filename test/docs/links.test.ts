import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import { ROOT } from '../../docs/generate/root';
import { filesOf, readPages, type Page } from './support/pages';

const pages = readPages();
const byPath = new Map(pages.map((page) => [page.path, page]));

/** Links and pictures in a page that refer to files, without those inside code. */
function linksOf({ prose }: Page): string[] {
  const text = prose.replace(/`[^`\n]+`/g, '');
  return [...text.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/i.test(target));
}

/** Why a link is broken; `undefined` if it works. */
function problemOf(page: Page, link: string): string | undefined {
  const [file = '', anchor] = link.split('#');
  const path = file === '' ? page.path : relative(ROOT, resolve(ROOT, dirname(page.path), decodeURI(file)));
  if (path.startsWith('..') || !existsSync(join(ROOT, path))) return 'there is no such file';
  if (anchor === undefined) return undefined;
  return byPath.get(path)?.anchors.has(anchor) === true ? undefined : 'there is no such heading';
}

test('there are pages, links between them, and links to headings', () => {
  const links = pages.flatMap(linksOf);
  expect(pages.length).toBeGreaterThan(20);
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter((link) => link.includes('#')).length).toBeGreaterThan(20);
});

test('every link in every page works', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page).flatMap((link) => {
      const problem = problemOf(page, link);
      return problem === undefined ? [] : [`${page.path}: ${link}: ${problem}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('every page of docs is listed in an index', () => {
  const isIndex = ({ path }: Page): boolean => /^docs\/(.+\/)?README\.md$/.test(path);
  const listed = pages
    .filter(isIndex)
    .flatMap((page) => linksOf(page).map((link) => join(dirname(page.path), link.split('#')[0] ?? '')));
  const listable = pages.map(({ path }) => path).filter((path) => /^docs\/(?!README)/.test(path));
  expect(listable.length).toBeGreaterThan(20);
  expect(listable.filter((path) => !listed.includes(path))).toEqual([]);
});

test('every page of docs leads back to an index', () => {
  const isIndex = (path: string): boolean => /^docs\/(.+\/)?README\.md$/.test(path);
  const lost = pages
    .filter(({ path }) => /^docs\/(?!ja\/)/.test(path) && !isIndex(path))
    .filter((page) => !linksOf(page).some((link) => isIndex(join(dirname(page.path), link))));
  expect(lost.map(({ path }) => path)).toEqual([]);
});

test('the nodes and the credential link to existing pages', () => {
  const links = filesOf('nodes', 'credentials').flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\/blob\/main\/([\w./-]+)/g)].map(
      ([, page = '']) => page,
    ),
  );
  expect(links.length).toBeGreaterThan(2);
  expect(links.filter((link) => !byPath.has(link))).toEqual([]);
});

/** npm shows README without the files beside it, so its picture is at the address that package.json names. */
test('the picture of README is the one in the repository, and small enough to load at once', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    repository: { url: string };
  };
  const raw = repository.url.replace(
    /^git\+https:\/\/github\.com\/(.*)\.git$/,
    'https://raw.githubusercontent.com/$1/main/',
  );
  const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, address = '']) => address);
  const own = pictures.filter((address) => address.startsWith('https://raw.'));
  expect(own).toEqual([`${raw}docs/images/film.gif`]);
  expect(readFileSync(join(ROOT, 'docs/images/film.gif')).length).toBeLessThanOrEqual(1_500_000);
});
