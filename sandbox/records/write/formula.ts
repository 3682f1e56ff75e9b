/**
 * Formulas of auto calculation parts, the sandbox's own language: numbers, {Part}, {Table.Child} inside SUM, + - * /,
 * ROUND(x, digits), DAYS(from, to). Empty parts count as 0.
 */

/** The texts in a part when a formula is calculated; for a child part, those of all rows. */
export type Lookup = (reference: string) => readonly string[];

/** A formula that cannot be calculated with the values at hand; the message becomes the part's `hint`. */
export class CalculationError extends Error {}

type Value = number | string;

const token =
  /\s*(?:(?<literal>\d+(?:\.\d+)?)|\{(?<part>[^{}]+)\}|(?<name>[A-Z]+)(?=\s*\()|(?<sign>[-+*/(),]))/y;

interface Token {
  readonly kind: string;
  readonly value: string;
}

function tokensOf(formula: string): Token[] {
  const tokens: Token[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < formula.trimEnd().length) {
    const { groups = {} } = token.exec(formula) ?? fail(formula);
    const [[kind, value] = fail(formula)] = Object.entries(groups).filter(([, text]) => text !== undefined);
    tokens.push({ kind, value });
  }
  return tokens;
}

function fail(formula: string): never {
  throw new SyntaxError(`Formula "${formula}" cannot be read`);
}

/**
 * Calculates a formula.
 * @throws {@link CalculationError}, {@link SyntaxError} for a formula that cannot be read
 */
export function calculate(formula: string, lookup: Lookup): string {
  const result = new Calculation(formula, lookup).result();
  // Sums of decimal fractions would otherwise show the binary rest (0.30000000000000004).
  return typeof result === 'number' ? String(Number(result.toPrecision(15))) : result;
}

/** Reads a formula from left to right and calculates what it reads. */
class Calculation {
  readonly #formula: string;
  readonly #lookup: Lookup;
  readonly #tokens: Token[];

  constructor(formula: string, lookup: Lookup) {
    this.#formula = formula;
    this.#lookup = lookup;
    this.#tokens = tokensOf(formula);
  }

  result(): Value {
    const value = this.#sum();
    return this.#tokens.length > 0 ? fail(this.#formula) : value;
  }

  #sum(): Value {
    return this.#chain('+-', () => this.#chain('*/', () => this.#operand()));
  }

  #chain(operators: string, operand: () => Value): Value {
    let value = operand();
    for (;;) {
      const [next] = this.#tokens;
      if (next?.kind !== 'sign' || !operators.includes(next.value)) return value;
      this.#tokens.shift();
      value = operate(next.value, value, operand());
    }
  }

  #operand(): Value {
    const { kind, value } = this.#tokens.shift() ?? fail(this.#formula);
    if (kind === 'literal') return Number(value);
    if (kind === 'part') return this.#lookup(value)[0] ?? '';
    return kind === 'name' ? this.#call(value) : fail(this.#formula);
  }

  #call(name: string): number {
    this.#expect('(');
    if (name === 'SUM') {
      const part = this.#tokens.shift();
      this.#expect(')');
      const texts = part?.kind === 'part' ? this.#lookup(part.value) : fail(this.#formula);
      return texts.reduce((sum, text) => sum + numberOf(text), 0);
    }
    const first = this.#sum();
    this.#expect(',');
    const second = this.#sum();
    this.#expect(')');
    if (name === 'DAYS') return days(first, second);
    if (name !== 'ROUND') throw new CalculationError(`There is no function ${name}`);
    const unit = 10 ** numberOf(second);
    return Math.round(numberOf(first) * unit) / unit;
  }

  #expect(sign: string): void {
    const next = this.#tokens.shift();
    if (next?.kind !== 'sign' || next.value !== sign) fail(this.#formula);
  }
}

function operate(operator: string, left: Value, right: Value): number {
  const [one, other] = [numberOf(left), numberOf(right)];
  if (operator === '+') return one + other;
  if (operator === '-') return one - other;
  if (operator === '*') return one * other;
  if (other === 0) throw new CalculationError('Division by zero');
  return one / other;
}

function numberOf(value: Value): number {
  const number = value === '' ? 0 : Number(value);
  if (Number.isFinite(number)) return number;
  throw new CalculationError(`"${value}" is not a number`);
}

function days(from: Value, to: Value): number {
  const [start, end] = [from, to].map((value) => Date.parse(String(value).slice(0, 10)));
  if (start === undefined || end === undefined || Number.isNaN(end - start)) {
    throw new CalculationError('A date is missing');
  }
  return Math.round((end - start) / 86_400_000);
}
