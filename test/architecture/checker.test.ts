import { importsOf, type Tree } from './support/imports';
import { againstArrows, againstPackages, circlesOfFiles, type Arrows } from './support/rules';

/** A small repository, with the text of each file. */
function treeOf(texts: Readonly<Record<string, string>>): Tree {
  const sources = Object.keys(texts);
  return { sources, files: new Set(sources), read: (file) => texts[file] ?? '' };
}

/** A check that finds nothing could be blind: each of these is something that it must see. */
test.each([
  ["import { a } from './there';", 'room/there.ts', false],
  ["import a, { type B } from './there';", 'room/there.ts', false],
  ["import type { A } from './there';", 'room/there.ts', true],
  ["import { type A, type B } from './there';", 'room/there.ts', true],
  ["import './there.ts';", 'room/there.ts', false],
  ["export * from './there';", 'room/there.ts', false],
  ["export type { A } from './there';", 'room/there.ts', true],
  ["async () => await import('./there');", 'room/there.ts', false],
  ["const a = require('./there');", 'room/there.ts', false],
  ["import './data.json';", 'room/data.json', false],
  ["import '../dist/built';", 'dist/built', false],
  ["import type { A } from 'n8n-workflow/deep';", 'n8n-workflow', true],
  ["import '@n8n/di/container';", '@n8n/di', false],
  ["import 'node:fs/promises';", 'node:fs', false],
])('it sees %s', (text, seen, typeOnly) => {
  const tree = treeOf({ 'room/here.ts': `\n${text}`, 'room/there.ts': '', 'room/data.json': '{}' });
  const found = importsOf(tree).map(({ file, package: name, ...each }) => ({ seen: file ?? name, ...each }));
  expect(found).toContainEqual({ seen, typeOnly, from: 'room/here.ts', line: 2 });
});

const ARROWS: Arrows = {
  'src/*.node.ts': ['src/high/'],
  'src/high/*.ts': ['src/high/inner/'],
  'src/high/inner/': ['src/low/'],
  'src/low/': [],
};

test.each<[string, string, string, string[]]>([
  ['the room itself', 'src/low/d.ts', './c', []],
  ['the room below', 'src/high/d.ts', './inner/b', []],
  ['a room further below', 'src/high/d.ts', '../low/c', []],
  ['all rooms in a folder', 'src/a.node.ts', './high/inner/b', []],
  ['a package', 'src/low/d.ts', 'n8n-workflow', []],
  ['upwards', 'src/low/d.ts', '../high/inner/b', ['src/low/d.ts:1 imports']],
  ['upwards within a folder', 'src/high/inner/d.ts', '../a', ['src/high/inner/d.ts:1 imports']],
  ['outside the rooms', 'src/low/d.ts', '../../outside', ['src/low/d.ts:1 imports']],
  ['from no room', 'src/new/d.ts', 'n8n-workflow', ['src/new/d.ts is in no room']],
])('arrows: %s', (_, from, name, told) => {
  const others = { 'src/high/a.ts': '', 'src/high/inner/b.ts': '', 'src/low/c.ts': '' };
  const tree = treeOf({ ...others, [from]: `import type { A } from '${name}';` });
  expect(againstArrows(importsOf(tree), tree.sources, ARROWS)).toEqual(
    told.map((each) => expect.stringContaining(each) as unknown),
  );
});

test('arrows lead to rooms only', () => {
  const imports = importsOf(treeOf({ 'a/b.ts': "import '../c/d';", 'c/d.ts': '' }));
  expect(() => againstArrows(imports, [], { 'a/': ['misspelt/'], 'c/': [] })).toThrow('misspelt/');
});

test.each([
  ['src/a.ts', "import { sleep } from 'n8n-workflow';", 0],
  ['src/low/a.ts', "import type { IDataObject } from 'n8n-workflow';", 0],
  ['src/low/one.ts', "import { sleep } from 'n8n-workflow';", 0],
  ['src/alone/a.ts', "import './b';", 0],
  ['elsewhere/a.ts', "import 'fastify';", 0],
  ['src/a.ts', "import 'fastify';", 1],
  ['src/a.ts', "import type { A } from 'n8n-core';", 1],
  ['src/a.ts', "import { createHash } from 'node:crypto';", 1],
  ['src/low/a.ts', "import { sleep } from 'n8n-workflow';", 1],
  ['src/alone/a.ts', "import type { IDataObject } from 'n8n-workflow';", 1],
])('packages: %s: %s', (from, text, count) => {
  const n8n = { name: 'n8n-workflow', typesOnly: false };
  const found = againstPackages(importsOf(treeOf({ [from]: text })), {
    'src/': n8n,
    'src/low/': { ...n8n, typesOnly: true },
    'src/low/one.ts': n8n,
    'src/alone/': null,
  });
  expect(found).toHaveLength(count);
});

test('circles of files are each found', () => {
  const tree = treeOf({
    'a.ts': "import './b'; import './c';",
    'b.ts': "import type { A } from './a';",
    'c.ts': "import './b'; export { a } from './a';",
  });
  expect(circlesOfFiles(importsOf(tree))).toEqual(['a.ts → b.ts → a.ts', 'a.ts → c.ts → a.ts']);
});
