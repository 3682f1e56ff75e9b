import * as ts from 'typescript';

import { calledFunction, classOf, parentOf } from './callSites';
import type { MessageKind } from './message';
import { symbolOf } from './sources';
import type { Texts } from './texts';

/** Something that is shown to a user, and how to find its texts. */
export interface Shown {
  readonly kind: MessageKind;
  texts(texts: Texts): string[];
  /** The kinds of failures that a `ServiceError` stands for. */
  failures?(texts: Texts): string[];
}

/** The error that a `new` expression creates, if users see it: one that says what to do, or n8n's with a text. */
export function errorOf(node: ts.NewExpression, checker: ts.TypeChecker): Shown | undefined {
  const name = symbolOf(checker, node.expression)?.name ?? '';
  // The calls of the function around it show what it is.
  if (isKind(checker, node.arguments?.[0])) return undefined;
  if (name === 'NodeOperationError')
    return { kind: 'error', texts: (texts) => texts.of(node.arguments?.[1]) };
  const made = classOf(checker, node.expression);
  if (made === undefined || !extendsError(checker, made) || !isForUsers(checker, node)) return undefined;
  const constructors = constructorsOf(checker, made);
  return {
    kind: 'error',
    texts: (texts) => texts.thrown(constructors, node),
    failures: (texts) => (name === 'ServiceError' ? texts.of(node.arguments?.[0]) : []),
  };
}

/** The error that a function makes of the kind and the message that it is given. */
export function madeErrorOf(node: ts.CallExpression, checker: ts.TypeChecker): Shown | undefined {
  const [kind] = calledFunction(checker, node)?.parameters ?? [];
  if (kind === undefined || !isKindType(kind) || !isForUsers(checker, node)) return undefined;
  const [given, message] = node.arguments;
  return { kind: 'error', texts: (texts) => texts.of(message), failures: (texts) => texts.of(given) };
}

/** Whether an expression is a parameter for the kind of a failure. */
function isKind(checker: ts.TypeChecker, given: ts.Expression | undefined): boolean {
  const declarations = given === undefined ? [] : (symbolOf(checker, given)?.declarations ?? []);
  return declarations.some((each) => ts.isParameter(each) && isKindType(each));
}

function isKindType({ type }: ts.ParameterDeclaration): boolean {
  return type?.getText() === 'FailureKind';
}

function constructorsOf(checker: ts.TypeChecker, made: ts.ClassDeclaration): ts.ConstructorDeclaration[] {
  const own = made.members.filter(ts.isConstructorDeclaration);
  const parent = parentOf(checker, made);
  return parent === undefined ? own : [...own, ...constructorsOf(checker, parent)];
}

function extendsError(checker: ts.TypeChecker, made: ts.ClassDeclaration): boolean {
  const parent = parentOf(checker, made);
  if (parent !== undefined) return extendsError(checker, parent);
  const clause = made.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  return clause?.types[0]?.expression.getText() === 'Error';
}

/** Whether users see an error. Such errors say what to do; others are caught and replaced. */
function isForUsers(checker: ts.TypeChecker, node: ts.Expression): boolean {
  return checker.getTypeAtLocation(node).getProperty('description') !== undefined;
}
