import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';

import { ROOT } from '../../docs/generate/root';
import { filesOf } from '../docs/support/pages';

const MAX_COLUMNS = 120;

const sources = filesOf()
  .filter((file) => /^(?:nodes|credentials)\/.*\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));

/** The names that a file declares at its top, exported or not. */
function topLevelNames(text: string): string[] {
  return ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2022, true).statements.flatMap((each) => {
    const named = ts.isVariableStatement(each) ? [...each.declarationList.declarations] : [each];
    return named.flatMap(({ name }: { name?: ts.Node }) => (name === undefined ? [] : namesIn(name)));
  });
}

/** The names that a declaration binds: `a`, or those of `{ a, b: c }` and `[a, ...b]`. */
function namesIn(name: ts.Node): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  const elements = ts.isObjectBindingPattern(name) || ts.isArrayBindingPattern(name) ? name.elements : [];
  return elements.flatMap((each) => (ts.isBindingElement(each) ? namesIn(each.name) : []));
}

test('a top-level name of the nodes stands for one thing, in one file', () => {
  const files = new Map<string, string[]>();
  for (const { file, text } of sources)
    for (const name of new Set(topLevelNames(text))) files.set(name, [...(files.get(name) ?? []), file]);
  expect(files.size).toBeGreaterThan(1000);
  expect([...files].filter(([, places]) => places.length > 1)).toEqual([]);
});

test(`comments of the nodes end within ${MAX_COLUMNS} columns`, () => {
  const long = sources.flatMap(({ file, text }) =>
    text
      .split('\n')
      .filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line) && line.length > MAX_COLUMNS)
      .map((line) => ({ file, line })),
  );
  expect(long).toEqual([]);
});

/** Codes that are no other word of the nodes, and those that are. */
const CODES = 'textbox|textarea|richeditor|checkbox|listbox|input_list|rel_list|rel_field|expression';
const WORDS = 'radio|select|number|date|time|datetime|files|users|groups|user|id';

// A new part type is a file in parts/types and a line in codecs.ts.
test('only the codecs know the codes of part types', () => {
  const others = sources.filter(({ file }) => !/\/parts\/types\/|\/codecs\.ts$/.test(file));
  const code = new RegExp(`'(?:${CODES})'|\\btype [!=]== '(?:${WORDS})'`, 'g');
  const known = others.flatMap(({ file, text }) =>
    [...text.matchAll(code)].map(([found]) => `${basename(file)}: ${found}`),
  );
  // That is the type of a saved parameter.
  expect(known).toEqual(["setting.ts: type === 'number'"]);
});

test('only files that are named for it test with agents: older versions of n8n leave them out by that', () => {
  const others = filesOf().filter((file) => /^test\/engine\/(?!agent\.)[^/]*\.test\.ts$/.test(file));
  expect(others.length).toBeGreaterThan(50);
  expect(
    others.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes("from './support/agent'")),
  ).toEqual([]);
});
