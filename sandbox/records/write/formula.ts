/**
 * Formulas of auto calculation parts, the sandbox's own language: numbers, "texts", {Part}, {Table.Child} inside
 * SUM, COUNT, MIN, MAX; + - * / and & for joining texts; ROUND(x, digits), DAYS(from, to).
 */

/** What a part holds when a formula is calculated: texts; of a child part, those of all rows. */
export type Lookup = (reference: string) => readonly string[];

/** A formula that cannot be calculated with the values at hand; the message becomes the part's `hint`. */
export class CalculationError extends Error {}

type Node =
  | { readonly kind: 'literal'; readonly value: number | string }
  | { readonly kind: 'part'; readonly reference: string }
  | {
      readonly kind: 'operation';
      readonly operator: string;
      readonly left: Node;
      readonly right: Node;
    }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Node[] };

const token = /\s*(?:(\d+(?:\.\d+)?)|"([^"]*)"|\{([^{}]+)\}|([A-Z]+)(?=\s*\()|([-+*/&(),]))/y;

interface Token {
  readonly kind: 'literal' | 'part' | 'name' | 'sign';
  readonly text: string;
  readonly value: number | string;
}

function tokensOf(formula: string): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < formula.trimEnd().length) {
    const start = token.lastIndex;
    const match = token.exec(formula);
    if (!match) throw new SyntaxError(`Formula "${formula}" cannot be read from position ${start}`);
    const [, number, text, part, name, sign] = match;
    if (number !== undefined) tokens.push({ kind: 'literal', text: number, value: Number(number) });
    else if (text !== undefined) tokens.push({ kind: 'literal', text, value: text });
    else if (part !== undefined) tokens.push({ kind: 'part', text: part, value: part });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, value: name });
    else tokens.push({ kind: 'sign', text: sign ?? '', value: '' });
  }
  return tokens;
}

class Parser {
  readonly #formula: string;
  readonly #tokens: Token[];
  #at = 0;

  constructor(formula: string) {
    this.#formula = formula;
    this.#tokens = tokensOf(formula);
  }

  parse(): Node {
    const node = this.#sum();
    if (this.#at < this.#tokens.length) this.#fail();
    return node;
  }

  #sum(): Node {
    return this.#chain(['+', '-', '&'], () => this.#product());
  }

  #product(): Node {
    return this.#chain(['*', '/'], () => this.#operand());
  }

  #chain(operators: readonly string[], operand: () => Node): Node {
    let left = operand();
    for (;;) {
      const next = this.#tokens[this.#at];
      if (next?.kind !== 'sign' || !operators.includes(next.text)) return left;
      this.#at++;
      left = { kind: 'operation', operator: next.text, left, right: operand() };
    }
  }

  #operand(): Node {
    const next = this.#tokens[this.#at++];
    switch (next?.kind) {
      case 'literal':
        return { kind: 'literal', value: next.value };
      case 'part':
        return { kind: 'part', reference: next.text };
      case 'name':
        return { kind: 'call', name: next.text, arguments: this.#arguments() };
      case 'sign': {
        if (next.text === '-') {
          const zero: Node = { kind: 'literal', value: 0 };
          return { kind: 'operation', operator: '-', left: zero, right: this.#operand() };
        }
        if (next.text !== '(') return this.#fail();
        const inner = this.#sum();
        this.#expect(')');
        return inner;
      }
      default:
        return this.#fail();
    }
  }

  #arguments(): Node[] {
    this.#expect('(');
    const found = [this.#sum()];
    while (this.#tokens[this.#at]?.text === ',') {
      this.#at++;
      found.push(this.#sum());
    }
    this.#expect(')');
    return found;
  }

  #expect(sign: string): void {
    if (this.#tokens[this.#at]?.kind !== 'sign' || this.#tokens[this.#at]?.text !== sign) this.#fail();
    this.#at++;
  }

  #fail(): never {
    throw new SyntaxError(`Formula "${this.#formula}" cannot be read`);
  }
}

const parsed = new Map<string, Node>();

/** @throws {@link SyntaxError} when the formula cannot be read. */
export function parseFormula(formula: string): Node {
  let node = parsed.get(formula);
  if (!node) {
    node = new Parser(formula).parse();
    parsed.set(formula, node);
  }
  return node;
}

/** The parts that a formula names. */
export function referencesOf(node: Node): string[] {
  switch (node.kind) {
    case 'literal':
      return [];
    case 'part':
      return [node.reference];
    case 'operation':
      return [...referencesOf(node.left), ...referencesOf(node.right)];
    case 'call':
      return node.arguments.flatMap(referencesOf);
  }
}

/**
 * Calculates a formula. Empty parts count as 0.
 * @throws {@link CalculationError}
 */
export function calculate(formula: string, lookup: Lookup): string {
  const result = valueOf(parseFormula(formula), lookup);
  // Sums of decimal fractions would otherwise show the binary rest (0.30000000000000004).
  return typeof result === 'number' ? String(Number(result.toPrecision(15))) : result;
}

function valueOf(node: Node, lookup: Lookup): number | string {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'part':
      return lookup(node.reference)[0] ?? '';
    case 'operation':
      return operate(node.operator, valueOf(node.left, lookup), valueOf(node.right, lookup));
    case 'call':
      return call(node.name, node.arguments, lookup);
  }
}

function operate(operator: string, left: number | string, right: number | string): number | string {
  if (operator === '&') return `${left}${right}`;
  const [one, other] = [numberOf(left), numberOf(right)];
  switch (operator) {
    case '+':
      return one + other;
    case '-':
      return one - other;
    case '*':
      return one * other;
    default:
      if (other === 0) throw new CalculationError('Division by zero');
      return one / other;
  }
}

function numberOf(value: number | string): number {
  const number = value === '' ? 0 : Number(value);
  if (Number.isFinite(number)) return number;
  throw new CalculationError(`"${value}" is not a number`);
}

function call(name: string, nodes: readonly Node[], lookup: Lookup): number {
  const all = () => nodes.flatMap((node) => valuesOf(node, lookup)).filter((value) => value !== '');
  const [first, second] = nodes;
  switch (name) {
    case 'SUM':
      return all().reduce<number>((sum, value) => sum + numberOf(value), 0);
    case 'COUNT':
      return all().length;
    case 'MIN':
      return Math.min(...orZero(all()));
    case 'MAX':
      return Math.max(...orZero(all()));
    case 'ROUND': {
      const digits = 10 ** (second ? numberOf(valueOf(second, lookup)) : 0);
      return Math.round((first ? numberOf(valueOf(first, lookup)) : 0) * digits) / digits;
    }
    case 'DAYS':
      return first && second ? days(valueOf(first, lookup), valueOf(second, lookup)) : 0;
    default:
      throw new CalculationError(`There is no function ${name}`);
  }
}

function valuesOf(node: Node, lookup: Lookup): readonly (number | string)[] {
  return node.kind === 'part' ? lookup(node.reference) : [valueOf(node, lookup)];
}

function orZero(values: readonly (number | string)[]): number[] {
  return values.length === 0 ? [0] : values.map(numberOf);
}

function days(from: number | string, to: number | string): number {
  const [start, end] = [Date.parse(`${from}`.slice(0, 10)), Date.parse(`${to}`.slice(0, 10))];
  if (Number.isNaN(start) || Number.isNaN(end)) throw new CalculationError('A date is missing');
  return Math.round((end - start) / 86_400_000);
}
