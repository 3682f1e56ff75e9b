import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { whatToInstall } from '../../bench/support/installed';
import { ROOT } from '../../docs/generate/root';
import { filesOf, isIgnored, readPages } from './support/pages';

const pages = readPages();
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

/** npm's own commands. */
const OWN = new Set('audit ci cit install pack publish rebuild stage uninstall version'.split(' '));
/** Folders whose files the pages name. */
const FOLDERS =
  /^(?:\.ci|\.github|bench|credentials|demo|docker|docs|examples|icons|nodes|sandbox|scripts|soak|test)\/[\w./-]+$/;

/** Files of examples. */
const MADE_UP = new Set(['label/count.operation.ts']);

/** The matches in the code of all pages, with the page. */
function inCode(pattern: RegExp): { page: string; found: string }[] {
  return pages.flatMap(({ path, code }) =>
    code.flatMap((text) => [...text.matchAll(pattern)].map(([, found = '']) => ({ page: path, found }))),
  );
}

test('every npm command that a page names exists', () => {
  const commands = [...inCode(/\bnpm run (?:--silent )?([\w:-]+)/g), ...inCode(/\bnpm (start|test)\b/g)];
  expect(commands.length).toBeGreaterThan(15);
  expect(commands.filter(({ found }) => !(found in scripts))).toEqual([]);
  const others = inCode(/\bnpm (?!run\b|start\b|test\b|scripts?\b)([a-z]+)/g);
  expect(others.filter(({ found }) => !OWN.has(found))).toEqual([]);
});

test('every comparison that a page names exists', () => {
  const main = readFileSync(join(ROOT, 'bench/main.ts'), 'utf8');
  const cases = inCode(/\bnpm run bench -- ([a-zA-Z ]+)/g).flatMap(({ page, found }) =>
    found
      .trim()
      .split(/\s+/)
      .map((name) => ({ page, name })),
  );
  expect(cases.length).toBeGreaterThan(1);
  expect(cases.filter(({ name }) => !main.includes(name))).toEqual([]);
});

test('the comparisons say what installs n8n if it is missing', () => {
  const [, file = ''] = /run: node (\S+)$/.exec(whatToInstall(join(ROOT, 'docs')) ?? '') ?? [];
  expect(file).toMatch(/\.ts$/);
  expect(existsSync(join(ROOT, file))).toBe(true);
});

test('every file or folder that a page names exists, or is one that commands make', () => {
  const paths = pages.flatMap(({ path, code }) =>
    code
      .flatMap((text) => text.split(/\s+/).filter((word) => FOLDERS.test(word)))
      .map((word) => ({ page: path, word })),
  );
  expect(paths.length).toBeGreaterThan(30);
  const files = filesOf();
  // Jest accepts the beginning of a path.
  const absent = paths.filter(({ word }) => !files.some((file) => file.startsWith(word)));
  expect(absent.filter(({ word }) => !isIgnored(word))).toEqual([]);
});

test('every source file that a page names from within its room exists', () => {
  const named = inCode(/^([\w/-]+\.(?:test\.)?ts)$/g).filter(({ found }) => !MADE_UP.has(found));
  expect(named.length).toBeGreaterThan(20);
  const files = filesOf();
  expect(named.filter(({ found }) => !files.some((file) => `/${file}`.endsWith(`/${found}`)))).toEqual([]);
});
