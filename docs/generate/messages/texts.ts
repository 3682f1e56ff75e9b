import * as ts from 'typescript';

import { calledFunction, type Call, type Callable, type CallSites } from './callSites';
import { symbolOf, walk } from './sources';

/** Stands for inserted text: a name, a value, a number. */
export const HOLE = '…';

/** More single words than this in one place are names of things, which a reader need not see. */
const MOST_WORDS = 2;
/** More alternatives than this are not texts. */
const MOST_ALTERNATIVES = 40;
const MOST_DEPTH = 24;

/** The arguments of parameters, as far as they are known. */
type Arguments = ReadonlyMap<
  ts.Node,
  { readonly value: ts.Expression | undefined; readonly args: Arguments }
>;

/**
 * Finds the texts that an expression can be. Follows constants, alternatives, templates, the results of our own
 * functions, and parameters to all calls. Everything else is a {@link HOLE}.
 */
export class Texts {
  private depth = 0;

  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly callSites: CallSites,
  ) {}

  /** All texts that an expression can be, each once. */
  of(expression: ts.Expression | undefined, args: Arguments = new Map()): string[] {
    if (expression === undefined || this.depth > MOST_DEPTH) return [HOLE];
    this.depth++;
    try {
      return [...new Set(this.read(expression, args).map(joinHoles))];
    } finally {
      this.depth--;
    }
  }

  /** The message of an error, from `new` through the constructors of its classes to that of `Error`. */
  thrown(constructors: readonly ts.ConstructorDeclaration[], made: ts.NewExpression): string[] {
    let call: Call = made;
    let args: Arguments = new Map();
    for (const constructor of constructors) {
      args = bind(constructor, call, args);
      const toParent = superCall(constructor);
      if (toParent === undefined) return [HOLE];
      call = toParent;
    }
    return this.of(call.arguments?.[0], args);
  }

  private read(node: ts.Expression, args: Arguments): string[] {
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isTemplateExpression(node)) return this.template(node, args);
    if (isWrapper(node)) return this.of(node.expression, args);
    if (ts.isConditionalExpression(node)) return this.either([node.whenTrue, node.whenFalse], args);
    if (ts.isBinaryExpression(node)) return this.binary(node, args);
    if (ts.isIdentifier(node)) return this.identifier(node, args);
    if (ts.isPropertyAccessExpression(node)) return this.property(node.expression, node.name.text, args);
    if (ts.isCallExpression(node)) return this.call(node, args, (each, at) => this.of(each, at));
    return isNothing(node) ? [] : [HOLE];
  }

  private either(expressions: readonly (ts.Expression | undefined)[], args: Arguments): string[] {
    return expressions.flatMap((each) => this.of(each, args));
  }

  private template(node: ts.TemplateExpression, args: Arguments): string[] {
    return node.templateSpans.reduce(
      (texts, span) =>
        combine(
          texts,
          this.inserted(span.expression, args).map((text) => text + span.literal.text),
        ),
      [node.head.text],
    );
  }

  /** The texts inserted into another text. If there are too many, or none, they count as a value. */
  private inserted(node: ts.Expression, args: Arguments): string[] {
    const texts = this.of(node, args);
    const most = texts.every((text) => !text.includes(' ')) ? MOST_WORDS : MOST_ALTERNATIVES;
    return texts.length === 0 || texts.length > most ? [HOLE] : texts;
  }

  private binary(node: ts.BinaryExpression, args: Arguments): string[] {
    const { kind } = node.operatorToken;
    if (kind === ts.SyntaxKind.PlusToken)
      return combine(this.inserted(node.left, args), this.inserted(node.right, args));
    const isEither = kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.QuestionQuestionToken;
    return isEither ? this.either([node.left, node.right], args) : [HOLE];
  }

  private identifier(node: ts.Identifier, args: Arguments): string[] {
    if (node.text === 'undefined') return [];
    const declaration = symbolOf(this.checker, node)?.valueDeclaration;
    if (declaration === undefined) return [HOLE];
    if (ts.isParameter(declaration))
      return this.parameter(declaration, args, (value, at) => this.of(value, at));
    if (ts.isBindingElement(declaration)) return this.bindingElement(declaration, args);
    return ts.isVariableDeclaration(declaration) && isConstant(declaration)
      ? this.of(declaration.initializer, args)
      : [HOLE];
  }

  /** The argument of a parameter: in the call that is being followed, otherwise in all calls. */
  private parameter(
    parameter: ts.ParameterDeclaration,
    args: Arguments,
    read: (value: ts.Expression, args: Arguments) => string[],
  ): string[] {
    const known = args.get(parameter);
    if (known !== undefined) {
      const value = known.value ?? parameter.initializer;
      return value === undefined ? [] : read(value, known.args);
    }
    const calls = this.callSites.get(parameter.parent) ?? [];
    const index = parameter.parent.parameters.indexOf(parameter);
    const texts = calls.flatMap((call) => {
      const value = call.arguments?.[index] ?? parameter.initializer;
      return value === undefined ? [] : read(value, new Map());
    });
    return calls.length === 0 ? [HOLE] : texts;
  }

  private bindingElement(element: ts.BindingElement, args: Arguments): string[] {
    const holder = element.parent.parent;
    const name = (element.propertyName ?? element.name).getText();
    if (ts.isParameter(holder))
      return this.parameter(holder, args, (value, at) => this.property(value, name, at));
    return ts.isVariableDeclaration(holder) && holder.initializer !== undefined
      ? this.property(holder.initializer, name, args)
      : [HOLE];
  }

  /** The texts of a property, if the object is written out somewhere. */
  private property(object: ts.Expression, name: string, args: Arguments): string[] {
    if (isWrapper(object)) return this.property(object.expression, name, args);
    if (ts.isObjectLiteralExpression(object)) return this.writtenProperty(object, name, args);
    if (ts.isConditionalExpression(object))
      return [object.whenTrue, object.whenFalse].flatMap((each) => this.property(each, name, args));
    if (ts.isCallExpression(object))
      return this.call(object, args, (each, at) => this.property(each, name, at));
    if (!ts.isIdentifier(object)) return [HOLE];
    const declaration = symbolOf(this.checker, object)?.valueDeclaration;
    if (declaration === undefined) return [HOLE];
    if (ts.isParameter(declaration))
      return this.parameter(declaration, args, (value, at) => this.property(value, name, at));
    return ts.isVariableDeclaration(declaration) &&
      isConstant(declaration) &&
      declaration.initializer !== undefined
      ? this.property(declaration.initializer, name, args)
      : [HOLE];
  }

  private writtenProperty(object: ts.ObjectLiteralExpression, name: string, args: Arguments): string[] {
    for (const property of object.properties) {
      if (property.name?.getText() !== name) continue;
      if (ts.isPropertyAssignment(property)) return this.of(property.initializer, args);
      if (ts.isShorthandPropertyAssignment(property)) return this.of(property.name, args);
    }
    return object.properties.some(ts.isSpreadAssignment) ? [HOLE] : [];
  }

  /** The result of one of our own functions for a call. */
  private call(
    node: ts.CallExpression,
    args: Arguments,
    read: (value: ts.Expression, args: Arguments) => string[],
  ): string[] {
    const callee = calledFunction(this.checker, node);
    if (callee?.body === undefined || this.depth > MOST_DEPTH) return [HOLE];
    const inner = bind(callee, node, args);
    this.depth++;
    try {
      return returned(callee.body).flatMap((each) => read(each, inner));
    } finally {
      this.depth--;
    }
  }
}

function bind(callee: Callable, call: Call, args: Arguments): Arguments {
  return new Map([
    ...args,
    ...callee.parameters.map(
      (parameter, index) => [parameter, { value: call.arguments?.[index], args }] as const,
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

/** Joins adjacent values, which a reader sees as one. */
function joinHoles(text: string): string {
  return text.replace(/…(?:…)+/g, HOLE);
}
