import * as ts from 'typescript';

import { calledFunction, type Call, type Callable, type CallSites } from './callSites';
import { symbolOf, walk } from './program';

/** Stands for what is inserted into a text: a name, a value, a number. */
export const HOLE = '…';

/** More single words than this at one place of a text are names of things; a reader need not see each. */
const MOST_WORDS = 2;
/** More alternatives than this are no texts at all. */
const MOST_ALTERNATIVES = 40;
const MOST_DEPTH = 24;

/** What is given for parameters, where that is known. */
type Given = ReadonlyMap<ts.Node, { readonly value: ts.Expression | undefined; readonly given: Given }>;

/**
 * Tells which texts an expression can be. Follows constants, alternatives, templates, the results of our own functions,
 * and parameters to all calls. What cannot be followed is a {@link HOLE}.
 */
export class Texts {
  private depth = 0;

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly callSites: CallSites,
  ) {}

  /** All texts that an expression can be, each once. */
  of(expression: ts.Expression | undefined, given: Given = new Map()): string[] {
    if (expression === undefined || this.depth > MOST_DEPTH) return [HOLE];
    this.depth++;
    try {
      return [...new Set(this.read(expression, given).map(joinHoles))];
    } finally {
      this.depth--;
    }
  }

  /** The message of an error, from `new` through the constructors of its classes to that of `Error`. */
  thrown(constructors: readonly ts.ConstructorDeclaration[], made: ts.NewExpression): string[] {
    let call: Call = made;
    let given: Given = new Map();
    for (const constructor of constructors) {
      given = bind(constructor, call, given);
      const toParent = superCall(constructor);
      if (toParent === undefined) return [HOLE];
      call = toParent;
    }
    return this.of(call.arguments?.[0], given);
  }

  private read(node: ts.Expression, given: Given): string[] {
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isTemplateExpression(node)) return this.template(node, given);
    if (isWrapper(node)) return this.of(node.expression, given);
    if (ts.isConditionalExpression(node)) return this.either([node.whenTrue, node.whenFalse], given);
    if (ts.isBinaryExpression(node)) return this.binary(node, given);
    if (ts.isIdentifier(node)) return this.identifier(node, given);
    if (ts.isPropertyAccessExpression(node)) return this.property(node.expression, node.name.text, given);
    if (ts.isCallExpression(node)) return this.call(node, given, (each, at) => this.of(each, at));
    return isNothing(node) ? [] : [HOLE];
  }

  private either(expressions: readonly (ts.Expression | undefined)[], given: Given): string[] {
    return expressions.flatMap((each) => this.of(each, given));
  }

  private template(node: ts.TemplateExpression, given: Given): string[] {
    return node.templateSpans.reduce(
      (texts, span) =>
        combine(
          texts,
          this.inserted(span.expression, given).map((text) => text + span.literal.text),
        ),
      [node.head.text],
    );
  }

  /** Texts of what is inserted into another text; too many, or none, are a value. */
  private inserted(node: ts.Expression, given: Given): string[] {
    const texts = this.of(node, given);
    const most = texts.every((text) => !text.includes(' ')) ? MOST_WORDS : MOST_ALTERNATIVES;
    return texts.length === 0 || texts.length > most ? [HOLE] : texts;
  }

  private binary(node: ts.BinaryExpression, given: Given): string[] {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.PlusToken)
      return combine(this.inserted(node.left, given), this.inserted(node.right, given));
    const isEither = kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken;
    return isEither ? this.either([node.left, node.right], given) : [HOLE];
  }

  private identifier(node: ts.Identifier, given: Given): string[] {
    if (node.text === 'undefined') return [];
    const declaration = symbolOf(this.checker, node)?.valueDeclaration;
    if (declaration === undefined) return [HOLE];
    if (ts.isParameter(declaration))
      return this.parameter(declaration, given, (value, at) => this.of(value, at));
    if (ts.isBindingElement(declaration)) return this.bindingElement(declaration, given);
    return ts.isVariableDeclaration(declaration) && isConstant(declaration)
      ? this.of(declaration.initializer, given)
      : [HOLE];
  }

  /** What is given for a parameter: in the call that is followed, else in all calls. */
  private parameter(
    parameter: ts.ParameterDeclaration,
    given: Given,
    read: (value: ts.Expression, given: Given) => string[],
  ): string[] {
    const known = given.get(parameter);
    if (known !== undefined) {
      const value = known.value ?? parameter.initializer;
      return value === undefined ? [] : read(value, known.given);
    }
    const calls = this.callSites.get(parameter.parent) ?? [];
    const index = parameter.parent.parameters.indexOf(parameter);
    const texts = calls.flatMap((call) => {
      const value = call.arguments?.[index] ?? parameter.initializer;
      return value === undefined ? [] : read(value, new Map());
    });
    return calls.length === 0 ? [HOLE] : texts;
  }

  private bindingElement(element: ts.BindingElement, given: Given): string[] {
    const holder = element.parent.parent;
    const name = (element.propertyName ?? element.name).getText();
    if (ts.isParameter(holder))
      return this.parameter(holder, given, (value, at) => this.property(value, name, at));
    return ts.isVariableDeclaration(holder) && holder.initializer !== undefined
      ? this.property(holder.initializer, name, given)
      : [HOLE];
  }

  /** The texts of a property, where the object is written out somewhere. */
  private property(object: ts.Expression, name: string, given: Given): string[] {
    if (isWrapper(object)) return this.property(object.expression, name, given);
    if (ts.isObjectLiteralExpression(object)) return this.writtenProperty(object, name, given);
    if (ts.isConditionalExpression(object))
      return [object.whenTrue, object.whenFalse].flatMap((each) => this.property(each, name, given));
    if (ts.isCallExpression(object))
      return this.call(object, given, (each, at) => this.property(each, name, at));
    if (!ts.isIdentifier(object)) return [HOLE];
    const declaration = symbolOf(this.checker, object)?.valueDeclaration;
    if (declaration === undefined) return [HOLE];
    if (ts.isParameter(declaration))
      return this.parameter(declaration, given, (value, at) => this.property(value, name, at));
    return ts.isVariableDeclaration(declaration) &&
      isConstant(declaration) &&
      declaration.initializer !== undefined
      ? this.property(declaration.initializer, name, given)
      : [HOLE];
  }

  private writtenProperty(object: ts.ObjectLiteralExpression, name: string, given: Given): string[] {
    for (const property of object.properties) {
      if (property.name?.getText() !== name) continue;
      if (ts.isPropertyAssignment(property)) return this.of(property.initializer, given);
      if (ts.isShorthandPropertyAssignment(property)) return this.of(property.name, given);
    }
    return object.properties.some(ts.isSpreadAssignment) ? [HOLE] : [];
  }

  /** What one of our own functions returns for a call. */
  private call(
    node: ts.CallExpression,
    given: Given,
    read: (value: ts.Expression, given: Given) => string[],
  ): string[] {
    const callee = calledFunction(this.checker, node);
    if (callee?.body === undefined || this.depth > MOST_DEPTH) return [HOLE];
    const inner = bind(callee, node, given);
    this.depth++;
    try {
      return returned(callee.body).flatMap((each) => read(each, inner));
    } finally {
      this.depth--;
    }
  }
}

