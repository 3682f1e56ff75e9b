import { importsOf, type Tree } from './support/imports';
import { againstArrows, againstPackages, circlesOfFiles, circlesOfRooms, type Arrows } from './support/rules';

/** A small repository, with the text of each file. */
function treeOf(texts: Readonly<Record<string, string>>): Tree {
  const sources = Object.keys(texts);
  return { sources, files: new Set(sources), read: (file) => texts[file] ?? '' };
}

const N8N = { name: 'n8n-workflow', typesOnly: false };
const TYPES = { name: 'n8n-workflow', typesOnly: true };

describe('reading imports', () => {
  const here = (text: string) =>
    importsOf(
      treeOf({ 'room/here.ts': text, 'room/there.ts': '', 'room/data.json': '{}', 'room/index.ts': '' }),
    );

  it.each([
    ["import { a } from './there';", 'room/there.ts', false],
    ["import './there';", 'room/there.ts', false],
    ["import a, { type B } from './there';", 'room/there.ts', false],
    ["import {} from './there';", 'room/there.ts', false],
    ["import type { A } from './there';", 'room/there.ts', true],
    ["import { type A, type B } from './there';", 'room/there.ts', true],
    ["import there = require('./there');", 'room/there.ts', false],
    ["export { a } from './there';", 'room/there.ts', false],
    ["export * from './there';", 'room/there.ts', false],
    ["export type { A } from './there';", 'room/there.ts', true],
    ["export type * from './there';", 'room/there.ts', true],
    ["let a: import('./there').A;", 'room/there.ts', true],
    ["let a: typeof import('./there');", 'room/there.ts', true],
    ["async () => await import('./there');", 'room/there.ts', false],
    ['async () => await import(`./there`);', 'room/there.ts', false],
    ["require('./there');", 'room/there.ts', false],
    ["require.resolve('./there');", 'room/there.ts', false],
    ["import.meta.resolve('./there.ts');", 'room/there.ts', false],
    ["jest.mock('./there', () => ({}));", 'room/there.ts', false],
    ["jest.requireActual<typeof import('fs')>('./there');", 'room/there.ts', false],
    ['/// <reference path="there.ts" />', 'room/there.ts', true],
    ["import './there.ts';", 'room/there.ts', false],
    ["import './there.js';", 'room/there.ts', false],
    ["import '../room/there';", 'room/there.ts', false],
    ["import '.';", 'room/index.ts', false],
    ["import './data.json';", 'room/data.json', false],
    ["import '../dist/built';", 'dist/built', false],
  ])('sees %s', (text, file, typeOnly) => {
    expect(here(text)).toContainEqual({ from: 'room/here.ts', line: 1, file, typeOnly });
  });

  it.each([
    ["import 'n8n-workflow';", 'n8n-workflow'],
    ["import type { A } from 'n8n-workflow';", 'n8n-workflow'],
    ["import 'n8n-workflow/deep/inside';", 'n8n-workflow'],
    ["import '@n8n/di/container';", '@n8n/di'],
    ["import 'node:fs/promises';", 'node:fs'],
    ["require('fs');", 'fs'],
    ['/// <reference types="node" />', 'node'],
  ])('names the package of %s', (text, name) => {
    expect(here(text)).toEqual([expect.objectContaining({ package: name })]);
  });

  it('sees an import wherever it is', () => {
    const code = 'const a = 1;\n'.repeat(100);
    const names = Array.from({ length: 30 }, (_, index) => `  name${index},\n`).join('');
    const text = `import {\n${names}} from './there';\n${code}async () => await import(\n  './data.json'\n);\n${code}`;
    expect(here(text).map(({ file, line }) => [file, line])).toEqual([
      ['room/there.ts', 1],
      ['room/data.json', 133],
    ]);
  });

  it('reports the line, and sees a computed name', () => {
    expect(here('\n\nconst a = (b: string) => import(b);')).toEqual([
      { from: 'room/here.ts', line: 3, typeOnly: false },
    ]);
  });

  it('reads a declaration as the program beside it', () => {
    const tree = treeOf({ 'a.ts': "import './b.mjs';", 'b.mjs': '', 'b.d.mts': '' });
    expect(importsOf(tree)).toEqual([expect.objectContaining({ file: 'b.mjs' })]);
  });
});

