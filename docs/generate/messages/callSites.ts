import * as ts from 'typescript';

import { symbolOf, walk } from './sources';

export type Call = ts.CallExpression | ts.NewExpression;

/** A function-like declaration with parameters. */
export type Callable = ts.FunctionLikeDeclaration;

/** Every call in the sources, by the called function. */
export type CallSites = ReadonlyMap<ts.Node, readonly Call[]>;

/** Finds all calls once, so that a parameter can be followed to its arguments. */
export function findCallSites(checker: ts.TypeChecker, files: readonly ts.SourceFile[]): CallSites {
  const sites = new Map<ts.Node, Call[]>();
  for (const file of files) {
    walk(file, (node) => {
      if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
      const callee = calledFunction(checker, node);
      if (callee !== undefined) sites.set(callee, [...(sites.get(callee) ?? []), node]);
    });
  }
  return sites;
}

/** The called function, if it is one of the sources' own with a body. */
export function calledFunction(checker: ts.TypeChecker, call: Call): Callable | undefined {
  if (ts.isNewExpression(call)) return constructorOf(checker, call);
  const declaration = symbolOf(checker, nameOf(call.expression))?.declarations?.find(
    (each) => !ts.isMethodSignature(each) && !each.getSourceFile().isDeclarationFile,
  );
  if (declaration === undefined) return undefined;
  if (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration)) {
    const { initializer } = declaration;
    return initializer !== undefined && isCallable(initializer) ? initializer : undefined;
  }
  return isCallable(declaration) ? declaration : undefined;
}

/** The constructor that creates an object; it may be inherited. */
function constructorOf(checker: ts.TypeChecker, call: ts.NewExpression): Callable | undefined {
  let made = classOf(checker, call.expression);
  while (made !== undefined) {
    const constructor = made.members.find(ts.isConstructorDeclaration);
    if (constructor !== undefined) return constructor;
    made = parentOf(checker, made);
  }
  return undefined;
}

/** The class that a name refers to, if it is one of the sources' own. */
export function classOf(checker: ts.TypeChecker, name: ts.Expression): ts.ClassDeclaration | undefined {
  const declaration = symbolOf(checker, name)?.declarations?.find(ts.isClassDeclaration);
  return declaration?.getSourceFile().isDeclarationFile === true ? undefined : declaration;
}

/** The class that a class extends, if it is one of the sources' own. */
export function parentOf(
  checker: ts.TypeChecker,
  made: ts.ClassDeclaration,
): ts.ClassDeclaration | undefined {
  const parent = made.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
  return parent === undefined ? undefined : classOf(checker, parent.expression);
}

function nameOf(callee: ts.Expression): ts.Node {
  return ts.isPropertyAccessExpression(callee) ? callee.name : callee;
}

function isCallable(node: ts.Node): node is Callable {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}
