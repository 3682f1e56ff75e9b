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

/** Addresses of others to which pages link. Whoever adds one has opened it. */
const OTHERS = [
  'https://community.n8n.io',
  'https://creators.n8n.io/nodes',
  'https://docs.n8n.io/changelog/v30-breaking-changes/',
  'https://docs.n8n.io/connect/create-nodes/build-your-node/reference/ux-guidelines',
  'https://docs.n8n.io/connect/create-nodes/build-your-node/reference/verification-guidelines',
  'https://docs.n8n.io/integrations/#community-nodes',
  'https://docs.npmjs.com/staged-publishing',
  'https://docs.npmjs.com/trusted-publishers',
  'https://img.shields.io/npm/v/n8n-nodes-application-data-service',
  'https://keepachangelog.com',
  'https://semver.org',
  'https://www.desknets.com/neo/help/en_US/admin/set/006.html',
  'https://www.desknets.com/neo/help_apps/en_US/appendix/api/001.html',
  'https://www.desknets.com/neo/help_apps/en_US/appendix/api/002.html',
  'https://www.npmjs.com',
  'https://www.npmjs.com/package/n8n-nodes-application-data-service',
  'https://www.npmjs.com/settings/~/staged-packages',
];

/** What GitHub has at the address of the project. */
const OWN =
  /^https:\/\/(?:raw\.)?github(?:usercontent)?\.com\/[^/]+\/n8n-nodes-application-data-service(?:\.git|#readme|\/(?:main|(?:blob|tree)\/main)\/(?<file>[^#?]+)|\/actions\/workflows\/ci\.yml(?:\/badge\.svg\?branch=main)?|\/discussions|\/issues\/new\/choose|\/issues\/new\?template=[\w.-]+|\/security\/advisories\/new)?$/;

/** Whether an address outside of the repository has a form that is there. */
function isKnown(address: string): boolean {
  const own = OWN.exec(address);
  const file = own?.groups?.file;
  return OTHERS.includes(address) || (own !== null && (file === undefined || existsSync(join(ROOT, file))));
}

test('every address outside of the repository is one that is there', () => {
  const forms = filesOf('.github/ISSUE_TEMPLATE').map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const texts = [...pages.map(({ prose }) => prose.replace(/`[^`\n]+`/g, '')), ...forms];
  // Those of services are made up.
  const addresses = texts.flatMap(
    (text) => text.match(/https?:\/\/(?!…|[\w.]*example\.com)[^\s)>"'`]+/g) ?? [],
  );
  expect(addresses.filter((address) => !isKnown(address))).toEqual([]);
  expect(OTHERS.filter((address) => !addresses.includes(address))).toEqual([]);
});

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
