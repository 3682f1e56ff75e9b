/**
 * Formulas of auto calculation parts, the sandbox's own language: numbers, "texts", {Part}, {Table.Child} inside
 * SUM, COUNT, MIN, MAX; + - * / and & for joining texts; ROUND(x, digits), DAYS(from, to).
 */

/** A parsed formula. */
export type Formula =
  | { readonly kind: 'literal'; readonly value: number | string }
  | { readonly kind: 'part'; readonly reference: string }
  | {
      readonly kind: 'operation';
      readonly operator: string;
      readonly left: Formula;
      readonly right: Formula;
    }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Formula[] };

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

  parse(): Formula {
    const node = this.#sum();
    if (this.#at < this.#tokens.length) this.#fail();
    return node;
  }

  #sum(): Formula {
    return this.#chain(['+', '-', '&'], () => this.#product());
  }

  #product(): Formula {
    return this.#chain(['*', '/'], () => this.#operand());
  }

  #chain(operators: readonly string[], operand: () => Formula): Formula {
    let left = operand();
    for (;;) {
      const next = this.#tokens[this.#at];
      if (next?.kind !== 'sign' || !operators.includes(next.text)) return left;
      this.#at++;
      left = { kind: 'operation', operator: next.text, left, right: operand() };
    }
  }

  #operand(): Formula {
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
          const zero: Formula = { kind: 'literal', value: 0 };
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

  #arguments(): Formula[] {
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

const parsed = new Map<string, Formula>();

/**
 * Parses a formula; each one only once.
 * @throws {@link SyntaxError} if it is invalid
 */
export function parseFormula(formula: string): Formula {
  let node = parsed.get(formula);
  if (!node) {
    node = new Parser(formula).parse();
    parsed.set(formula, node);
  }
  return node;
}
