import ts from 'typescript';

import { repository } from './support/repository';

/** More than a person writes, and no more than a service, a notification or an item can send. */
const LENGTH = 100_000;

/** A linear expression takes a few milliseconds for it, a quadratic one seconds. */
const MAX_MS = 250;

interface Found {
  readonly place: string;
  readonly expression: RegExp;
}

/** All literal regular expressions of the nodes and the credential. */
function expressions(): Found[] {
  const { sources, read } = repository();
  return sources
    .filter((path) => /^(?:nodes|credentials)\//.test(path))
    .flatMap((path) => literalsIn(ts.createSourceFile(path, read(path), ts.ScriptTarget.ES2022, true)));
}

function literalsIn(source: ts.SourceFile): Found[] {
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const expression = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      found.push({ place: `${source.fileName} ${node.text}`, expression });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What an expression may repeat, again and again: single characters, and the literal texts that it is made of. */
function unitsFor({ source }: RegExp): Set<string> {
  const literals = source.match(/(?:\\?[^\\^$.*+?()[\]{}|\w]|[\p{L}\d ]|\\[^\p{L}\d])+/gu) ?? [];
  const plain = literals.map((literal) => literal.replaceAll('\\', ''));
  const pairs = ['{{', '{{a', 'a ', ' a', '1,', '1-', '-1', ', ', 'a\n', '\r\n', '%2', '<a', '"a', '\\u'];
  const units = [...' \t\n\r0aAあ{}"\'\\%&,.-()[]:/<>=@#?!*+|~_$;\u3000\u0000\ud800', ...plain, ...pairs];
  return new Set(units.filter((unit) => unit !== ''));
}

function slowest({ expression }: Found): { readonly unit: string; readonly ms: number } {
  let worst = { unit: '', ms: 0 };
  for (const unit of unitsFor(expression)) {
    const many = unit.repeat(Math.ceil(LENGTH / unit.length));
    for (const text of [many, `${many}\u0001`, `\u0001${many}`]) {
      const begun = process.cpuUsage();
      text.replace(expression, '');
      const { user, system } = process.cpuUsage(begun);
      const ms = (user + system) / 1000;
      if (ms > worst.ms) worst = { unit, ms };
      // Slower still would only take longer to say.
      if (ms > MAX_MS) return worst;
    }
  }
  return worst;
}

const all = expressions();

test('there are expressions to look at', () => {
  expect(all.length).toBeGreaterThan(40);
});

test.each(all.map((found) => [found.place, found] as const))(
  '%s takes no long text apart for long',
  (_, found) => {
    const { unit, ms } = slowest(found);
    expect(ms > MAX_MS ? `${ms.toFixed(0)} ms for "${unit}", repeated` : '').toBe('');
  },
);