describe('arrows', () => {
  const ARROWS: Arrows = {
    'src/*.node.ts': ['src/high/'],
    'src/high/*.ts': ['src/high/inner/'],
    'src/high/inner/': ['src/low/'],
    'src/low/': [],
    'src/low/one.ts': [],
  };
  const violations = (texts: Readonly<Record<string, string>>) => {
    const tree = treeOf({ 'src/high/a.ts': '', 'src/high/inner/b.ts': '', 'src/low/c.ts': '', ...texts });
    return againstArrows(importsOf(tree), tree.sources, ARROWS);
  };

  it.each([
    ['the room itself', 'src/low/d.ts', './c'],
    ['the room below', 'src/high/d.ts', './inner/b'],
    ['a room further below', 'src/high/d.ts', '../low/c'],
    ['all rooms in a folder', 'src/a.node.ts', './high/inner/b'],
    ['a package', 'src/low/d.ts', 'n8n-workflow'],
  ])('allow %s', (_, from, name) => {
    expect(violations({ [from]: `import '${name}';` })).toEqual([]);
  });

  it.each([
    ['upwards', 'src/low/d.ts', '../high/inner/b'],
    ['upwards within a folder', 'src/high/inner/d.ts', '../a'],
    ['to something outside the rooms', 'src/low/d.ts', '../../outside'],
  ])('forbid an import %s, for types as well', (_, from, name) => {
    expect(violations({ [from]: `import type { A } from '${name}';` })).toEqual([
      expect.stringContaining(`${from}:1 imports`),
    ]);
  });

  it('require every file to be in a room', () => {
    expect(violations({ 'src/new/d.ts': '', 'src/d.ts': '', 'elsewhere/d.ts': '' })).toEqual([
      'src/new/d.ts is in no room',
      'src/d.ts is in no room',
    ]);
  });

  it('lead to rooms only', () => {
    const imports = importsOf(treeOf({ 'a/b.ts': "import '../c/d';", 'c/d.ts': '' }));
    expect(() => againstArrows(imports, [], { 'a/': ['misspelt/'], 'c/': [] })).toThrow('misspelt/');
  });
});

describe('packages', () => {
  const violations = (from: string, text: string) =>
    againstPackages(importsOf(treeOf({ [from]: text })), {
      'src/': N8N,
      'src/low/': TYPES,
      'src/low/one.ts': N8N,
      'src/alone/': null,
    });

  it.each([
    ['src/a.ts', "import { sleep } from 'n8n-workflow';"],
    ['src/low/a.ts', "import type { IDataObject } from 'n8n-workflow';"],
    ['src/low/one.ts', "import { sleep } from 'n8n-workflow';"],
    ['src/alone/a.ts', "import './b';"],
    ['elsewhere/a.ts', "import 'fastify';"],
  ])('may be imported: %s: %s', (from, text) => {
    expect(violations(from, text)).toEqual([]);
  });

  it.each([
    ['src/a.ts', "import 'fastify';"],
    ['src/a.ts', "import type { A } from 'n8n-core';"],
    ['src/a.ts', "import { createHash } from 'node:crypto';"],
    ['src/a.ts', "require(['fast', 'ify'].join(''));"],
    ['src/low/a.ts', "import { sleep } from 'n8n-workflow';"],
    ['src/low/a.ts', "let a: import('n8n-core').A;"],
    ['src/alone/a.ts', "import type { IDataObject } from 'n8n-workflow';"],
  ])('may not be imported: %s: %s', (from, text) => {
    expect(violations(from, text)).toHaveLength(1);
  });
});

describe('circles', () => {
  it('are found between files, type imports included', () => {
    const tree = treeOf({
      'a.ts': "import './b';",
      'b.ts': "import type { C } from './c';",
      'c.ts': "export { a } from './a';",
      'd.ts': "import './a';",
    });
    expect(circlesOfFiles(importsOf(tree))).toEqual(['a.ts → b.ts → c.ts → a.ts']);
  });

  it('are each found if several share a file', () => {
    const tree = treeOf({
      'a.ts': "import './b'; import './c';",
      'b.ts': "import './a';",
      'c.ts': "import './b'; import './a';",
    });
    expect(circlesOfFiles(importsOf(tree))).toEqual(['a.ts → b.ts → a.ts', 'a.ts → c.ts → a.ts']);
  });

  const rooms = (texts: Readonly<Record<string, string>>) =>
    circlesOfRooms(importsOf(treeOf(texts)), 'test').map((circle) => circle.split('\n')[0]);

  it('are found between rooms without a circle of files', () => {
    const texts = {
      'high/one/a.ts': "import '../../low/b';",
      'high/two/c.ts': '',
      'low/b.ts': '',
      'low/d.ts': "import type { C } from '../high/two/c';",
    };
    expect(circlesOfFiles(importsOf(treeOf(texts)))).toEqual([]);
    expect(rooms(texts)).toEqual(['high/ → low/ → high/']);
  });

  it("are found between a folder's own files and a folder in it", () => {
    expect(
      rooms({ 'a/main.ts': "import './b/c';", 'a/help.ts': '', 'a/b/c.ts': "import '../help';" }),
    ).toEqual(['a/* → a/b/ → a/*']);
  });

  it('do not exist if one room uses the other', () => {
    expect(
      rooms({
        'a/b.ts': "import './c/d'; import '../e/f';",
        'a/c/d.ts': "import '../../e/f';",
        'e/f.ts': '',
      }),
    ).toEqual([]);
  });

  it('do not exist if a test uses something that another room of the tests uses', () => {
    const texts = {
      'test/long/a.ts': "import '../soak/b';",
      'test/soak/b.ts': "import '../support/c';",
      'test/support/c.ts': '',
    };
    expect(rooms(texts)).toEqual([]);
    expect(rooms({ ...texts, 'test/support/c.ts': "import '../long/a';" })).toHaveLength(1);
  });

  it('are reported with the imports that make them', () => {
    const tree = treeOf({ 'a/b.ts': "\nimport '../c/d';", 'a/e.ts': '', 'c/d.ts': "import '../a/e';" });
    expect(circlesOfRooms(importsOf(tree), 'test')).toEqual([
      'a/ → c/ → a/\n    a/b.ts:2 imports c/d.ts\n    c/d.ts:1 imports a/e.ts',
    ]);
  });
});