function bind(callee: Callable, call: Call, given: Given): Given {
  return new Map([
    ...given,
    ...callee.parameters.map(
      (parameter, index) => [parameter, { value: call.arguments?.[index], given }] as const,
    ),
  ]);
}

function superCall(constructor: ts.ConstructorDeclaration): ts.CallExpression | undefined {
  let found: ts.CallExpression | undefined;
  walk(constructor, (node) => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) found = node;
  });
  return found;
}

function returned(body: ts.ConciseBody): ts.Expression[] {
  if (!ts.isBlock(body)) return [body];
  const found: ts.Expression[] = [];
  walk(body, (node) => {
    if (ts.isReturnStatement(node) && node.expression !== undefined && functionOf(node) === body.parent)
      found.push(node.expression);
  });
  return found;
}

function functionOf(node: ts.Node): ts.Node | undefined {
  return ts.findAncestor(node.parent, ts.isFunctionLike);
}

function isWrapper(
  node: ts.Expression,
): node is ts.ParenthesizedExpression | ts.AsExpression | ts.SatisfiesExpression | ts.NonNullExpression {
  return (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  );
}

function isConstant(declaration: ts.VariableDeclaration): boolean {
  return (declaration.parent.flags & ts.NodeFlags.Const) !== 0;
}

function isNothing(node: ts.Expression): boolean {
  return node.kind === ts.SyntaxKind.NullKeyword;
}

function combine(starts: readonly string[], ends: readonly string[]): string[] {
  return starts.flatMap((start) => ends.map((end) => start + end));
}

/** Two values side by side are one, to a reader. */
function joinHoles(text: string): string {
  return text.replace(/…(?:…)+/g, HOLE);
}
