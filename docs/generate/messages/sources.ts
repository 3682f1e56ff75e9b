import { resolve } from 'node:path';

import * as ts from 'typescript';

/** The repository. */
export const ROOT = resolve(__dirname, '../../..');

/** The package's own sources, as the compiler understands them. */
export interface Sources {
  readonly files: readonly ts.SourceFile[];
  readonly checker: ts.TypeChecker;
}

/** Reads what is published: `nodes/` and `credentials/`. */
export function readSources(): Sources {
  const config = ts.getParsedCommandLineOfConfigFile(resolve(ROOT, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  });
  const names = (config?.fileNames ?? []).filter((name) => name.endsWith('.ts'));
  const program = ts.createProgram(names, config?.options ?? {});
  const own = new Set(names);
  return {
    files: program.getSourceFiles().filter(({ fileName }) => own.has(fileName)),
    checker: program.getTypeChecker(),
  };
}

/** Calls `visit` with every node below `node`. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** The symbol that a name refers to, after imports. */
export function symbolOf(checker: ts.TypeChecker, node: ts.Node): ts.Symbol | undefined {
  const symbol =
    ts.isIdentifier(node) && ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
  return symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    ? checker.getAliasedSymbol(symbol)
    : symbol;
}
